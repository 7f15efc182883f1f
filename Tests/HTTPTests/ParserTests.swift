import Foundation
import HTTP
import Testing

@Suite struct FormTests {
    @Test(arguments: ["a=%", "a=%4", "a=%zz", "a=%00", "a=%ff", "%ff=a"])
    func `broken forms are refused`(text: String) { #expect(Form(encoded: text.utf8) == nil) }

    @Test func `fields keep their order, blanks and umlauts; the first of a name counts`() throws {
        let form = try #require(Form(encoded: "note=a+b%20c&n=1&n=2&empty=&bare&=x&%C3%BC=%F0%9F%99%82".utf8))
        #expect(form["note"] == "a b c" && form["n"] == "1" && form.all("n") == ["1", "2"])
        #expect(form["empty"] == "" && form["bare"] == "" && form[""] == "x" && form["ü"] == "🙂")
        #expect(form["missing"] == nil)
    }

    @Test func `a form with too many fields is refused`() {
        let text = Array(repeating: "a=1", count: 2_001).joined(separator: "&")
        #expect(Form(encoded: text.utf8) == nil)
    }

    @Test func `what is encoded decodes to the same`() throws {
        let text = "a/b?c&d=e ü+%🙂"
        #expect(Form(encoded: "x=\(percentEncoded(text))".utf8)?["x"] == text)
    }
}

@Suite struct TargetTests {
    @Test(arguments: [
        "", "a", "*", "http://x/", "/./a", "/a/..", "/%2e%2e/a", "/a%5cb", "/a\tb", "/ä", "/a#b", "/a?x=%",
    ])
    func `what is no plain path is none`(text: String) { #expect(Target(text) == nil) }

    @Test func `segments and query are decoded`() throws {
        let target = try #require(Target("/patients/a%20b?q=1&q=2"))
        #expect(target.path == ["patients", "a b"] && target.query["q"] == "1")
        #expect(
            Target("/")?.path == [] && Target("/a/")?.path == ["a", ""] && Target("//a")?.path == ["", "a"])
    }
}

@Suite struct PatternTests {
    @Test func `a pattern finds what stands in its places`() {
        let pattern = Pattern("/patients/:patient/sessions/:id")
        #expect(pattern.match(["patients", "1", "sessions", "2"]) == ["patient": "1", "id": "2"])
        #expect(pattern.match(["patients", "1", "sessions"]) == nil)
        #expect(Pattern("/").match([]) == [:])
    }

    @Test func `patterns that fit the same path are noticed unless one is more exact`() {
        #expect(Pattern("/a/:b").isAmbiguous(with: Pattern("/a/:c")))
        #expect(Pattern("/:a/b").isAmbiguous(with: Pattern("/a/:b")))
        #expect(!Pattern("/a/new").isAmbiguous(with: Pattern("/a/:b")))
    }

    @Test func `a place for a word takes all but ids, and stands between a fixed part and a place`() {
        let word = Pattern("/a/:b(word)")
        let id = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
        #expect(word.match(["a", "stress-26"]) == ["b": "stress-26"])
        #expect(word.match(["a", id]) == nil && word.match(["a", id.uppercased()]) == nil)
        #expect(word.match(["a", "3f2504e0-4f89-41d3-9a0c"]) != nil)
        #expect(!word.isAmbiguous(with: Pattern("/a/:c")) && !word.isAmbiguous(with: Pattern("/a/new")))
        #expect(word.isAmbiguous(with: Pattern("/a/:c(word)")))
    }

    @Test func `of all patterns that fit a path the most exact one is found, also by going back`() {
        var tree = PatternTree<String>()
        for text in ["/a/:c", "/a/:b(word)", "/a/new", "/a/new/x", "/a/:c/y", "/:z/:c/y/z", "/"] {
            tree.insert(text, at: Pattern(text))
        }
        tree.insert("another", at: Pattern("/a/new"))
        let id = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
        #expect(tree.values(for: ["a", "new"]) == ["/a/new", "another"])
        #expect(tree.values(for: ["a", "old"]) == ["/a/:b(word)"])
        #expect(tree.values(for: ["a", id]) == ["/a/:c"])
        #expect(tree.values(for: ["a", "new", "x"]) == ["/a/new/x"])
        #expect(tree.values(for: ["a", "new", "y"]) == ["/a/:c/y"])
        #expect(tree.values(for: ["a", "new", "y", "z"]) == ["/:z/:c/y/z"])
        #expect(tree.values(for: []) == ["/"])
        #expect(tree.values(for: ["a"]).isEmpty && tree.values(for: ["b", "new"]).isEmpty)
        #expect(tree.values(for: ["a", "new", "y", "z", "w"]).isEmpty)
    }
}

@Suite struct ByteRangeTests {
    static let cases: [(String?, ByteRange)] = [
        (nil, .whole), ("bytes=0-9", .part(0..<10)), ("bytes=95-", .part(95..<100)),
        ("bytes=-5", .part(95..<100)),
        ("bytes=0-999", .part(0..<100)), ("bytes=-999", .part(0..<100)), ("bytes=100-", .unsatisfiable),
        ("bytes=99999999999999999999-", .unsatisfiable),
        ("bytes=9223372036854775807-9223372036854775807", .unsatisfiable),
        ("bytes=90-99999999999999999999", .part(90..<100)), ("bytes=-99999999999999999999", .part(0..<100)),
        ("bytes=-0", .unsatisfiable), ("bytes=5-4", .whole), ("bytes=0-1,5-6", .whole), ("bytes=a-b", .whole),
        ("items=0-1", .whole), ("bytes=-", .whole),
    ]

    @Test(arguments: cases) func `ranges follow RFC 9110`(header: String?, expected: ByteRange) {
        #expect(ByteRange.parse(header, size: 100) == expected)
    }
}

@Suite struct RequestTests {
    func request(_ headers: Headers) throws -> Request {
        Request(method: .get, target: try #require(Target("/")), headers: headers)
    }

    @Test func `cookies are found by their whole name`() throws {
        let request = try request(["cookie": "a=1; sid=abc ;xsid=no; sid=second"])
        #expect(request.cookie("sid") == "abc")
        #expect(request.cookie("s") == nil)
    }

    @Test func `H1 entity tags are compared one by one`() throws {
        #expect(try request(["If-None-Match": "\"a\", W/\"b\""]).hasTag("\"b\""))
        #expect(try request(["If-None-Match": "*"]).hasTag("\"b\""))
        #expect(try !request(["If-None-Match": "\"ab\""]).hasTag("\"b\""))
    }

    @Test func `the media type is read without parameters`() throws {
        #expect(
            try request(["content-type": "Application/JSON ; charset=utf-8"]).mediaType == "application/json")
    }
}

@Suite struct StaticFilesTests {
    @Test func `files have tags and ranges, and nothing outside the folder is found`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("0123456789".utf8).write(to: folder.appendingPathComponent("a.txt"))
        try Data("x".utf8).write(to: folder.appendingPathComponent("secret.key"))
        let files = try StaticFiles(folder: folder.path) { "\($0.count)" }
        #expect(files.names == ["a.txt"])
        func get(_ headers: Headers, _ name: String = "a.txt") throws -> Response? {
            files.response(
                to: Request(method: .get, target: try #require(Target("/")), headers: headers), name: name)
        }
        #expect(try get([:], "../a.txt") == nil)
        #expect(try get(["If-None-Match": "\"10\""])?.status == 304)
        let part = try #require(try get(["Range": "bytes=2-4"]))
        #expect(part.status == 206 && part.headers["Content-Range"] == "bytes 2-4/10")
        #expect(try get(["Range": "bytes=2-4", "If-Range": "\"old\""])?.status == 200)
        #expect(try get(["Range": "bytes=10-"])?.status == 416)
    }
}

@Suite struct MultipartTests {
    func fields(_ bytes: [UInt8]) -> [Form.Field]? {
        guard let target = Target("/") else { return nil }
        let headers: Headers = ["Content-Type": "multipart/form-data; boundary=b"]
        return Form(body: Request(method: .post, target: target, headers: headers, body: bytes))?.fields
    }

    func fields(_ text: String) -> [Form.Field]? { fields(Array(text.utf8)) }

    @Test func `fields and files come with their names`() {
        let file =
            "Content-Disposition: form-data; name=\"file\"; filename=\"a.json\"\r\nContent-Type: application/json"
        let text =
            "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--b\r\n\(file)\r\n\r\n{\r\n}\r\n--b--\r\n"
        #expect(fields(text) == [Form.Field("a", "1"), Form.Field("file", "{\r\n}", file: "a.json")])
    }

    @Test func `FD-28 lines end with one character in a field and as they were in a file`() {
        let name = "Content-Disposition: form-data; name=\"a\""
        #expect(fields("--b\r\n\(name)\r\n\r\n1\r\n\r\n2\n\r3\r\n--b--") == [Form.Field("a", "1\n\n2\n\r3")])
        let target = Target("/")
        let body = Array("a=1%0D%0A2&b=%FF&c=x".utf8)
        let headers: Headers = ["Content-Type": "application/x-www-form-urlencoded"]
        let form = target.flatMap {
            Form(body: Request(method: .post, target: $0, headers: headers, body: body))
        }
        #expect(
            form?.fields == [
                Form.Field("a", "1\n2"), Form.Field("b", "", isText: false), Form.Field("c", "x"),
            ])
    }

    @Test func `of parts that come twice each is there, and ten thousand are no form`() {
        let part = "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n"
        #expect(fields(part + part + "--b--") == [Form.Field("a", "x"), Form.Field("a", "x")])
        #expect(fields(String(repeating: part, count: 2_000) + "--b--")?.count == 2_000)
        #expect(fields(String(repeating: part, count: 10_000) + "--b--") == nil)
    }

    @Test func `FD-28 what is no text leaves the rest of the form readable`() {
        let part = { (head: String, value: [UInt8]) in
            Array("--b\r\nContent-Disposition: form-data; \(head)\r\n\r\n".utf8) + value + [13, 10]
        }
        let sent =
            part("name=\"t\"", [65]) + part("name=\"f\"; filename=\"a.txt\"", [0xfc]) + Array("--b--".utf8)
        #expect(fields(sent) == [Form.Field("t", "A"), Form.Field("f", "", file: "a.txt", isText: false)])
    }

    @Test(arguments: [
        "", "--b", "--b\r\n", "--b\r\n--b--\r\n", "--b\r\n\r\n--b--", "--b\r\n\r\n\r\n\r\n--b--", "--bb",
        "--b--b", "--b\n--b--",
        "--b\r\nContent-Disposition: form-data\r\n\r\n\r\n--b--",
        "--b\r\nContent-Disposition: form-data; name=\"\r\n\r\nx\r\n--b--",
    ]) func `what is no form is none, and ends nobody`(text: String) {
        #expect(fields(text)?.isEmpty ?? true)
    }

    @Test func `any bytes between boundaries are survived`() {
        let pieces: [[UInt8]] = [
            [13, 10], Array("--b".utf8), Array("--".utf8), Array("Content-Disposition: x; name=\"a\"".utf8),
            [0], [255], [65],
        ]
        var state: UInt64 = 1
        for _ in 0..<20_000 {
            var bytes: [UInt8] = []
            for _ in 0..<8 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes += pieces[Int(state >> 33) % pieces.count]
            }
            _ = fields(bytes)
        }
    }
}
