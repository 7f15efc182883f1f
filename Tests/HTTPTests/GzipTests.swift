import CZlib
import Testing

@testable import HTTP

@Suite struct GzipTests {
    private func request(_ headers: Headers) throws -> Request {
        Request(method: .get, target: try #require(Target("/")), headers: headers)
    }

    /// What zlib reads of it, which checks head and sum.
    private func plain(_ packed: [UInt8], room: Int) -> [UInt8]? {
        var stream = z_stream()
        guard
            inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return nil }
        defer { inflateEnd(&stream) }
        var output = [UInt8](repeating: 0, count: room + 1)
        var input = packed
        let left = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output -> UInt32? in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                return inflate(&stream, Z_FINISH) == Z_STREAM_END ? stream.avail_out : nil
            }
        }
        return left.map { Array(output.dropLast(Int($0))) }
    }

    @Test(arguments: [0, 1, 1024, 70_000], [1, 9] as [Int32])
    func `PW-23 what is compressed is read again as it was`(count: Int, level: Int32) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 / 7) }
        #expect(plain(Gzip.compressed(bytes, level: level), room: count) == bytes)
    }

    @Test(arguments: [
        ("gzip", true), ("br, GZIP;q=0.5", true), ("*", true), ("gzip;q=0", false), ("gzip; q=0.0, *", false),
        ("identity", false), ("*;q=0", false), ("x-gzip", false), ("", false), ("gzip;q=a", false),
    ])
    func `PW-23 a client says whether it takes it`(header: String, takes: Bool) throws {
        #expect(try request(["Accept-Encoding": header]).acceptsGzip == takes)
        #expect(try !request([:]).acceptsGzip)
    }

    @Test func `PW-23 a prepared answer has a tag for each of its two shapes`() throws {
        let bytes = [UInt8](repeating: 65, count: 2000)
        let answer = PreparedAnswer(type: "text/plain", bytes, tag: "t")
        let whole = answer.response(to: try request([:]))
        #expect(whole.bytes == bytes && whole.headers["ETag"] == "\"t\"")
        let packed = answer.response(to: try request(["Accept-Encoding": "gzip"]))
        #expect(packed.headers["ETag"] == "\"t-gzip\"" && packed.headers["Content-Encoding"] == "gzip")
        #expect(plain(packed.bytes, room: 2000) == bytes && packed.headers["Vary"] == "Accept-Encoding")
        let known: Headers = ["Accept-Encoding": "gzip", "If-None-Match": "\"t-gzip\""]
        #expect(answer.response(to: try request(known)).status == 304)
        let other: Headers = ["Accept-Encoding": "gzip", "If-None-Match": "\"t\""]
        #expect(answer.response(to: try request(other)).status == 200)
        let noise = PreparedAnswer(type: "text/plain", [1, 2, 3], tag: "n")
        #expect(noise.response(to: try request(["Accept-Encoding": "gzip"])).bytes == [1, 2, 3])
    }

    @Test func `PW-23 a short answer stays as it is`() throws {
        var short = Response(type: "text/html", [UInt8](repeating: 65, count: 1023))
        short.compress(for: try request(["Accept-Encoding": "gzip"]))
        #expect(short.headers["Content-Encoding"] == nil && short.headers["Vary"] == nil)
    }
}
