import Foundation
import Testing

@testable import HTTP

/// Parts of files, as players and downloads ask for them.
@Suite final class FileResponseTests {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    let content = (0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

    init() throws { try Data(content).write(to: URL(fileURLWithPath: path)) }

    deinit { unlink(path) }

    private func ask(_ headers: Headers, _ method: HTTP.Method = .get) -> Response {
        Response.file(
            path, size: content.count, type: "audio/flac", tag: "\"t\"",
            to: Request(method: method, target: Target("/x")!, headers: headers))
    }

    private func sent(_ response: Response) -> [UInt8] {
        guard case .file(let path, let offset, let count) = response.body,
            let all = FileManager.default.contents(atPath: path)
        else { return [] }
        return Array(all[offset..<(offset + count)])
    }

    @Test func `S2 ten thousand random ranges are the bytes of the file`() {
        for _ in 0..<10_000 {
            let first = Int.random(in: 0...6_000)
            let last = Int.random(in: 0...6_000)
            switch Int.random(in: 0...2) {
            case 0:
                let answer = ask(["Range": "bytes=\(first)-"])
                let isThere = first < content.count
                #expect(answer.status == (isThere ? 206 : 416))
                if isThere { #expect(sent(answer) == Array(content[first...])) }
            case 1:
                let answer = ask(["Range": "bytes=-\(last)"])
                #expect(answer.status == (last > 0 ? 206 : 416))
                #expect(sent(answer) == Array(last > 0 ? content.suffix(last) : []))
            default:
                let answer = ask(["Range": "bytes=\(first)-\(last)"])
                if last < first {
                    #expect(answer.status == 200 && sent(answer) == content)
                } else if first >= content.count {
                    #expect(answer.status == 416 && answer.headers["Content-Range"] == "bytes */5000")
                } else {
                    let end = min(last, content.count - 1)
                    #expect(answer.status == 206 && sent(answer) == Array(content[first...end]))
                    #expect(answer.headers["Content-Range"] == "bytes \(first)-\(end)/5000")
                }
            }
        }
    }

    @Test func `S2 a part of another version is no part: the whole comes`() {
        let range = ("Range", "bytes=0-1")
        #expect(ask([range.0: range.1, "If-Range": "\"t\""]).status == 206)
        for condition in ["\"old\"", "W/\"t\"", "Mon, 23 Nov 2026 10:00:00 GMT"] {
            let answer = ask([range.0: range.1, "If-Range": condition])
            #expect(answer.status == 200 && sent(answer) == content, "\(condition)")
        }
    }

    @Test(arguments: ["bytes=0-1,3-4", "bytes=a-b", "bytes=", "seconds=1-2", "bytes=5-2", "bytes=--1"])
    func `S2 a range that is none, or more than one, gets the whole`(range: String) {
        let answer = ask(["Range": range])
        #expect(answer.status == 200 && sent(answer) == content)
    }

    @Test(arguments: [
        ("\"t\"", 304), ("W/\"t\"", 304), ("\"t-gzip\"", 304), ("W/\"t-br\"", 304),
        ("\"x\", W/\"t-gzip\"", 304),
        ("*", 304), ("\"t-zip\"", 200), ("\"-gzip\"", 200), ("\"gzip\"", 200), ("t", 200), ("W/", 200),
        ("\"", 200),
    ])
    func `RP-20 what compressing proxies make of a tag is read`(header: String, status: Int) {
        #expect(ask(["If-None-Match": header]).status == status, "\(header)")
    }

    @Test(arguments: ["bytes=0-9", "bytes=-1", "bytes=6000-"])
    func `RP-28 HEAD ignores a range, and says the whole length`(range: String) throws {
        let answer = ask(["Range": range, "If-Range": "\"t\""], .head)
        #expect(answer.status == 200 && sent(answer) == content && answer.headers["Content-Range"] == nil)
        #expect(ask(["If-None-Match": "\"t\"", "Range": range], .head).status == 304)
        // Of text, HEAD describes what GET without a range would send: compressed, where it is taken.
        let text = StaticFiles.File(
            path: path, size: content.count, type: MediaType.css, tag: "\"t\"",
            text: PreparedAnswer(type: MediaType.css, content, tag: "t"))
        let request = { (headers: Headers) in
            StaticFiles.response(
                to: Request(method: .head, target: Target("/x")!, headers: headers), file: text)
        }
        #expect(request(["Range": range]).bytes == request([:]).bytes)
    }

    @Test func `whoever has it already is told so`() {
        #expect(ask(["If-None-Match": "\"t\""]).status == 304)
        #expect(ask([:]).headers["Accept-Ranges"] == "bytes")
    }
}
