import JSON
import Testing

@Suite struct JSONReaderTests {
    struct Numbers: Codable, Equatable {
        var small: Int8
        var whole: Int64
        var real: Double
        var list: [[Int]]
        var perhaps: [Int?]
    }

    private func read<T: Decodable>(_ type: T.Type, _ text: String) throws -> T {
        try JSONReader.value(type, from: text.utf8)
    }

    @Test func `numbers of every kind are read`() throws {
        let text =
            #"{"small":-7,"whole":9007199254740991,"real":0.5,"list":[[1],[]],"perhaps":[1,null]}"#
        let numbers = Numbers(
            small: -7, whole: 9_007_199_254_740_991, real: 0.5, list: [[1], []],
            perhaps: [1, nil])
        #expect(try read(Numbers.self, text) == numbers)
    }

    @Test func `a number of 64 bits is written`() throws {
        #expect(try JSONWriter.bytes(of: ["a": Int64(-5)]) == Array(#"{"a":-5}"#.utf8))
    }

    @Test(arguments: ["1.5", "300", "\"1\"", "true", "null", "[]", "{}"])
    func `what is no such number is refused`(text: String) {
        #expect(throws: DecodingError.self) { try read(Int8.self, text) }
    }

    @Test(arguments: ["0", "1", "\"true\"", "null"])
    func `only true and false are either`(text: String) {
        #expect(throws: DecodingError.self) { try read(Bool.self, text) }
    }

    @Test func `nothing and null are the same to an optional, and refused where there has to be something`()
        throws
    {
        struct Word: Decodable, Equatable {
            let itsText: String?
        }
        struct Said: Decodable {
            let itsText: String
        }
        #expect(try read(Word.self, "{}") == Word(itsText: nil))
        #expect(try read(Word.self, #"{"its_text":null}"#) == Word(itsText: nil))
        #expect(try read(Word.self, #"{"its_text":"a"}"#) == Word(itsText: "a"))
        #expect(throws: DecodingError.self) { try read(Said.self, "{}") }
        #expect(throws: DecodingError.self) { try read(Said.self, #"{"its_text":null}"#) }
        #expect(throws: DecodingError.self) { try read(Said.self, #"{"itsText":"a"}"#) }
        #expect(throws: DecodingError.self) { try read(Said.self, "[]") }
    }

    @Test func `a map may hold nulls beside values`() throws {
        let read = try read([String: Thing?].self, #"{"aKey":{"its_text":"a"},"b":null}"#)
        #expect(read == ["aKey": Thing(itsText: "a"), "b": Thing?.none])
        #expect(try self.read([String: Int?].self, #"{"a":1,"b":null}"#) == ["a": 1, "b": Int?.none])
    }

    struct Thing: Codable, Equatable { let itsText: String }

    @Test func `what is no JSON is said so`() {
        #expect(throws: JSON.Failure.self) { try read([Int].self, "[1,") }
    }
}
