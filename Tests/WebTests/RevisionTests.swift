import Database
import HTTP
import Testing
import Wire
import Wording

@testable import Records
@testable import Web

/// Changes that were made with an older state in view.
@Suite struct RevisionTests {
    private func status(
        _ header: String?, current: Int?, base: Int? = nil, isRequired: Bool = true
    ) throws -> Int {
        let request = try Faces.request("/", .put, header.map { ["If-Match": $0] } ?? [:])
        do {
            try Conditional.requireRevision(request, current: current, base: base, isRequired: isRequired)
            return 200
        } catch { return error.status }
    }

    @Test(
        arguments: [
            (nil, 7, 428), (nil, nil, 200), ("\"7-de-abc\"", 7, 200), ("\"7\"", 7, 200),
            ("\"6-de-abc\"", 7, 412),
            ("\"6\", \"7-en-x\"", 7, 200), ("*", 7, 200), ("*", nil, 412), ("\"7\"", nil, 412),
            // RP-20: what compressing proxies make of it.
            ("W/\"7\"", 7, 200), ("W/\"7-de-abc\"", 7, 200), ("W/\"6-de-abc\"", 7, 412),
            ("\"7-de-abc-gzip\"", 7, 200), ("W/\"7-de-abc-br\"", 7, 200), ("W/7", 7, 412), ("W/", 7, 412),
            ("7", 7, 412), ("", 7, 412), ("\"\"", 7, 412), ("\"x\"", 7, 412),
        ] as [(String?, Int?, Int)])
    func `a call names the revision that it saw`(_ header: String?, _ current: Int?, _ expected: Int) throws {
        #expect(try status(header, current: current) == expected)
    }

    @Test func `where none is required none is asked for, and a base that moved on refuses`() throws {
        #expect(try status(nil, current: 7, isRequired: false) == 200)
        #expect(
            try status("\"7\"", current: 7, base: 6) == 412 && status("\"7\"", current: 7, base: 7) == 200)
    }

    @Test(
        arguments: [
            ("revision=7", 7, 200), ("revision=6", 7, 412), ("a=1", 7, 412), ("a=1", nil, 200),
            ("revision=7", nil, 412),
        ] as [(String, Int?, Int)])
    func `a form names it in a field`(_ body: String, _ current: Int?, _ expected: Int) throws {
        let request = try Faces.form(body)
        var status = 200
        do {
            try Conditional.requireRevision(request, current: current)
        } catch { status = error.status }
        #expect(status == expected)
    }

    @Test func `a number of values tells lists and kinds apart, and fits a float`() {
        let lists: [[SQLValue]] = [
            [], [.null], [.text("")], [.text("1")], [.integer(1)], [.real(1)], [.blob([0x31])],
            [.text("a"), .text("b")],
            [.text("ab")], [.text("ab"), .text("")], [.text(""), .text("ab")],
        ]
        let numbers = lists.map { Revision.number(of: $0) }
        #expect(Set(numbers).count == lists.count && numbers.allSatisfy { (0..<(1 << 52)).contains($0) })
        #expect(Revision.number(of: [.text("a")]) == Revision.number(of: [.text("a")]))
    }
}

@Suite struct ProblemTests {
    @Test func `a problem's code is its sentence's, else that of all its fields`() {
        #expect(ProblemCode.of(Problem.conflict(Message("answers.already_answered"))) == "already_answered")
        #expect(ProblemCode.of(Problem.invalid("completed_at", "answers.too_late")) == "too_late")
        var errors = FieldErrors("a", "answers.too_late")
        errors.add("b", "answers.too_late")
        #expect(ProblemCode.of(.invalid(errors)) == "too_late")
        errors.add("c", "errors.required")
        #expect(ProblemCode.of(.invalid(errors)) == "invalid")
    }

    @Test func `no sentence has two codes, and no code is listed twice`() {
        #expect(Set(ProblemCode.all).count == ProblemCode.all.count)
        #expect(Set(ProblemCode.sentences).count == ProblemCode.sentences.count)
        #expect(ProblemCode.of("no such sentence") == nil)
    }

    @Test func `null in a text is refused at every place`() throws {
        let json = JSONTextSample.nested
        let error = #expect(throws: Problem.self) {
            try NullCharacter.refuse(in: NullCharacter.texts(of: json, at: ""))
        }
        #expect(error?.errors.list.map(\.field) == ["a", "b.1.c"])
        try NullCharacter.refuse(in: [("x", "a\u{1}b"), ("y", "")])
    }
}
