import JSON
import Testing

@Suite struct DuplicateKeyTests {
    @Test(arguments: [
        (#"{"a": 1, "a": 2}"#, "a"), (#"{"a": {"b": "}", "c": [1, 2], "b": 2}}"#, "a.b"),
        (#"{"a": ["x,y", {"b": 1}, {"b": 1, "b": 2}]}"#, "a.2.b"),
        (#"{"a\"": 1, "b": "a", "a\"": 1}"#, "a\""),
        (#"[{"a": 1}, {"b": "\\", "\u0062": 1}]"#, "1.b"), (#"{"a": {"b": 1}, "c": {"b": 1}, "c": 1}"#, "c"),
        (#"{"answers": {"q3": 1, "q3": 2}, "answers": 1}"#, "answers.q3"),
    ])
    func `a doubled key is told by its place`(text: String, place: String) {
        #expect(throws: JSON.Failure.self) { try JSON.parse(Array(text.utf8)) }
        #expect(JSON.placeOfDuplicate(in: Array(text.utf8)) == place)
    }

    @Test(arguments: ["", "{", #"{"a"#, #"{"a": ["a", "a"]}"#, #"{"a": "\"#, "]]}}", #"[{"a":1},{"a":1}]"#])
    func `where none is doubled there is no place`(text: String) {
        #expect(JSON.placeOfDuplicate(in: Array(text.utf8)) == nil)
    }
}
