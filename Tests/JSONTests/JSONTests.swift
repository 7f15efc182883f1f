import JSON
import Testing

@Suite struct JSONTests {
    @Test(arguments: [
        "", "{", "{\"a\":1,\"a\":2}", "{\"a\":{\"b\":1,\"b\":1}}", "[1,]", "{} x", "{'a':1}", "\"\\ud800\"",
        "NaN", "01",
    ])
    func `what is no JSON, or has a key twice, is refused`(text: String) {
        #expect(throws: JSON.Failure.self) { try JSON.parse(Array(text.utf8)) }
    }

    @Test func `bytes that are no UTF-8 are refused`() {
        #expect(throws: JSON.Failure.self) { try JSON.parse([0x22, 0xff, 0x22]) }
    }

    @Test func `a very deep value is refused, not a crash`() {
        let text = String(repeating: "[", count: 100_000)
        #expect(throws: JSON.Failure.self) { try JSON.parse(Array(text.utf8)) }
        let closed = String(repeating: "[", count: 2_000) + String(repeating: "]", count: 2_000)
        #expect(throws: Never.self) { try JSON.parse(Array(closed.utf8)) }
    }

    @Test func `where it breaks is said`() {
        let error = #expect(throws: JSON.Failure.self) { try JSON.parse(Array("{\n \"a\": ?}".utf8)) }
        #expect(error?.line == 2)
        let doubled = #expect(throws: JSON.Failure.self) { try JSON.parse(Array("{\"a\":1,\"a\":2}".utf8)) }
        #expect(doubled?.isDuplicateKey == true)
    }

    @Test func `values come back in their order`() throws {
        let json = try JSON.parse(
            Array(" {\"z\":1,\"a\":[true,null,\"ü\\n\",-2.5,12345678901234567168]} ".utf8))
        let list: [JSON] = [
            .bool(true), .null, .string("ü\n"), .number(-2.5), .number(12_345_678_901_234_567_168),
        ]
        #expect(json == .object([.init("z", .number(1)), .init("a", .array(list))]))
    }

    struct Thing: Encodable {
        var name = "a \"quoted\" \\ line\n\u{1}🙂"
        var nothing: String?
        var list = [1, 2]
        var real = 0.1
        var whole = 3.0
        var inner: [String: Int] = [:]
    }

    @Test func `what is written has nulls and can be read back`() throws {
        let bytes = try JSONWriter.bytes(of: Thing())
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(
            text.contains("\"nothing\":null") && text.contains("\"whole\":3,")
                && text.contains("\"inner\":{}"))
        #expect(try JSON.parse(bytes)["name"]?.string == Thing().name)
        #expect(try JSONWriter.bytes(of: try JSON.parse(bytes)) == bytes)
        #expect(try JSONWriter.bytes(of: [StoredJSON(written: bytes)]) == [0x5b] + bytes + [0x5d])
    }
}
