import Foundation
import HTTP
import Secrets
import Testing
import Wire
import Wording

@testable import Identity
@testable import Records
@testable import Templates
@testable import Web

@Suite struct CSVTests {
    private func written(_ cells: [String], _ separator: Unicode.Scalar) -> String {
        var bytes: [UInt8] = []
        CSV.append(cells: cells, separator: UInt8(ascii: separator), to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(
        arguments: [
            ("", ""), ("a", "a"), ("a,b", "\"a,b\""), ("a;b", "a;b"), ("say \"x\"", "\"say \"\"x\"\"\""),
            ("a\nb", "\"a\nb\""), ("a\rb", "\"a\rb\""), ("=1+1", "'=1+1"), ("+43 1", "'+43 1"), ("@x", "'@x"),
            ("-1.5", "-1.5"), ("-1,5", "\"-1,5\""), ("-1e5", "-1e5"), ("-", "'-"), ("-1-1", "'-1-1"),
            ("\tx", "'\tx"),
            ("-a", "'-a"), ("=\"a\"", "\"'=\"\"a\"\"\""), ("Grüße", "Grüße"),
        ])
    func `I1 cells are those of RFC 4180, and no formula`(_ text: String, _ cell: String) {
        #expect(written([text], ",") == cell)
    }

    @Test func `another separator asks for quotes itself`() {
        #expect(written(["a;b", "a,b", "-2,5", ""], ";") == "\"a;b\";a,b;-2,5;")
    }
}

@Suite struct NextPathTests {
    @Test(
        arguments: [
            nil, "", "my", "//evil.example", "https://evil.example", "/\\evil.example", "/a b", "/a\nb", "/ä",
            "\\/x",
        ] as [String?])
    func `what could lead elsewhere leads home`(_ text: String?) { #expect(NextPath.safe(text) == "/") }

    @Test(arguments: ["/", "/my?tab=1", "/studies/x#a", "/a//b"])
    func `a path of this site stays`(_ text: String) { #expect(NextPath.safe(text) == text) }

    @Test(
        arguments: [
            (.patient, [], "/my"), (.staff, [.therapist, .admin], "/"),
            (.staff, [.lead, .admin], "/studies"),
            (.staff, [.admin], "/admin"), (.staff, [.clinicLead], "/profile"), (.staff, [], "/profile"),
        ] as [(AccountRecord.Kind, Set<Role>, String)])
    func `everybody begins where their role does`(
        _ kind: AccountRecord.Kind, _ roles: Set<Role>, _ path: String
    ) throws {
        #expect(NextPath.home(of: try Faces.person(kind, roles).account) == path)
    }
}

@Suite struct QRCodeTests {
    @Test func `a code is one drawing with a title that is text, and a quiet zone of four modules`() throws {
        let drawn = try #require(QRCode.svg("https://clinic.example/pair", title: "a < b & c"))
        let svg = String(decoding: drawn.bytes, as: UTF8.self)
        #expect(svg.contains("<title>a &lt; b &amp; c</title>"))
        // Version 3 has 29 modules: 27 characters at level M.
        #expect(svg.contains("viewBox=\"0 0 37 37\"") && svg.contains("d=\"M4 4h1v1h-1z"))
        let places = svg.matches(of: /M(\d+) (\d+)h1/).flatMap { [Int($0.1) ?? 0, Int($0.2) ?? 0] }
        #expect(places.min() == 4 && places.max() == 32)
    }

    @Test func `what is too long for a code is none`() {
        #expect(QRCode.svg(String(repeating: "x", count: 5_000), title: "t") == nil)
    }
}

@Suite struct WaitingLineTests {
    private let now = Faces.now

    @Test func `a line is shown once, to its own session, and the last one wins`() throws {
        let messages = FlashMessages(ShortMemory())
        try messages.put(Flash(Message("a"), undo: nil, now: now), for: "one", now: now)
        try messages.put(Flash(Message("b", ["x": "1"]), undo: "/undo/x", now: now), for: "one", now: now)
        try #expect(messages.take(for: "two", now: now) == nil)
        let line = try messages.take(for: "one", now: now)
        #expect(line?.message == Message("b", ["x": "1"]) && line?.undo == "/undo/x")
        try #expect(messages.take(for: "one", now: now) == nil)
    }

    @Test func `codes are shown again for ten minutes, to the sign-in that made them`() throws {
        let codes = ShownOnceCodes(ShortMemory())
        try codes.put(["1"], for: "one", "pairing", now: now)
        try codes.put(["2"], for: "one", now: now)
        try #expect(codes.read("one", "pairing", now: now.adding(seconds: 599)) == ["1"])
        try #expect(codes.read("one", now: now) == ["2"] && codes.read("two", now: now) == nil)
        try #expect(codes.read("one", "pairing", now: now.adding(seconds: 600)) == nil)
    }

    private func interrupted(_ body: String, _ method: HTTP.Method = .post) throws -> InterruptedForm? {
        let request = try Faces.request(
            "/x", method, ["Content-Type": "application/x-www-form-urlencoded"], body: body)
        return InterruptedForm(request, action: "/x", account: "ada", now: now)
    }

    @Test func `of an interrupted form no password, no word of the form and no null is kept`() throws {
        let form = try #require(
            try interrupted("form_token=t&text=a%0Ab&text=c&new_password=p&password=q&bad=%00"))
        #expect(form.fields.map(\.name) == ["text", "text"] && form.fields.map(\.value) == ["a\nb", "c"])
        #expect(try interrupted("form_token=t&password=q&text=") == nil && interrupted("text=a", .get) == nil)
        #expect(try interrupted("") == nil)
        // What was shown goes along unseen (RP-201).
        let marked = try #require(try interrupted("shown.text=abc&text=a"))
        #expect(marked.fields.count == 2 && marked.values == ["a"])
        #expect(try interrupted("shown.text=abc&text=") == nil)
    }

    @Test func `an interrupted form comes back once, to its own account, within half an hour`() throws {
        let forms = InterruptedForms(ShortMemory())
        let form = try #require(try interrupted("text=a"))
        try forms.keep(form, for: "old", now: now)
        try forms.move(from: "old", to: "new", now: now)
        try #expect(forms.take("old", of: "ada", now: now) == nil)
        try #expect(forms.take("new", of: "ada", now: now)?.fields.first?.value == "a")
        try #expect(forms.take("new", of: "ada", now: now) == nil)
        try forms.keep(form, for: "c", now: now)
        try #expect(
            forms.take("c", of: "ben", now: now) == nil && forms.take("c", of: "ada", now: now) == nil)
        try forms.keep(form, for: "d", now: now)
        try #expect(forms.take("d", of: "ada", now: now.adding(seconds: 1800)) == nil)
    }

    @Test func `more than sixteen megabytes of interrupted forms are not kept`() throws {
        let forms = InterruptedForms(ShortMemory())
        let large = try #require(try interrupted("text=" + String(repeating: "a", count: 9 * 1024 * 1024)))
        try forms.keep(large, for: "one", now: now)
        try forms.keep(large, for: "two", now: now)
        try #expect(
            forms.take("one", of: "ada", now: now) != nil && forms.take("two", of: "ada", now: now) == nil)
    }
}

@Suite struct UndoTests {
    private let now = Faces.now

    private func token() -> UndoToken {
        UndoToken(id: "i", account: "ada", path: "/patients/t", shown: "/patients/t", revision: 7, until: now)
    }

    @Test func `a way back opens with the keys that sealed it, whole`() throws {
        let keys = try Keyring(master: .random())
        let text = try token().sealed(keys)
        let open = try #require(UndoToken(text, keys))
        #expect(
            open.account == "ada" && open.revision == 7 && open.until == now.milliseconds && open.next == nil)
        #expect(
            text.utf8.allSatisfy {
                "-_".utf8.contains($0) || Character(Unicode.Scalar($0)).isLetter
                    || Character(Unicode.Scalar($0)).isNumber
            })
        #expect(UndoToken(text, try Keyring(master: .random())) == nil)
        for wrong in [
            "", "x", String(text.dropLast()), text + "A", text.uppercased(),
            String(repeating: "A", count: 5_000),
        ] {
            #expect(UndoToken(wrong, keys) == nil, "\(wrong)")
        }
    }
}
