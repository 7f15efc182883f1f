import Foundation
import Synchronization
import Testing

@testable import HTTP

/// Forms with large files: whatever the pieces they come in, and whatever breaks off.
@Suite final class UploadTests {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private var left: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] }

    private func part(_ name: String, file: String? = nil, _ bytes: [UInt8]) -> [UInt8] {
        let more = file.map { "; filename=\"\($0)\"\r\nContent-Type: Audio/FLAC; x=y" } ?? ""
        let head = "--b0undary\r\nContent-Disposition: form-data; name=\"\(name)\"\(more)\r\n\r\n"
        return Array(head.utf8) + bytes + [13, 10]
    }

    private let end = Array("--b0undary--\r\n".utf8)

    /// - Parameter sizes: how many bytes come next.
    private func read(_ body: [UInt8], _ sizes: () -> Int) -> Upload {
        var reader = MultipartReader(Upload(folder: folder), boundary: Array("b0undary".utf8))
        var rest = body[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(max(1, sizes())))
            rest = rest.dropFirst(piece.count)
            piece.withUnsafeBytes { reader.take($0) }
        }
        reader.finish()
        return reader.upload
    }

    private func bytes(_ file: Upload.File?) -> [UInt8]? {
        file.flatMap { FileManager.default.contents(atPath: $0.path) }.map { Array($0) }
    }

    @Test func `S5 a form reads alike whatever the pieces it comes in`() {
        var chance = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            // Full of what looks like a boundary.
            let scraps = [
                Array("\r\n--b0undar".utf8), Array("\r\n--".utf8), [13], [10], [0, 255],
                Array("\r\n\r\n".utf8),
            ]
            let content = (0..<Int.random(in: 0...60, using: &chance)).flatMap { _ in
                scraps.randomElement(using: &chance) ?? []
            }
            let picture = [UInt8](repeating: 7, count: Int.random(in: 0...3_000, using: &chance))
            let body =
                part("title", Array("Meer\r\nund Wind".utf8)) + part("audio", file: "a b.flac", content)
                + part("none", file: "", []) + part("picture", file: "p.png", picture) + end
            let upload = read(body) { Int.random(in: 1...40) }
            #expect(upload.failure == nil)
            #expect(upload.fields == [Form.Field("title", "Meer\nund Wind")])
            #expect(upload.files.map(\.field) == ["audio", "picture"])
            #expect(
                upload.file("audio")?.name == "a b.flac" && upload.file("audio")?.mediaType == "audio/flac")
            #expect(bytes(upload.file("audio")) == content && upload.file("audio")?.bytes == content.count)
            #expect(bytes(upload.file("picture")) == picture)
        }
        #expect(left.isEmpty)
    }

    @Test func `what is not taken goes with the request, and what is taken stays`() throws {
        var upload: Upload? = read(part("audio", file: "a", [1, 2, 3]) + part("other", file: "b", [4]) + end)
        { 9 }
        let kept = try #require(upload.flatMap { upload in upload.file("audio").map { upload.take($0) } })
        #expect(left.count == 2)
        upload = nil
        #expect(left == [(kept as NSString).lastPathComponent])
    }

    static let broken: [(String, [UInt8], Upload.Failure)] = [
        ("nothing", [], .malformed),
        ("no boundary", Array("hello".utf8), .malformed),
        ("breaks off in a head", Array("--b0undary\r\nContent-Disposition: form-d".utf8), .malformed),
        (
            "breaks off in a file",
            Array("--b0undary\r\nContent-Disposition: form-data; name=\"a\"; filename=\"f\"\r\n\r\nabc".utf8),
            .malformed
        ),
        ("a part without a name", Array("--b0undary\r\nX: y\r\n\r\nabc\r\n--b0undary--".utf8), .malformed),
        (
            "a head without end", Array("--b0undary\r\n".utf8) + [UInt8](repeating: 65, count: 9_000),
            .malformed
        ),
        ("something behind a boundary", Array("--b0undaryx\r\n".utf8), .malformed),
        (
            "a book in a field",
            Array("--b0undary\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n".utf8)
                + [UInt8](repeating: 65, count: 70_000), .tooMuch
        ),
    ]

    @Test(arguments: broken) func `a form that is none keeps nothing`(
        name: String, body: [UInt8], failure: Upload.Failure
    ) {
        #expect(read(body) { 100 }.failure == failure)
        #expect(left.isEmpty)
    }

    @Test func `FD-28 a field that is no text is said to be none, and the rest is read`() {
        let upload = read(part("a", [255, 254]) + part("b", [65]) + end) { 7 }
        #expect(upload.failure == nil)
        #expect(upload.fields == [Form.Field("a", "", isText: false), Form.Field("b", "A")])
    }

    @Test func `more fields than any form has are refused`() {
        let body = (0..<300).flatMap { part("f\($0)", [65]) } + end
        #expect(read(body) { 4_096 }.failure == .tooMuch)
    }

    @Test func `ten thousand parts are refused at the first that is too many, whatever they are`() {
        let fields = (0..<10_000).flatMap { _ in part("a", [65]) } + end
        let files = (0..<10_000).flatMap { _ in part("a", file: "f", [65]) } + end
        for body in [fields, files] {
            let upload = read(body) { 16_384 }
            #expect(upload.failure == .tooMuch)
            #expect(upload.fields.count + upload.files.count == Upload.fieldLimit)
        }
        #expect(left.isEmpty)
    }

    @Test func `a part that comes twice is there twice, and the first file of a name counts`() {
        let body =
            part("a", [65]) + part("f", file: "x", [1]) + part("a", []) + part("f", file: "y", [2]) + end
        for size in [1, 7, 10_000] {
            let upload = read(body) { size }
            #expect(upload.failure == nil)
            #expect(upload.fields == [Form.Field("a", "A"), Form.Field("a", "")])
            #expect(upload.files.map(\.name) == ["x", "y"] && bytes(upload.file("f")) == [1])
        }
    }

    @Test func `what hangs behind the end is not looked at`() {
        let upload = read(part("a", [65]) + end + part("z", [90]) + end) { 5 }
        #expect(upload.failure == nil && upload.fields == [Form.Field("a", "A")])
    }

    @Test func `a folder that cannot be written to is told`() {
        var reader = MultipartReader(Upload(folder: folder + "/none"), boundary: Array("b0undary".utf8))
        (part("audio", file: "a", [1]) + end).withUnsafeBytes { reader.take($0) }
        reader.finish()
        #expect(reader.upload.failure == .storage(ENOENT))
    }
}

/// Takes forms with files below `/files`, from clients that identify themselves.
private final class Shelf: Application {
    let folder: String
    let handled = Mutex<[(fields: [Form.Field], bytes: [Int])]>([])
    init(_ folder: String) { self.folder = folder }

    func bodyPlan(for head: RequestHead, peer: String) -> BodyPlan {
        if head.headers["Authorization"] == nil { return .answered(Response(status: 401)) }
        return .upload(folder: folder, limit: 3_000_000)
    }

    func respond(to request: Request) -> Response {
        let upload = request.upload
        handled.withLock { $0.append((upload?.fields ?? [], upload?.files.map(\.bytes) ?? [])) }
        return Response(status: upload?.failure == nil ? 201 : 400, type: "text/plain", Array("<done>".utf8))
    }

    func refuse(_ head: RequestHead, status: Int) -> Response { Response(status: status) }
}

extension UploadTests {
    private func send(_ body: String, _ more: String = "Authorization: x\r\n", length: Int? = nil) throws -> (
        answer: String, shelf: [(fields: [Form.Field], bytes: [Int])]
    ) {
        var settings = ServerSettings()
        settings.port = 0
        let shelf = Shelf(folder)
        let server = try Server(settings, application: shelf)
        defer { server.stop(within: 2) }
        let client = try RawClient(port: server.port)
        client.send(
            "POST /files HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b0undary\r\n\(more)"
                + "Content-Length: \(length ?? body.utf8.count)\r\nConnection: close\r\n\r\n")
        client.send(body)
        return (client.readAll().text, shelf.handled.withLock { $0 })
    }

    private var form: String {
        let large = [UInt8](repeating: 66, count: 2_500_000)
        return String(decoding: part("title", [77]) + part("audio", file: "a", large) + end, as: UTF8.self)
    }

    @Test func `S5 a form over a socket lies on the disk while it is handled, and is gone after`() throws {
        let (answer, shelf) = try send(form)
        #expect(RawClient.statuses(in: answer) == [201])
        #expect(shelf.first?.fields == [Form.Field("title", "M")] && shelf.first?.bytes == [2_500_000])
        #expect(left.isEmpty)
    }

    @Test func `whoever may not send files is told before one is read, and so is whoever sends too many`()
        throws
    {
        let stranger = try send("", "", length: 5_000_000)
        #expect(RawClient.statuses(in: stranger.answer) == [401] && stranger.shelf.isEmpty)
        let large = try send("", length: 7_000_000)
        #expect(RawClient.statuses(in: large.answer) == [413] && large.shelf.isEmpty)
        #expect(left.isEmpty)
    }

    /// Through a proxy, a connection that ends while it still sends is a bare 502.
    @Test func `RP-6 a form whose answer is known before it comes is read, thrown away and answered`() throws
    {
        let stranger = try send(form, "")
        #expect(RawClient.statuses(in: stranger.answer) == [401] && stranger.shelf.isEmpty)
        let large = try send(form + String(repeating: "x", count: 600_000))
        #expect(RawClient.statuses(in: large.answer) == [413] && large.shelf.isEmpty)
        let waiting = try send("", "Expect: 100-continue\r\n", length: 2_000_000)
        #expect(RawClient.statuses(in: waiting.answer) == [401] && waiting.shelf.isEmpty)
        #expect(left.isEmpty)
    }

    @Test func `a client that goes away in the middle leaves nothing`() throws {
        let server: Server
        let shelf = Shelf(folder)
        do {
            var settings = ServerSettings()
            settings.port = 0
            server = try Server(settings, application: shelf)
            let client = try RawClient(port: server.port)
            client.send(
                "POST /files HTTP/1.1\r\nHost: x\r\nAuthorization: x\r\nContent-Length: 2600000\r\n"
                    + "Content-Type: multipart/form-data; boundary=b0undary\r\n\r\n")
            client.send(String(form.prefix(500_000)))
        }
        server.stop(within: 2)
        #expect(shelf.handled.withLock { $0.isEmpty } && left.isEmpty)
    }
}
