import Database
import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import Instruments
@testable import PortalTesting
@testable import Questionnaires
@testable import Records
@testable import Web

/// The editor with pressed buttons, without a browser.
@Suite struct EditorTests {
    let portal: TestPortal

    init() throws { portal = try TestPortal() }

    /// Every field of a page's form as a browser would send it, with changed input.
    static func fields(_ html: String, _ typed: [String: String] = [:], without: Set<String> = []) -> [(
        String, String
    )] {
        var fields: [(String, String)] = []
        let form =
            html.firstMatch(of: /(?s)<form class="editor".*?<\/form>/).map { String($0.output) } ?? html
        let pattern =
            /(?s)<input ([^>]*)>|<textarea ([^>]*)>(.*?)<\/textarea>|<select ([^>]*)>(.*?)<\/select>/
        for match in form.matches(of: pattern) {
            let attributes = String(match.1 ?? match.2 ?? match.4 ?? "")
            guard let name = attributes.firstMatch(of: /name="([^"]*)"/).map({ String($0.1) }),
                name != "form_token"
            else { continue }
            var value = attributes.firstMatch(of: /value="([^"]*)"/).map { String($0.1) } ?? ""
            if let text = match.3 { value = String(text) }
            if let options = match.5 {
                value = options.firstMatch(of: /<option value="([^"]*)" selected/).map { String($0.1) } ?? ""
            }
            let isBox = attributes.contains("type=\"checkbox\"")
            if isBox && !attributes.contains(" checked") && typed[name] == nil { continue }
            let isHidden = attributes.contains("type=\"hidden\"")
            let plain = value.replacing("&quot;", with: "\"").replacing("&lt;", with: "<").replacing(
                "&gt;", with: ">"
            )
            .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
            if without.contains(name) && isBox { continue }
            fields.append((name, isHidden ? plain : typed[name] ?? plain))
        }
        return fields
    }

    @Test func `PR-11 a question is marked in the editor, by threshold or by values, and cleared again`()
        throws
    {
        let path = try begin()
        press("add:sections", on: path)
        let section = path + "/sections/1"
        press("add:sections.0.questions", on: section, ["sections.0.questions.0.text.de": "eins"])
        let q = "sections.0.questions.0"
        let mark = { () throws -> JSON? in
            try document(path)["sections"]?.array?[0]["questions"]?.array?[0]["must_be_seen"]
        }
        press("save", on: section, ["\(q).must_be_seen.at_least": "2"])
        #expect(try mark()?["at_least"]?.number == 2)
        press("save", on: section, ["\(q).must_be_seen.at_least": "", "\(q).must_be_seen.any_of": "1, 3"])
        #expect(try mark()?["any_of"]?.array?.compactMap(\.number) == [1, 3] && mark()?["at_least"] == nil)
        #expect(portal.get(section, as: .ada).text.contains("value=\"1, 3\""))
        press("save", on: section, ["\(q).must_be_seen.any_of": "viel"])
        #expect(portal.get(section, as: .ada).text.contains("value=\"viel\""))
        press("save", on: section, ["\(q).must_be_seen.any_of": ""])
        #expect(try mark() == nil)
    }

    @Test func `impression 7 a section's layout is chosen in the editor`() throws {
        let path = try begin()
        press("add:sections", on: path)
        let section = path + "/sections/1"
        press("add:sections.0.questions", on: section, ["sections.0.questions.0.text.de": "eins"])
        let q = "sections.0.questions.0"
        press("save", on: section, ["\(q).type": "yes_no"])
        let layout = { () throws -> JSON? in try document(path)["sections"]?.array?[0]["layout"] }
        let words = [
            "one": "Eine Frage je Bildschirm", "scale": "Antworten als Skala nebeneinander",
            "grid": "Tabelle: Fragen als Zeilen", "list": "Alle Fragen untereinander",
        ]
        for (value, label) in words {
            press("save", on: section, ["sections.0.layout": value])
            #expect(try layout()?.string == value)
            #expect(
                portal.get(section, as: .ada).text.contains("<option value=\"\(value)\" selected>\(label)"))
        }
        // None chosen: what suits the answers, once it is published.
        press("save", on: section, ["sections.0.layout": ""])
        #expect(try layout() == nil)
    }

    @discardableResult
    func press(
        _ action: String, on path: String, _ typed: [String: String] = [:], more: [(String, String)] = [],
        without: Set<String> = [], as person: Person = .ada
    ) -> Response {
        let page = portal.get(path, as: person).text
        return portal.post(
            path, Self.fields(page, typed, without: without) + more + [("action", action)], as: person)
    }

    func begin(_ key: String = "schlaf") throws -> String {
        let made = portal.post(
            "/questionnaires/new", [("key", key), ("title_de", "Schlaf"), ("title_en", "Sleep")], as: .ada)
        #expect(made.status == 303)
        return try #require(made.headers["Location"])
    }

    func document(_ path: String) throws -> JSON {
        let id = String(path.split(separator: "/").last ?? "")
        let draft = try portal.services.records.read { connection in try EditorStore.find(ID(id), connection)
        }
        return try #require(draft).document.json
    }

    @Test func `IO-8 a questionnaire is written, published and never changes again`() throws {
        let path = try begin()
        let section = path + "/sections/1"
        let q = "sections.0.questions.0"
        press(
            "add:sections.0.questions.0.options", on: section,
            ["\(q).text.de": "Wie oft?", "\(q).text.en": "How often?"])
        press(
            "add:sections.0.questions.0.options", on: section,
            ["\(q).options.0.text.de": "nie", "\(q).options.0.text.en": "never"])
        press(
            "save", on: section,
            ["\(q).options.1.text.de": "oft", "\(q).options.1.text.en": "often", "\(q).key": "often"])
        press("add:sections", on: path)
        let second = path + "/sections/2"
        press("condition:sections.1.visible_if", on: second)
        press(
            "add:sections.1.questions", on: second,
            ["sections.1.visible_if.question": "often", "sections.1.visible_if.value": "1"])
        let r = "sections.1.questions.0"
        press(
            "save", on: second,
            [
                "\(r).type": "slider", "\(r).text.de": "Wie schlimm?", "\(r).text.en": "How bad?",
                "\(r).key": "bad",
            ])
        press("add:scales", on: path)
        press(
            "save", on: path + "/scales/1",
            [
                "scales.0.title.de": "Schlechter Schlaf", "scales.0.title.en": "Bad sleep",
                "scales.0.key": "bad",
            ],
            more: [("items", "bad")])
        let published = press("publish", on: path)
        #expect(
            published.status == 303,
            "\(published.text.matches(of: /<a href="[^"]*check[^<]*</).map(\.output))")
        let page = portal.get(path, as: .lena).text
        #expect(
            page.contains("Wie schlimm?") && page.contains("often = 1") && page.contains("Schlechter Schlaf"))
        #expect(portal.post(path, [("action", "save")], as: .ada).status == 404)
        #expect(portal.get(path + "/sections/1", as: .ada).status == 404)
        let pia = portal.cast.therapies[.pia] ?? ""
        let assigned = portal.call(
            .post, "/patients/\(pia)/assignments", #"{"questionnaire_key": "schlaf"}"#, as: .ada)
        #expect(assigned.status == 201)
        let sheet = """
            {"assignment_id": "\(assigned.id)", "started_at": "2026-11-20T09:00:00Z", "completed_at": "2026-11-20T09:00:00Z",
             "timezone": "Europe/Vienna", "answers": {"often": 1, "bad": 70}}
            """
        let sent = portal.call(.put, SheetSample.path, sheet, as: .pia)
        #expect(sent.attributes["scores"]?["bad"] == .number(70), "\(sent.text)")
    }

    @Test func `editing a version makes the next draft, one for everybody, and the first stays as it is`()
        throws
    {
        let first = "/questionnaires/\(portal.cast.questionnaire)"
        let before = portal.call(.get, "\(first)/export", as: .ada).text
        let draft = try #require(portal.post(first + "/draft", as: .ada).headers["Location"])
        #expect(portal.post(first + "/draft", as: .lena).headers["Location"] == draft)
        press("publish", on: draft, ["title.de": "Anders"], as: .lena)
        #expect(portal.call(.get, "\(first)/export", as: .ada).text == before)
        let next = portal.call(.get, "\(draft)/export", as: .ada)
        #expect(next.json["version"] == .number(2) && next.json["title"]?["de"] == .string("Anders"))
        // What is assigned keeps its version; what is assigned from now on gets the next.
        #expect(
            portal.call(.get, "/my/assignments", as: .pia).list.first?["attributes"]?["version"] == .number(1)
        )
        let pia = portal.cast.therapies[.pia] ?? ""
        let made = portal.call(
            .post, "/patients/\(pia)/assignments", #"{"questionnaire_key": "between-sessions"}"#, as: .ada)
        #expect(made.attributes["version"] == .number(2))
        #expect(throws: (any Error).self) {
            try portal.services.records.writeUnaudited(.madeUp) { connection in
                try connection.run("UPDATE questionnaires SET definition = '{}'")
            }
        }
    }

    @Test func `adding, moving, copying and removing lose nothing that was typed`() throws {
        let path = try begin()
        let section = path + "/sections/1"
        press("add:sections.0.questions", on: section, ["sections.0.questions.0.text.de": "eins"])
        press("copy:sections.0.questions.0", on: section, ["sections.0.questions.1.text.de": "zwei"])
        let typed = ["sections.0.questions.2.text.de": "drei", "sections.0.text.de": "oben"]
        press("up:sections.0.questions.2", on: section, typed)
        let texts = { (json: JSON) in
            (json.at(DocumentPath("sections.0.questions"))?.array ?? []).map {
                $0["text"]?["de"]?.string ?? ""
            }
        }
        #expect(try texts(document(path)) == ["eins", "drei", "eins"])
        press("remove:sections.0.questions.0", on: section, ["sections.0.questions.1.text.de": "vier"])
        #expect(try texts(document(path)) == ["vier", "eins"])
        let keys = try document(path).at(DocumentPath("sections.0.questions"))?.array?.compactMap {
            $0["key"]?.string
        }
        #expect(Set(keys ?? []).count == 2)
        #expect(try document(path)["sections"]?.array?[0]["text"]?["de"] == .string("oben"))
        press("copy:sections.0", on: path, ["intro.de": "Bitte"])
        let copied = try document(path)
        #expect(copied["sections"]?.array?.count == 2 && copied["intro"]?["de"] == .string("Bitte"))
        let all = DraftDocument(copied).questions.compactMap { $0.json["key"]?.string }
        #expect(Set(all).count == 4)
    }

    @Test func `conditions and scales follow a question that gets another key`() throws {
        let path = try begin()
        press("add:sections", on: path)
        press("condition:sections.1.visible_if", on: path + "/sections/2")
        press(
            "save", on: path + "/sections/2",
            ["sections.1.visible_if.question": "q1", "sections.1.visible_if.value": "1"])
        press("add:scales", on: path)
        press("save", on: path + "/scales/1", more: [("items", "q1"), ("reversed", "q1")])
        press("save", on: path + "/sections/1", ["sections.0.questions.0.key": "mood"])
        let json = try document(path)
        #expect(json.at(DocumentPath("sections.1.visible_if.question")) == .string("mood"))
        #expect(json.at(DocumentPath("scales.0.items")) == .array([.string("mood")]))
        #expect(json.at(DocumentPath("scales.0.reversed")) == .array([.string("mood")]))
    }

    @Test func `conditions of every form are built and taken apart`() throws {
        let path = try begin()
        press("add:sections", on: path)
        let page = path + "/sections/2"
        let c = "sections.1.visible_if"
        press("condition:\(c)", on: page)
        press("apply", on: page, ["\(c).question": "q1", "\(c).value": "1,5", "\(c).kind": "all"])
        press("condition-add:\(c)", on: page)
        press(
            "apply", on: page,
            ["\(c).parts.1.kind": "any_of", "\(c).parts.1.question": "q1", "\(c).parts.1.value": "1; 2,5"])
        press("condition-add:\(c)", on: page)
        press(
            "apply", on: page,
            ["\(c).parts.2.kind": "not", "\(c).parts.2.question": "q1", "\(c).parts.2.value": "3"])
        let one = #"{"question":"q1","equals":1.5}"#
        let two = #"{"question":"q1","any_of":[1,2.5]}"#
        let three = #"{"not":{"question":"q1","equals":3}}"#
        let bytes = try JSONWriter.bytes(of: try #require(try document(path).at(DocumentPath(c))))
        #expect(String(decoding: bytes, as: UTF8.self) == "{\"all\":[\(one),\(two),\(three)]}")
        press("condition-remove:\(c).parts.1", on: page)
        press("condition-remove:\(c).parts.1", on: page)
        press("condition-remove:\(c).parts.0", on: page)
        #expect(try document(path).at(DocumentPath(c)) == nil)
    }

    @Test func `what is wrong is marked at its field, and publishing says where`() throws {
        let path = try begin()
        let section = path + "/sections/1"
        let q = "sections.0.questions.0"
        press("save", on: section, ["\(q).type": "slider", "\(q).text.de": "?", "\(q).key": "ü"])
        press("save", on: section, ["\(q).minimum": "viel", "\(q).maximum": "5"])
        let page = portal.get(section, as: .ada).text
        #expect(page.contains("id=\"\(q).minimum-error\"") && page.contains("id=\"\(q).key-error\""))
        #expect(page.contains("value=\"viel\""))
        let refused = press("publish", on: path)
        #expect(refused.status == 422)
        #expect(refused.text.contains("\(section)?check=1#\(q).minimum"))
        #expect(refused.text.contains("sections[0].questions[0].minimum"))
        let checked = portal.get(section + "?check=1", as: .ada).text
        #expect(checked.contains("<a href=\"#\(q).minimum\">") && checked.contains("<title>Fehler: "))
    }

    static let faults: [(String, String, String)] = [
        // Forward, to itself, to nothing, in a circle.
        (
            #""visible_if": {"question": "b", "equals": 1}"#, "sections[1].visible_if.question",
            "sections.1.visible_if.question"
        ),
        (
            #""visible_if": {"question": "zzz", "equals": 1}"#, "sections[1].visible_if.question",
            "sections.1.visible_if.question"
        ),
        (
            #""visible_if": {"all": [{"question": "c", "equals": 1}]}"#,
            "sections[1].visible_if.all[0].question", "sections.1.visible_if.parts.0.question"
        ),
        (
            #""visible_if": {"not": {"question": "a", "equals": 9}}"#, "sections[1].visible_if.not.equals",
            "sections.1.visible_if.parts.0.value"
        ),
    ]

    @Test(arguments: faults) func `a condition that leads nowhere is marked where it was typed`(
        condition: String, place: String, field: String
    ) throws {
        let options = #""options": [{"value": 1, "text": {"de": "x"}}]"#
        let text = """
            {"format": "intersession-questionnaire/1", "key": "k", "title": {"de": "T"}, "sections": [
             {"key": "s1", "questions": [{"key": "a", "type": "single", "text": {"de": "?"}, \(options)}]},
             {"key": "s2", \(condition), "questions": [{"key": "b", "type": "single", "text": {"de": "?"}, \(options)}]},
             {"key": "s3", "visible_if": {"question": "b", "equals": 1}, "questions": [{"key": "c", "type": "single", "text": {"de": "?"}, \(options)}]}]}
            """
        let document = DraftDocument(try JSON.parse(Array(text.utf8)))
        let fault = try #require(document.faults.first)
        #expect(fault.place == place)
        #expect(ConditionDraft.field(DocumentPath(place: fault.place)).text == field)
    }

    @Test func `two people at one draft: the second is told, and loses nothing`() throws {
        let path = try begin()
        let page = portal.get(path, as: .lena).text
        press("save", on: path, ["title.de": "Adas Titel"])
        let late = portal.post(
            path, Self.fields(page, ["intro.de": "Lenas Worte"]) + [("action", "save")], as: .lena)
        #expect(late.status == 409 && late.text.contains("Lenas Worte"))
        #expect(try document(path)["title"]?["de"] == .string("Adas Titel"))
        let again = portal.post(path, Self.fields(late.text) + [("action", "save")], as: .lena)
        #expect(again.status == 303)
        #expect(try document(path)["intro"]?["de"] == .string("Lenas Worte"))
    }

    @Test func `the form reaches nothing but its own page`() throws {
        let path = try begin()
        press(
            "save", on: path,
            more: [
                ("sections.0.questions.0.text.de", "von der Übersicht"), ("format", "x"), ("version", "9"),
            ])
        press(
            "save", on: path + "/sections/1",
            more: [("title.de", "von unten"), ("sections.7.text.de", "x"), ("sections.0.secret", "x")])
        let json = try document(path)
        #expect(
            json["title"]?["de"] == .string("Schlaf") && json["format"] == .string(QuestionnaireFile.format))
        #expect(json["version"] == nil && json["sections"]?.array?.count == 1)
        #expect(json.at(DocumentPath("sections.0.questions.0.text.de")) == nil)
        #expect(json.at(DocumentPath("sections.0.secret")) == nil)
    }

    @Test func `HTML, right-to-left and emoji are text like any other`() throws {
        let path = try begin()
        let words = #"<b onclick="x">‏مرحبا 😴</b>"#
        press("save", on: path + "/sections/1", ["sections.0.questions.0.text.de": words])
        #expect(try document(path).at(DocumentPath("sections.0.questions.0.text.de")) == .string(words))
        let page = portal.get(path + "/sections/1", as: .ada).text
        #expect(!page.contains("<b onclick") && page.contains("&lt;b onclick=") && page.contains("😴"))
    }

    @Test func `a choice that became a slider and a choice again has its options back`() throws {
        let path = try begin()
        let section = path + "/sections/1"
        let q = "sections.0.questions.0"
        press("add:\(q).options", on: section)
        press("save", on: section, ["\(q).options.0.text.de": "nie", "\(q).text.de": "?"])
        press("save", on: section, ["\(q).type": "slider"])
        #expect(DraftDocument(try document(path)).faults.isEmpty)
        press("save", on: section, ["\(q).type": "single"])
        #expect(portal.get(section, as: .ada).text.contains("value=\"nie\""))
    }

    @Test func `a key that is taken, or none, is refused before anything is written`() throws {
        for (key, title) in [("between-sessions", "x"), ("mit leer", "x"), ("neu", "")] {
            let answer = portal.post("/questionnaires/new", [("key", key), ("title_de", title)], as: .ada)
            #expect(answer.status == 422, "\(key)")
        }
        #expect(try portal.count("questionnaire_drafts") == 0)
    }

    @Test func `a draft is discarded only by its key, and then it is gone`() throws {
        let path = try begin()
        #expect(portal.post(path + "/removal", [("key", "anders")], as: .ada).status == 422)
        #expect(portal.post(path + "/removal", [("key", "schlaf")], as: .ada).status == 303)
        #expect(portal.get(path, as: .ada).status == 404)
    }

    @Test func `a questionnaire out of use is not assigned any more, but what is assigned is answered`()
        throws
    {
        let path = "/questionnaires/\(portal.cast.questionnaire)"
        #expect(portal.post(path + "/retirement", [("confirmed", "true")], as: .lena).status == 303)
        let pia = portal.cast.therapies[.pia] ?? ""
        let assign = {
            portal.call(
                .post, "/patients/\(pia)/assignments", #"{"questionnaire_key": "between-sessions"}"#, as: .ada
            )
        }
        #expect(assign().wrongFields == ["questionnaire_key"])
        let list = portal.call(.get, "/my/assignments", as: .pia).list
        try #require(list.count == 1)
        let sheet = SheetSample.sheetBody(assignment: list[0]["id"]?.string ?? "")
        let answer = portal.call(.put, SheetSample.path, sheet, as: .pia)
        #expect(answer.status == 201)
        #expect(portal.post(path + "/reinstatement", as: .lena).status == 303)
        #expect(assign().status == 201)
    }

    @Test func `the preview shows and hides, scores, and stores nothing`() throws {
        let daily = try portal.publish("intersession-daily")
        let path = "/questionnaires/\(daily)/preview"
        let page = portal.get(path, as: .ada).text
        #expect(page.matches(of: /class="phone__part" hidden/).count == 1)
        #expect(portal.get(path + "?text=en", as: .ada).text.contains("How did you feel about it?"))
        let yes = portal.post(path, [("answers.thought", "1"), ("action", "refresh")], as: .ada).text
        #expect(yes.matches(of: /class="phone__part" hidden/).isEmpty)
        let half = portal.post(path, [("answers.thought", "1"), ("action", "try")], as: .ada)
        #expect(half.status == 422 && half.text.contains("href=\"#answers.feeling\""))
        // What was chosen before its section was hidden again does not count.
        let no = portal.post(
            path, [("answers.thought", "0"), ("answers.feeling", "4"), ("action", "try")], as: .ada)
        #expect(no.status == 200 && no.text.contains("Gedanke an die Therapie"))
        #expect(try portal.count("contributions") == 1)
        #expect(try portal.audit().last == "questionnaire.imported")
    }

    @Test func `a copyrighted instrument asks once whether its owner permits it`() throws {
        let path = "/questionnaires/\(portal.cast.questionnaire)/instrument"
        let card = [
            ("licence", "permission"), ("source", "Manual 2003"), ("confirmed", ""),
            ("cutoff_source", "ebenda"),
        ]
        #expect(portal.post(path, card, as: .lena).status == 303)
        let pia = portal.cast.therapies[.pia] ?? ""
        let call = "/patients/\(pia)/assignments"
        let body = #"{"questionnaire_key": "between-sessions"}"#
        #expect(portal.call(.post, call, body, as: .ada).wrongFields == ["permission_confirmed"])
        let form = [("questionnaire_key", "between-sessions"), ("again", "between-sessions 1")]
        let page = portal.post("/patients/\(pia)/assignments/new", form, as: .ada)
        #expect(page.status == 422 && page.text.contains("name=\"permission_confirmed\""))
        let confirmed = form + [("permission_confirmed", ""), ("permission_confirmed", "true")]
        #expect(portal.post("/patients/\(pia)/assignments/new", confirmed, as: .ada).status == 303)
        #expect(portal.call(.post, call, body, as: .ada).status == 201)
        #expect(
            portal.get("/questionnaires/\(portal.cast.questionnaire)", as: .ada).text.contains(
                "bestätigt am 20.11.2026"))
        #expect(try portal.audit().contains("instrument.confirmed"))
    }

    @Test func `a key mistyped for a moment leads no reference astray`() throws {
        let path = try begin()
        let section = path + "/sections/1"
        press("add:sections.0.questions", on: section)
        press("add:scales", on: path)
        press("save", on: path + "/scales/1", more: [("items", "q2")])
        press("save", on: section, ["sections.0.questions.1.key": "q1"])
        press("save", on: section, ["sections.0.questions.1.key": "q2"])
        #expect(try document(path).at(DocumentPath("scales.0.items")) == .array([.string("q2")]))
    }

    @Test func `names that are no places change nothing, however deep`() throws {
        let path = try begin()
        let before = try document(path)
        let deep = "title." + Array(repeating: "a", count: 3_000).joined(separator: ".") + ".de"
        press("save", on: path, more: [(deep, "x"), ("title.FR", "x"), ("sections.0.de", "x")])
        press("condition:title.a.visible_if", on: path)
        press("add:sections.0.visible_if", on: path + "/sections/1")
        press("remove:title", on: path)
        #expect(try document(path) == before)
        #expect(portal.get("/questionnaires", as: .ben).status == 200)
    }

    @Test func `the draft of one questionnaire never becomes another`() throws {
        let other = try portal.publish("wellbeing-5")
        let draft = try #require(portal.post("/questionnaires/\(other)/draft", as: .ada).headers["Location"])
        let page = portal.get(draft, as: .ada).text
        let fields =
            Self.fields(page).filter { $0.0 != "key" } + [("key", "between-sessions"), ("action", "publish")]
        #expect(portal.post(draft, fields, as: .ada).status == 303)
        let published = portal.call(.get, "\(draft)/export", as: .ada).json
        #expect(published["key"] == .string("wellbeing-5") && published["version"] == .number(2))
    }

    @Test func `a draft cannot grow without end`() throws {
        let path = try begin()
        let large = String(repeating: "x", count: 200_000)
        press("save", on: path + "/sections/1", ["sections.0.questions.0.text.de": large])
        var statuses: Set<Int> = []
        for _ in 0..<6 {
            statuses.insert(press("copy:sections.0.questions.0", on: path + "/sections/1").status)
        }
        #expect(statuses == [303, 413])
    }

    @Test func `the last step can be taken back`() throws {
        let path = try begin()
        press("add:sections", on: path)
        press("remove:sections.0", on: path)
        #expect(DraftDocument(try document(path)).questions.isEmpty)
        press("undo", on: path)
        #expect(DraftDocument(try document(path)).questions.count == 1)
    }

    static let unbearable: [(String, String)] = [
        (
            #""questions": [{"key": "a", "type": "sam", "aspect": "valence", "minimum": 1, "maximum": 3000000, "text": {"de": "?"}}]"#,
            "sections[0].questions[0].maximum"
        ),
        (
            #""questions": [{"key": "a", "type": "sam", "aspect": "valence", "minimum": 1, "maximum": 8.5, "text": {"de": "?"}}]"#,
            "sections[0].questions[0].maximum"
        ),
        (
            #""questions": [\#(Array(repeating: "{}", count: 201).joined(separator: ","))]"#,
            "sections[0].questions"
        ),
        (
            #""options": [\#(Array(repeating: "{}", count: 251).joined(separator: ","))]"#,
            "sections[0].options"
        ),
    ]

    @Test(arguments: unbearable) func `a file that no page could show is refused`(part: String, place: String)
    {
        let text =
            #"{"format": "intersession-questionnaire/1", "key": "k", "title": {"de": "T"}, "sections": [{"key": "s", \#(part)}]}"#
        #expect(portal.call(.post, "/questionnaires", text, as: .ada).wrongFields.contains(place))
    }

    @Test
    func `PR-15 a questionnaire in use asks first and says where, one that is not goes with a way back`()
        throws
    {
        let used = portal.cast.questionnaire
        let pia = portal.cast.therapies[.pia] ?? ""
        _ = portal.call(
            .post, "/batteries",
            #"{"name": "Vor jeder Sitzung", "questionnaire_keys": ["between-sessions"]}"#,
            as: .ada)
        _ = portal.call(
            .post, "/patients/\(pia)/delivery-rules",
            #"{"occasion": "before_session", "questionnaire_key": "between-sessions"}"#, as: .ada)
        let page = "/questionnaires/\(used)/retirement"
        #expect(portal.post(page, as: .ada).headers["Location"] == page)
        let ask = portal.get(page, as: .ada).text
        for words in [
            "Batterie „Vor jeder Sitzung“", "Er steht im Plan von 1 Therapie",
            "zugewiesen und noch offen",
        ] { #expect(ask.contains(words), "\(words)") }
        #expect(portal.get("/questionnaires/\(used)", as: .ada).text.contains(#"href="\#(page)""#))
        let unused = try portal.publish("wellbeing-5")
        #expect(!portal.get("/questionnaires/\(unused)", as: .ada).text.contains("\(unused)/retirement\">A"))
        #expect(portal.post("/questionnaires/\(unused)/retirement", as: .ada).status == 303)
        let after = portal.get("/questionnaires/\(unused)", as: .ada).text
        #expect(after.contains("archiviert"))
        #expect(after.matches(of: /action="\/questionnaires\/[0-9a-f-]+\/reinstatement"/).count == 2)
    }

    @Test
    func `SN-4 a profile that goes on is taken from a file, from FHIR and from the editor`() throws {
        let file = try String(
            contentsOfFile: Cast.root + "/templates/instruments/wellbeing-5.json", encoding: .utf8)
        let living = file.replacing(#""version": 1,"#, with: #""version": 1, "mode": "living","#)
        #expect(living != file)
        let taken = portal.call(.post, "/questionnaires/import", living, as: .ada)
        #expect(taken.status == 201, "\(taken.text)")
        let definition = try QuestionnaireFile.read(Array(living.utf8))
        #expect(definition.mode == .living)
        let back = try ImportedFile.read(
            FHIRWriter.write(definition, version: 1, url: "urn:uuid:5a1c9a0e-98a5-8a9f-8d3e-0000000000d1")
                .json)
        #expect(back.definition.mode == .living)
        #expect(portal.get(try begin(), as: .ada).text.contains("value=\"living\""))
    }

    static func version(_ options: [String], _ text: String, top: Int) -> String {
        let list = options.enumerated().map {
            #"{"value": \#($0), "text": {"de": "\#($1)", "en": "\#($1)"}}"#
        }
        return """
            {"format": "intersession-questionnaire/1", "key": "meaning", "title": {"de": "M"}, "sections": [{"key": "s", "questions": [
             {"key": "often", "type": "single", "text": {"de": "\(text)"}, "options": [\(list.joined(separator: ", "))]},
             {"key": "far", "type": "slider", "minimum": 0, "maximum": \(top), "text": {"de": "?"}, "minimum_label": {"de": "nah"},
              "maximum_label": {"de": "fern \(top)"}}]}]}
            """
    }

    @Test func `RP-32 publishing says first which values will mean something else`() throws {
        let old = Self.version(["nie", "oft"], "Wie oft im Jahr?", top: 10)
        #expect(portal.call(.post, "/questionnaires/import", old, as: .ada).status == 201)
        let new = Self.version(["selten", "oft"], "Wie oft im Monat?", top: 10).replacing(
            "\"nah\"", with: "\"fern\"")
        let said = [
            "often: In Version 1 stand hier „Wie oft im Jahr?“, jetzt „Wie oft im Monat?“.",
            "often: Der Wert 0 hieß in Version 1 „nie“ und heißt jetzt „selten“.",
            "far: Der Wert 0 hieß in Version 1 „nah“ und heißt jetzt „fern“.",
        ]
        // A file is not published unseen; its draft says it.
        let refused = ExchangeTests().upload(portal, new, action: "publish")
        #expect(refused.status == 422 && said.allSatisfy(refused.text.contains))
        let drafted = ExchangeTests().upload(portal, new)
        let path = try #require(drafted.headers["Location"])
        let page = portal.get(path, as: .ada).text
        #expect(said.allSatisfy(page.contains) && page.matches(of: #/<li>(often|far): /#).count == said.count)
        #expect(press("publish", on: path).status == 303)
        // The call answers with it.
        let again = portal.call(.post, "/questionnaires/import", old, as: .ada)
        #expect(
            again.status == 201 && again.json["meta"]?["changed_meanings"]?.string?.contains("often") == true)
        let same = portal.call(.post, "/questionnaires/import", old, as: .ada)
        #expect(same.status == 201 && same.json["meta"] == nil)
        // Ten was the end with the same words.
        let wide = Self.version(["nie", "oft"], "Wie oft im Jahr?", top: 100)
        let widened = portal.call(.post, "/questionnaires/import", wide, as: .ada)
        let told = widened.json["meta"]?["changed_meanings"]?.string ?? ""
        #expect(told.contains("far: Der Wert 10 hieß in Version") && told.contains(" … "), "\(told)")
    }

    @Test func `RP-32 yes and no that become a choice with other words are told`() throws {
        let version = { (question: String) in
            """
            {"format": "intersession-questionnaire/1", "key": "outside", "title": {"de": "D"}, "sections": [{"key": "s",
             "questions": [{"key": "out", "text": {"de": "Draußen?"}, \(question)}]}]}
            """
        }
        let choice = { (no: String, yes: String) in
            #""type": "single", "options": [{"value": 0, "text": {"de": "\#(no)"}}, {"value": 1, "text": {"de": "\#(yes)"}}]"#
        }
        let told = { (question: String) -> String? in
            let answer = portal.call(.post, "/questionnaires/import", version(question), as: .ada)
            #expect(answer.status == 201, "\(answer.text)")
            return answer.json["meta"]?["changed_meanings"]?.string
        }
        #expect(told(#""type": "yes_no""#) == nil)
        #expect(told(choice("nein", "ja")) == nil)
        let other = told(choice("nein", "selten"))
        #expect(other?.contains("out: Der Wert 1 hieß in Version 2 „ja“ und heißt jetzt „selten“.") == true)
        #expect(other?.contains("Der Wert 0") == false)
        // And back again.
        #expect(told(#""type": "yes_no""#)?.contains("„selten“ und heißt jetzt „ja“") == true)
    }
}
