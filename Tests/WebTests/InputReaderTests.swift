import HTTP
import JSON
import Scheduling
import Testing
import Wire
import Wording

@testable import Records
@testable import Web

enum JSONTextSample {
    static let nested = JSON.object([
        JSON.Member("a", .string("x\0")), JSON.Member("n", .number(1)),
        JSON.Member("b", .array([.string("y"), .object([JSON.Member("c", .string("\0"))])])),
    ])
}

@Suite struct InputReaderTests {
    private func json(_ text: String) throws -> InputReader {
        InputReader(json: try JSON.parse(Array(text.utf8)))
    }

    /// What is wrong after something was read, as `field key`.
    private func wrong(_ fields: InputReader, _ read: (InputReader) -> Void) -> [String] {
        read(fields)
        do {
            try fields.finish()
            return []
        } catch { return error.errors.list.map { "\($0.field) \($0.message.key)" } }
    }

    @Test func `RP-213 overrides are taken out of names, and noted; other signs of a script stay`() {
        let fields = InputReader(form: [
            "name": "Ada \u{202E}rednil", "title": "می\u{200C}خواهم", "note": "a\u{202E}b",
        ])
        #expect(fields.text("name") == "Ada rednil" && fields.cleaned == ["name"])
        #expect(fields.text("title") == "می\u{200C}خواهم" && fields.cleaned == ["name"])
        #expect(fields.text("note", lines: true) == "a\u{202E}b" && fields.cleaned == ["name"])
    }

    @Test func `RP-213 an address is what can be seen of it`() {
        let fields = InputReader(form: [
            "a": "an\u{200B}na@example.org", "b": "\u{200B}", "c": "x@\u{2060}y.org",
        ])
        #expect(fields.email("a") == "anna@example.org" && fields.email("c") == "x@y.org")
        #expect(fields.cleaned == ["a", "c"])
        #expect(fields.email("b") == nil && fields.errors.list.map(\.field) == ["b"])
    }

    /// With TZ=UTC, as in most containers, the zone of the system is called GMT.
    @Test func `whatever a system calls its zone can be sent back`() {
        for (name, isZone) in [
            ("GMT", true), ("UTC", true), ("Europe/Vienna", true), ("EST", true), ("Mars/X", false),
        ] {
            let fields = InputReader(form: ["timezone": name])
            #expect((fields.timezone("timezone") == name) == isZone, "\(name)")
        }
    }

    @Test func `RP-29 every name of tzdata is taken, an unknown one is refused with the nearest`() throws {
        for name in ZoneData.current.names {
            let fields = InputReader(json: .object([.init("z", .string(name))]))
            if fields.timezone("z") != name { Issue.record("\(name)") }
            #expect(fields.deviceZone("z", or: "UTC") == DeviceZone(name: name))
        }
        let fields = InputReader(form: ["z": "Europe/Wiena"])
        #expect(fields.timezone("z") == nil)
        let message = try #require(fields.errors.list.first?.message)
        #expect(message.key == "errors.timezone" && message.values["nearest"] == "Europe/Vienna")
    }

    @Test(arguments: [
        ("Etc/Unknown", "Etc/Unknown"), ("+02:00", "+02:00"), ("", ""), ("A\u{0}\u{7}\u{9F}b", "Ab"),
        (String(repeating: "ä", count: 40), String(repeating: "ä", count: 30)),
        (String(repeating: "ä", count: 29) + "xyä", String(repeating: "ä", count: 29) + "xy"),
    ])
    func `RP-29 an unknown zone of a device takes nothing with it, and its name is kept`(
        sent: String, word: String
    ) {
        let fields = InputReader(json: .object([.init("z", .string(sent))]))
        #expect(fields.deviceZone("z", or: "Europe/Vienna") == DeviceZone(name: "Europe/Vienna", word: word))
        #expect(fields.errors.isEmpty)
    }

    @Test(
        arguments: [
            ("  a b ", "a b", []), ("u\u{308}", "\u{FC}", []), ("   ", nil, ["x errors.required"]),
            ("", nil, ["x errors.required"]),
            ("a\nb", nil, ["x errors.control_characters"]),
            ("a\u{85}b", nil, ["x errors.control_characters"]),
            ("12345678901", nil, ["x errors.too_long"]), ("1234567890", "1234567890", []),
        ] as [(String, String?, [String])])
    func `a text is composed, trimmed, and not too long`(_ sent: String, _ read: String?, _ errors: [String])
    {
        var text: String?
        #expect(
            wrong(InputReader(form: ["x": sent])) { text = $0.text("x", required: true, limit: 10) } == errors
        )
        #expect(text == read)
    }

    @Test(
        arguments: [
            ("a\u{0B}b", "a\nb"), ("a\u{0C}b", "a\nb"), ("a\u{2028}b\u{2029}c", "a\nb\nc"),
            ("a\u{85}b", "a\nb"),
            ("a\rb\r\nc\n\nd", "a\nb\nc\n\nd"), ("a\u{07}b\u{7F}\u{9D}c", "abc"), ("a\tb", "a\tb"),
            ("\u{0B}a\u{0B}", "a"), ("\u{07}", nil),
        ] as [(String, String?)])
    func `RP-224 line breaks of Word are line breaks, other control characters are left out`(
        _ sent: String, _ read: String?
    ) throws {
        #expect(InputReader(form: ["x": sent]).text("x", lines: true) == read)
        let body = JSON.object([.init("x", .string(sent))])
        #expect(InputReader(json: body).text("x", lines: true) == read)
        // A title has one line.
        if sent.hasPrefix("a\u{0B}") {
            #expect(
                wrong(InputReader(form: ["x": sent])) { _ = $0.text("x") } == ["x errors.control_characters"])
        }
    }

    @Test func `a text field keeps its lines`() {
        #expect(InputReader(form: ["x": "a\r\nb\tc\n"]).text("x", lines: true) == "a\nb\tc")
    }

    @Test(
        arguments: [
            (["n": "7,5"], 7.5, []), (["n": "10.000"], nil, ["n errors.which_number"]),
            (["n": "10.000", "n.meant": "10000"], 10_000, []), (["n": "10.000", "n.meant": "10"], 10, []),
            (["n": "20.000", "n.meant": "10"], nil, ["n errors.which_number"]),
            (["n": "7-8"], nil, ["n errors.number"]), (["n": "  "], nil, []),
        ] as [([String: String], Double?, [String])])
    func `RP-211 a number of a form is what was typed, and asked for where it may be two`(
        _ sent: [String: String], _ number: Double?, _ errors: [String]
    ) {
        var read: Double?
        #expect(
            wrong(InputReader(form: Form(sent.map { Form.Field($0, $1) }))) { read = $0.number("n") }
                == errors)
        #expect(read == number)
    }

    @Test func `RP-211 limits decide between two readings`() {
        #expect(InputReader(form: ["n": "1.500"]).whole("n", 1...2000, first: 0) == 1500)
        #expect(InputReader(form: ["n": "10,000"]).whole("n", 1...365, first: 0) == 10)
        #expect(
            wrong(InputReader(form: ["n": "1.000"])) { _ = $0.whole("n", 1...2000, first: 0) } == [
                "n errors.which_number"
            ])
    }

    @Test func `RP-211 a form in the shape of a call is asked, a call never is`() throws {
        let body = try JSON.parse(Array(#"{"n": "10.000", "o": [{"n": "10.000"}], "m": 10.000}"#.utf8))
        let read = { (fields: InputReader) in
            _ = fields.number("n")
            _ = fields.number("m")
            let inner = fields.inner(fields.value("o")?.array?.first ?? .null, "o.0.")
            _ = inner.number("n")
            fields.adopt(inner)
        }
        #expect(wrong(InputReader(json: body), read) == ["n errors.number", "o.0.n errors.number"])
        #expect(
            wrong(InputReader(json: body, hasTypedNumbers: true), read)
                == ["n errors.which_number", "o.0.n errors.which_number"])
    }

    @Test func `JSON takes no texts for numbers and no numbers for truths, a form takes both`() throws {
        let body = #"{"n": "1", "b": "true", "t": 1, "o": []}"#
        let errors = wrong(try json(body)) {
            _ = $0.number("n")
            _ = $0.bool("b")
            _ = $0.text("t")
            _ = $0.object("o")
        }
        #expect(errors == ["n errors.number", "b errors.yes_no", "t errors.text", "o errors.object"])
        let form = InputReader(form: ["n": "1", "b": "on"])
        #expect(form.number("n") == 1 && form.bool("b") == true)
    }

    @Test(
        arguments: [
            ([("b", ""), ("b", "true")], true, []), ([("b", "")], nil, []), ([], nil, []),
            ([("b", "false")], false, []),
            ([("b", "x")], nil, ["b errors.yes_no"]),
            ([("b", "true"), ("b", "true")], true, ["b errors.twice"]),
        ] as [([(String, String)], Bool?, [String])])
    func `a box is on, off or not on the page`(_ sent: [(String, String)], _ value: Bool?, _ errors: [String])
    {
        let form = Form(sent.map { Form.Field($0.0, $0.1) })
        var read: Bool?
        #expect(wrong(InputReader(form: form)) { read = $0.bool("b") } == errors)
        #expect(read == value)
    }

    @Test func `of two values of a field none is dropped in silence`() {
        let form = Form([Form.Field("x", "a"), Form.Field("x", "b")])
        #expect(wrong(InputReader(form: form)) { _ = $0.text("x") } == ["x errors.twice"])
    }

    @Test func `in JSON nobody sends what nobody asks for, in a form buttons may`() throws {
        let long = String(repeating: "n", count: 100)
        #expect(
            wrong(try json(#"{"a": 1, "\#(long)": null}"#)) { _ = $0.number("a") } == [
                "\(long.prefix(60)) errors.unknown_field"
            ])
        #expect(wrong(InputReader(form: ["a": "1", "send": ""])) { _ = $0.number("a") }.isEmpty)
        let many = "{" + (0..<300).map { "\"f\($0)\": 1" }.joined(separator: ",") + "}"
        #expect(wrong(try json(many)) { _ in }.count == 100)
    }

    @Test func `errors of an inner object carry its name, unknown ones too`() throws {
        let errors = wrong(try json(#"{"a": {"b": {"x": 1, "c": ""}}}"#)) {
            let a = $0.object("a")
            let b = a?.object("b")
            _ = b?.choice("c", from: ["d"])
            a?.adopt(b)
            $0.adopt(a)
        }
        #expect(errors == ["a.b.c errors.choice", "a.b.x errors.unknown_field"])
    }

    @Test(
        arguments: [
            ("a@b.at", true), ("a+b@sub.example.org", true), ("ä@bücher.example", true), ("a@b", false),
            ("@b.at", false), ("a@", false),
            ("a@b@c.at", false), ("a b@c.at", false), ("a@-b.at", false), ("a@b-.at", false),
            ("a@b..at", false), ("<a@b.at>", false),
            ("a@b.at,c@d.at", false), (String(repeating: "a", count: 65) + "@b.at", false),
        ])
    func `an address is one that a mail could reach`(_ text: String, _ isOne: Bool) {
        #expect((InputReader(form: ["e": text]).email("e") != nil) == isOne)
    }

    @Test func `dates, times, ids and choices are refused as what they are`() throws {
        let body = #"{"d": "2026-02-29", "t": "2026-01-01T10:00", "i": "x", "c": " ", "z": "", "n": null}"#
        let errors = wrong(try json(body)) {
            _ = $0.date("d")
            _ = $0.time("t")
            let _: ID<String>? = $0.id("i")
            _ = $0.choice("c", from: ["a"])
            _ = $0.timezone("z")
            _ = $0.date("n")
        }
        #expect(
            errors == [
                "d errors.date", "t errors.time", "i errors.id", "c errors.choice", "z errors.timezone",
            ])
    }

    @Test(arguments: [
        ("07:30", true), ("7:30", false), ("24:00", false), ("23:59", true), ("07:60", false), ("", true),
    ])
    func `a time of day has four digits`(_ text: String, _ isGood: Bool) {
        #expect(wrong(InputReader(form: ["c": text])) { _ = $0.clock("c") }.isEmpty == isGood)
    }

    @Test(
        arguments: [(nil, 3), ("1", 1), ("5", 5), ("6", nil), ("0", nil), ("1.5", nil)] as [(String?, Int?)])
    func `a whole number lies in its range, and is the first one where nothing was sent`(
        _ sent: String?, _ value: Int?
    ) {
        let form: Form = sent.map { ["w": $0] } ?? [:]
        #expect(InputReader(form: form).whole("w", 1...5, first: 3) == value)
    }

    @Test(
        arguments: [
            ("2026-11-20T10:00", "2026-11-20T09:00:00Z"), ("2026-11-20T10:00:30", "2026-11-20T09:00:00Z"),
            ("2026-11-20T10:00:00+02:00", "2026-11-20T08:00:00Z"),
            ("2026-03-29T02:30", "2026-03-29T01:00:00Z"),
            ("2026-11-20", nil), ("2026-11-20T24:00", nil), ("2026-11-20Tx:00", nil),
        ] as [(String, String?)])
    func `a moment is of a zone, and the hour that does not exist moves on`(
        _ text: String, _ instant: String?
    ) {
        // An offset says nothing about a time that comes once.
        for form: Form in [["m": text], ["m": text, "m.meant": "+02:00"]] {
            #expect(InputReader(form: form).moment("m", Zone("Europe/Vienna"))?.text == instant)
        }
    }

    @Test(
        arguments: [
            (nil, nil), ("", nil), ("+03:00", nil), ("+02:00", "2026-10-25T00:30:00Z"),
            ("+01:00", "2026-10-25T01:30:00Z"),
        ] as [(String?, String?)])
    func `a time that comes twice is asked about, and the form carries its offset`(
        _ offset: String?, _ instant: String?
    ) {
        var form: Form = ["m": "2026-10-25T02:30"]
        if let offset { form = Form(form.fields + [Form.Field("m.meant", offset)]) }
        let reader = InputReader(form: form)
        #expect(reader.moment("m", Zone("Europe/Vienna"))?.text == instant)
        let asks = Message("errors.which_time", ["time": "02:30"])
        #expect(reader.errors.list.map(\.message) == (instant == nil ? [asks] : []))
    }

    @Test func `a password stays as it was typed`() {
        #expect(InputReader(form: ["p": " a\tb "]).secret("p") == " a\tb ")
        let long = String(repeating: "x", count: 4097)
        #expect(wrong(InputReader(form: ["p": long])) { _ = $0.secret("p") } == ["p errors.too_long"])
        #expect(wrong(InputReader(form: ["p": ""])) { _ = $0.secret("p") } == ["p errors.required"])
    }

    @Test func `a text in languages comes as an object or as fields, and an empty field takes it back`()
        throws
    {
        let call = try json(#"{"t": {"de": "Tag", "it": "Giorno", "en": ""}}"#)
        let text = call.localized("t", limit: 10, lines: false)
        #expect(text?["de"] == "Tag" && text?["it"] == "Giorno" && text?["en"] == nil)
        let form = InputReader(form: ["t_de": "", "t_en": "Day", "t_fr": "Jour", "t_x1": "no"])
        let over: LocalizedText = ["de": "Tag", "fr": "alt", "it": "Giorno"]
        let read = form.localizedFields("t", limit: 10, lines: false, over: over)
        #expect(["de", "en", "fr", "it", "x1"].map { read[$0] } == [nil, "Day", "Jour", "Giorno", nil])
    }

    @Test func `a required language is missed, an unknown code refused`() throws {
        let errors = wrong(try json(#"{"t": {"en": "Day", "english": "Day"}}"#)) {
            _ = $0.localized("t", limit: 10, lines: false, required: [.german])
        }
        #expect(errors == ["t.de errors.required", "t.english errors.unknown_field"])
    }
}

/// What was typed, when a form comes back.
@Suite struct FormStateTests {
    private let texts: Texts

    init() throws {
        let file = #filePath
        let root = String(file.prefix(file.count - "/Tests/WebTests/InputReaderTests.swift".count))
        texts = try Texts(.english, folder: root + "/templates/texts")
    }

    @Test func `a field shows what was typed, else what it began with`() {
        let state = FormState(["a": "typed", "empty": ""], FieldErrors("a", "errors.required"), texts)
        let field = state.field("a", label: "forms.yes", first: "first")
        #expect(field.value == "typed" && field.error == texts["errors.required"] && field.stored == nil)
        #expect(state.field("b", label: "forms.yes", first: "first").value == "first")
        #expect(state.field("empty", label: "forms.yes", first: "first").value == "")
    }

    @Test func `a password is never shown again, and a box takes the last of its values`() {
        let state = FormState(
            Form([.init("box", ""), .init("box", "true"), .init("p", "secret")]), FieldErrors(), texts)
        #expect(state.field("p", .password, label: "forms.yes").value == "")
        #expect(state.box("box", label: "forms.yes", isOn: false).value == "true")
        let list = state.list("l", label: "forms.yes", first: "b", [("a", "A"), ("b", "B")])
        #expect(list.choices.map(\.isChosen) == [false, true])
    }

    @Test func `the summary names the fields and leads to where they stand`() {
        var errors = FieldErrors("a", "errors.required")
        errors.add("c", "errors.date")
        let state = FormState(Form(), errors, texts)
        #expect(FormState(texts).summary == nil)
        state.name("a", "Day", at: "anchor")
        #expect(state.summary?.lines.map(\.field) == ["anchor", "c"])
        #expect(
            state.summary?.lines.map(\.text) == ["Day: \(texts["errors.required"])", texts["errors.date"]])
    }

    @Test func `where another has changed it meanwhile both are shown, of what differs`() {
        let state = FormState(
            ["a": "mine", "b": "same", "revision": "3"], FieldErrors(), texts, isStale: true,
            stored: ["a": "theirs", "b": "same"])
        #expect(state.field("a", label: "forms.yes").stored?.value == "theirs")
        #expect(state.field("b", label: "forms.yes").stored == nil)
        // A form that says what it showed has both of what both have changed alone.
        let said = FormState(
            ["a": "mine", "b": "mine"], FieldErrors(), texts, isStale: true, contested: ["b"])
        #expect(said.field("a", label: "forms.yes", first: "theirs").stored == nil)
        #expect(said.field("b", label: "forms.yes", first: "theirs").stored?.value == "theirs")
        #expect(state.revision(4) == "4")
        let fresh = FormState(["revision": "3"], FieldErrors(), texts)
        #expect(fresh.revision(4) == "3" && FormState(texts).revision(nil) == nil)
    }
}

@Suite struct ConfirmationTests {
    @Test func `a page that asks says what follows, where the answer goes, and of which state`() throws {
        let confirmation = Confirmation(
            title: "Reaktion löschen?", lead: "Die Reaktion ist eingeschaltet.",
            points: ["Sie löst nicht mehr aus."], crumbs: [], action: "/rules/x/removal",
            submit: "Reaktion löschen", back: "/rules/x", revision: "7")
        let json = try JSON.parse(JSONWriter.bytes(of: confirmation))
        #expect(
            json["points"] == .array([.string("Sie löst nicht mehr aus.")]) && json["revision"]?.string == "7"
        )
        #expect(json["action"]?.string == "/rules/x/removal" && json["back"]?.string == "/rules/x")
        #expect(Confirmation.field == "confirmed")
    }
}
