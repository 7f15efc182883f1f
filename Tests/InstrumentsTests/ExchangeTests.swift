import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import Instruments
@testable import PortalTesting
@testable import Questionnaires
@testable import Records
@testable import Scheduling
@testable import Web
@testable import Wording

/// Questionnaires into files and back: ours and FHIR's.
@Suite struct ExchangeTests {
    static let all =
        (InstrumentFiles.real + InstrumentFiles.shipped.filter { !InstrumentFiles.real.contains($0) })
        .sorted()

    static func file(_ key: String) throws -> JSON {
        let isReal = InstrumentFiles.real.contains(key)
        let folder = isReal ? InstrumentFiles.folder : Cast.root + "/templates/instruments"
        let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(key).json"))
        return try JSON.parse(Array(data))
    }

    /// Answers that a person could give: each question with a chance of being left out.
    static func answers(_ definition: QuestionnaireDefinition, seed: UInt64) -> Answers {
        var chance = SplitMix64(seed)
        var answers: Answers = [:]
        for question in definition.questions where chance.number(below: 10) < 9 {
            switch question.type {
            case .single:
                answers[question.key] = .number(
                    question.options[chance.number(below: question.options.count)].value)
            case .multiple: answers[question.key] = .numbers([question.options[0].value])
            case .slider(let low, let high, let step):
                answers[question.key] = .number(
                    low + Double(chance.number(below: Int((high - low) / step) + 1)) * step)
            case .sam(_, let low, let high):
                answers[question.key] = .number(low + Double(chance.number(below: Int(high - low) + 1)))
            case .yesNo: answers[question.key] = .number(Double(chance.number(below: 2)))
            case .number(let low, _): answers[question.key] = .number(low ?? 0)
            case .text: answers[question.key] = .text("…")
            case .date: answers[question.key] = .text("2026-11-20")
            }
        }
        return answers
    }

    func expectEqual(_ one: QuestionnaireDefinition, _ other: QuestionnaireDefinition) {
        #expect(one.key == other.key && one.title == other.title && one.mode == other.mode)
        #expect(one.questions.map(\.key) == other.questions.map(\.key))
        #expect(one.questions.map(\.type) == other.questions.map(\.type))
        #expect(one.questions.map(\.isRequired) == other.questions.map(\.isRequired))
        #expect(one.questions.map(\.options) == other.questions.map(\.options))
        #expect(one.sections.map(\.key) == other.sections.map(\.key))
        for seed in 0..<50 {
            let answers = Self.answers(one, seed: UInt64(seed))
            #expect(one.scores(answers) == other.scores(answers), "\(one.key) \(seed)")
            #expect(one.visibleSections(answers).map(\.key) == other.visibleSections(answers).map(\.key))
        }
    }

    @Test(arguments: all) func `an instrument goes out and comes in again as it was`(key: String) throws {
        let portal = try TestPortal()
        let text = String(decoding: try JSONWriter.bytes(of: try Self.file(key)), as: UTF8.self)
        let first = portal.call(.post, "/questionnaires/import", text, as: .ada)
        #expect(first.status == 201, "\(first.text.prefix(300))")
        let out = portal.call(.get, "/questionnaires/\(first.id)/export", as: .lena)
        #expect(out.status == 200 && out.headers["Content-Disposition"]?.contains("\(key)-") == true)
        let again = portal.call(.post, "/questionnaires/import", out.text, as: .ada)
        #expect(again.status == 201)
        #expect(again.attributes["version"]?.number == (first.attributes["version"]?.number ?? 0) + 1)
        expectEqual(try QuestionnaireFile.read(try Self.file(key)), try QuestionnaireFile.read(out.bytes))
    }

    @Test(arguments: all) func `an instrument goes through FHIR with equal scores`(key: String) throws {
        let portal = try TestPortal()
        let text = String(decoding: try JSONWriter.bytes(of: try Self.file(key)), as: UTF8.self)
        let first = portal.call(.post, "/questionnaires/import", text, as: .ada)
        let out = portal.call(.get, "/questionnaires/\(first.id)/export?format=fhir", as: .ada)
        #expect(
            out.json["resourceType"] == .string("Questionnaire") && out.json["status"] == .string("active"))
        let again = portal.call(.post, "/questionnaires/import", out.text, as: .ada)
        #expect(again.status == 201, "\(again.text.prefix(300))")
        let imported = portal.call(.get, "/questionnaires/\(again.id)/export", as: .ada)
        expectEqual(
            try QuestionnaireFile.read(try Self.file(key)), try QuestionnaireFile.read(imported.bytes))
    }

    @Test(arguments: [#"{"at_least": 2}"#, #"{"any_of": [1, 2]}"#])
    func `PR-11 which answers have to be seen goes through FHIR, and is said to be ours`(mark: String) throws
    {
        let text = """
            {"format": "intersession-questionnaire/1", "key": "weariness", "title": {"de": "Müde"},
             "sections": [{"key": "s", "text": {"de": ""}, "questions": [
               {"key": "weary", "type": "single", "text": {"de": "Hoffnung"}, "must_be_seen": \(mark),
                "options": [{"value": 1, "text": {"de": "nie"}}, {"value": 2, "text": {"de": "oft"}}]}]}]}
            """
        let definition = try QuestionnaireFile.read(Array(text.utf8))
        let written = FHIRWriter.write(
            definition, version: 1, url: "urn:uuid:5a1c9a0e-98a5-8a9f-8d3e-0000000000d1")
        #expect(written.notes.contains { $0.place.hasSuffix(".must_be_seen") })
        let portal = try TestPortal()
        let made = portal.call(
            .post, "/questionnaires/import",
            String(decoding: try JSONWriter.bytes(of: written.json), as: UTF8.self), as: .ada)
        #expect(made.status == 201, "\(made.text)")
        let again = portal.call(.get, "/questionnaires/\(made.id)/export", as: .ada)
        let question = try QuestionnaireFile.read(again.bytes).question("weary")
        #expect(
            question?.mustBeSeen != nil && question?.mustBeSeen == definition.question("weary")?.mustBeSeen)
    }

    @Test(arguments: all) func `FHIR items are complete and their ids are their own`(key: String) throws {
        let definition = try QuestionnaireFile.read(try Self.file(key))
        let json = FHIRWriter.write(
            definition, version: 1, url: "urn:uuid:5a1c9a0e-98a5-8a9f-8d3e-0000000000d1"
        ).json
        var ids: [String] = []
        var types: Set<String> = []
        func walk(_ items: [JSON]) {
            for item in items {
                ids.append(item["linkId"]?.string ?? "")
                types.insert(item["type"]?.string ?? "")
                #expect(item["text"]?.string?.isEmpty != true)
                if item["type"] == .string("choice") {
                    #expect(item["answerOption"]?.array?.isEmpty == false)
                }
                walk(item["item"]?.array ?? [])
            }
        }
        walk(json["item"]?.array ?? [])
        #expect(Set(ids).count == ids.count && !ids.contains(""))
        let known: Set<String> = [
            "group", "display", "choice", "boolean", "integer", "decimal", "date", "text",
        ]
        #expect(types.isSubset(of: known))
    }

    static let questions = """
        {"format": "intersession-questionnaire/1", "key": "c", "version": 1, "title": {"de": "C"}, "sections": [
         {"key": "a", "questions": [
          {"key": "one", "type": "single", "text": {"de": "?"}, "options": [
            {"value": 1, "text": {"de": "a"}}, {"value": 2, "text": {"de": "b"}}, {"value": 3, "text": {"de": "c"}}]},
          {"key": "many", "type": "multiple", "text": {"de": "?"}, "options": [
            {"value": 1, "text": {"de": "a"}}, {"value": 2, "text": {"de": "b"}, "exclusive": true}]},
          {"key": "slide", "type": "slider", "minimum": 0, "maximum": 10, "text": {"de": "?"}},
          {"key": "yes", "type": "yes_no", "text": {"de": "?"}}]},
         {"key": "b", "text": {"de": "b"}, "visible_if": CONDITION, "questions": []}]}
        """

    static let conditions: [(String, Bool)] = [
        (#"{"question": "one", "equals": 2}"#, true),
        (#"{"question": "one", "any_of": [1, 3]}"#, true),
        (#"{"question": "one", "at_least": 2}"#, true),
        (#"{"question": "slide", "at_least": 5}"#, true),
        (#"{"not": {"question": "one", "equals": 2}}"#, true),
        (#"{"not": {"question": "slide", "at_least": 5}}"#, true),
        (#"{"not": {"question": "yes", "equals": 1}}"#, true),
        (#"{"all": [{"question": "one", "equals": 1}, {"question": "slide", "at_least": 3}]}"#, true),
        (
            #"{"any": [{"question": "one", "any_of": [1, 2]}, {"not": {"question": "yes", "equals": 0}}]}"#,
            true
        ),
        (#"{"question": "many", "equals": 1}"#, true),
        // Nested deeper than R4 can say: carried in an extension, and told.
        (#"{"not": {"question": "many", "equals": 1}}"#, false),
        (#"{"all": [{"question": "one", "any_of": [1, 2]}, {"question": "yes", "equals": 1}]}"#, false),
        (
            #"{"any": [{"all": [{"question": "one", "equals": 1}, {"question": "yes", "equals": 1}]}, {"question": "slide", "equals": 3}]}"#,
            false
        ),
    ]

    @Test(arguments: conditions) func `a condition means the same before and after FHIR`(
        condition: String, isPlain: Bool
    ) throws {
        let text = Self.questions.replacing("CONDITION", with: condition)
        let definition = try QuestionnaireFile.read(Array(text.utf8))
        let (fhir, notes) = FHIRWriter.write(
            definition, version: 1, url: "urn:uuid:5a1c9a0e-98a5-8a9f-8d3e-0000000000d1")
        #expect(notes.isEmpty == isPlain)
        let (file, lost) = try FHIRReader.read(fhir)
        #expect(lost.isEmpty)
        let back = try QuestionnaireFile.read(file)
        let values: [Answers.Value?] = [
            nil, .number(0), .number(1), .number(2), .number(3), .number(5), .number(7),
        ]
        for one in values.prefix(5) where one != .number(0) {
            for slide in values {
                for yes in values.prefix(3) {
                    for many in [nil, Answer.numbers([1]), .numbers([2])] {
                        var answers: Answers = [:]
                        (answers["one"], answers["slide"], answers["yes"], answers["many"]) = (
                            one, slide, yes, many
                        )
                        let mine = definition.visibleSections(answers)
                        let theirs = back.visibleSections(answers)
                        #expect(mine.map(\.key) == theirs.map(\.key), "\(answers)")
                    }
                }
            }
        }
    }

    /// As another program would write it: nested groups, no ordinals, kinds that we do not have.
    static let foreign = """
        {"resourceType": "Questionnaire", "status": "active", "language": "en", "name": "SleepCheck", "title": "Sleep",
         "copyright": "Somebody 2020", "item": [
          {"linkId": "1", "text": "About your nights", "type": "group", "item": [
            {"linkId": "1.1", "text": "Do you sleep?", "type": "boolean", "required": true},
            {"linkId": "1.2", "text": "How badly?", "type": "choice",
             "enableWhen": [{"question": "1.1", "operator": "=", "answerBoolean": false}],
             "answerOption": [{"valueString": "a little"}, {"valueString": "very"}]},
            {"linkId": "1.3", "text": "Why?", "type": "group",
             "enableWhen": [{"question": "1.2", "operator": "exists", "answerBoolean": true}], "item": [
               {"linkId": "1.3.1", "text": "Noise", "type": "open-choice",
                "answerOption": [{"valueCoding": {"code": "n", "display": "Neighbours"}}]},
               {"linkId": "1.3.2", "text": "Photo", "type": "attachment"}]}]},
          {"linkId": "2", "text": "Hours", "type": "integer"},
          {"linkId": "3", "text": "Since when", "type": "dateTime", "initial": [{"valueDateTime": "2020-01-01"}]},
          {"linkId": "4", "text": "Long?", "type": "boolean",
           "enableWhen": [{"question": "2", "operator": ">", "answerInteger": 8}]}]}
        """

    @Test func `a foreign FHIR questionnaire is taken as far as it goes, and the rest is told`() throws {
        let (file, notes) = try FHIRReader.read(try JSON.parse(Array(Self.foreign.utf8)))
        let definition = try QuestionnaireFile.read(file)
        #expect(definition.key == "SleepCheck" && definition.title["en"] == "Sleep")
        #expect(definition.questions.map(\.key) == ["1.1", "1.2", "1.3.1", "2", "3", "4"])
        #expect(
            definition.questions.map(\.type.name) == [
                "yes_no", "single", "single", "number", "date", "yes_no",
            ])
        #expect(definition.question("1.2")?.options.map(\.value) == [0, 1])
        let shown = { (answers: Answers) in
            definition.visibleSections(answers).flatMap(\.questions).map(\.key)
        }
        #expect(shown([:]) == ["1.1", "2", "3"])
        #expect(shown(["1.1": .number(0)]) == ["1.1", "1.2", "2", "3"])
        #expect(
            shown(["1.1": .number(0), "1.2": .number(1), "2": .number(9)]) == [
                "1.1", "1.2", "1.3.1", "2", "3", "4",
            ])
        #expect(shown(["2": .number(8)]) == ["1.1", "2", "3"])
        #expect(
            Set(notes.map(\.message.key)) == [
                "exchange.open_choice", "exchange.unknown_type", "exchange.date_time", "exchange.left_out",
                "exchange.numbered",
            ])
        #expect(notes.contains { $0.place == "item[0].item[2].item[1]" })
        let portal = try TestPortal()
        let answer = portal.call(.post, "/questionnaires", Self.foreign, as: .lena)
        #expect(
            answer.status == 201 && answer.json["meta"]?["not_carried"]?.string?.contains("item[2]") == true)
        let patient = portal.call(.post, "/questionnaires", #"{"resourceType": "Patient"}"#, as: .lena)
        #expect(patient.status == 422 && patient.wrongFields == ["resourceType"])
    }

    @Test func `an export is for those who work with questionnaires, in the formats there are`() throws {
        let portal = try TestPortal()
        let path = "/questionnaires/\(portal.cast.questionnaire)/export"
        #expect(portal.call(.get, path, as: .pia).status == 403)
        #expect(portal.call(.get, path + "?format=pdf", as: .ada).wrongFields == ["format"])
        #expect(portal.get(path, as: .ada).status == 200)
        #expect(
            portal.get(path + "?format=fhir", as: .ada).headers["Content-Type"]?.hasPrefix("application/fhir")
                == true)
        let missing = "/questionnaires/11111111-2222-4333-8444-555555555555/export"
        #expect(portal.call(.get, missing, as: .ada).status == 404)
    }

    // MARK: The page

    func upload(_ portal: TestPortal, _ text: String, action: String = "draft") -> Response {
        upload(portal, files: [("a.json", text)], action: action)
    }

    func upload(
        _ portal: TestPortal, files: [(name: String, text: String)], action: String, licence: String = ""
    ) -> Response {
        upload(
            portal, bytes: files.map { (name: $0.name, bytes: Array($0.text.utf8)) }, action: action,
            licence: licence)
    }

    func upload(
        _ portal: TestPortal, bytes files: [(name: String, bytes: [UInt8])], action: String,
        licence: String = "",
        language: String = "de"
    ) -> Response {
        portal.post(
            "/questionnaires/import?lang=\(language)", [("action", action), ("licence", licence)],
            files: files.map { TestPortal.Attached(name: $0.name, bytes: $0.bytes) }, as: .ada)
    }

    @Test func `FD-28 a file that is no UTF-8 is told so by name, and a mark before UTF-8 is no fault`()
        throws
    {
        let portal = try TestPortal()
        let text = Self.questions.replacing("CONDITION", with: #"{"question": "one", "equals": 2}"#)
        let windows: [UInt8] = Array(
            text.replacing("}", with: #", "x": "ü"}"#).unicodeScalars.map { UInt8($0.value & 0xff) })
        let wide: [UInt8] =
            [0xff, 0xfe] + text.utf16.flatMap { unit -> [UInt8] in [UInt8(unit & 0xff), UInt8(unit >> 8)] }
        for bytes in [windows, wide] {
            let refused = upload(portal, bytes: [("alt.json", bytes)], action: "publish")
            #expect(refused.status == 422, "\(refused.text)")
            #expect(refused.text.contains("Die Datei „alt.json“ ist kein Text in UTF-8"), "\(refused.text)")
            let english = upload(portal, bytes: [("alt.json", bytes)], action: "publish", language: "en")
            #expect(english.text.contains("Please save it as UTF-8"))
        }
        let marked = upload(
            portal, bytes: [("neu.json", [0xef, 0xbb, 0xbf] + Array(text.utf8))], action: "publish")
        #expect(marked.status == 303, "\(marked.text)")
    }

    @Test func `FD-28 a field that is no UTF-8 is refused under its name, however the form is sent`() throws {
        let portal = try TestPortal()
        let cookie = portal.cast.sessions[.ada] ?? ""
        let token = portal.services.keys.formToken(for: cookie)
        let sentence = portal.services.texts(.german)["errors.not_utf8"]
        let part = { (name: String, value: [UInt8]) in
            Array("--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n".utf8) + value + [13, 10]
        }
        let multipart =
            part("form_token", Array(token.utf8)) + part("licence", [0xfc]) + Array("--b--\r\n".utf8)
        let sent = [
            ("multipart/form-data; boundary=b", multipart),
            (
                "application/x-www-form-urlencoded",
                Array("form_token=\(percentEncoded(token))&licence=%FC".utf8)
            ),
        ]
        for (type, body) in sent {
            let headers: Headers = ["Cookie": "sid=\(cookie)", "Content-Type": type]
            let refused = portal.send(.post, "/questionnaires/import", headers, body: body)
            #expect(refused.status == 422 && refused.text.contains(sentence), "\(refused.text)")
        }
    }

    @Test func `LF-8 a field of an import that comes twice is refused under its name`() throws {
        let portal = try TestPortal()
        let before = try portal.count("questionnaires")
        let cookie = portal.cast.sessions[.ada] ?? ""
        let text = Self.questions.replacing("CONDITION", with: #"{"question": "one", "equals": 2}"#)
        let values = [
            ("form_token", portal.services.keys.formToken(for: cookie)), ("action", "publish"),
            ("licence", "free"),
        ]
        let fields = values.map { ("name=\"\($0.0)\"", $0.1) }
        let files = [("name=\"file\"; filename=\"a.json\"", text)]
        let headers: Headers = ["Cookie": "sid=\(cookie)", "Content-Type": "multipart/form-data; boundary=b"]
        for more in ["name=\"licence\"", "name=\"licence\"; filename=\"b.json\"", "name=\"action\""] {
            let parts = (fields + files + [(more, more.contains("action") ? "draft" : "permission")]).map {
                "--b\r\nContent-Disposition: form-data; \($0.0)\r\n\r\n\($0.1)\r\n"
            }
            let body = Array((parts.joined() + "--b--\r\n").utf8)
            let refused = portal.send(.post, "/questionnaires/import", headers, body: body)
            #expect(refused.status == 422, "\(more) \(refused.text)")
            #expect(refused.text.contains(portal.services.texts(.german)["errors.twice"]), "\(refused.text)")
        }
        #expect(try portal.count("questionnaires") == before)
    }

    @Test(arguments: ["draft", "publish"])
    func `PR-23 several files come in together or not at all, with their licence named`(action: String) throws
    {
        let portal = try TestPortal()
        let table: StaticString = action == "draft" ? "questionnaire_drafts" : "questionnaires"
        let before = try portal.count(table)
        let good = try ["wellbeing-5", "tinnitus-moment"].map { key in
            (
                name: "\(key).json",
                text: String(decoding: try JSONWriter.bytes(of: try Self.file(key)), as: UTF8.self)
            )
        }
        let wrong = (name: "kaputt.json", text: good[0].text.replacing("\"single\"", with: "\"singel\""))
        let refused = upload(portal, files: good + [wrong], action: action)
        #expect(refused.status == 422 && refused.text.contains("kaputt.json: sections[0].questions[0].type"))
        let twice = upload(portal, files: good + [(name: "noch.json", text: good[0].text)], action: action)
        #expect(twice.status == 422 && twice.text.contains("noch.json: key"))
        #expect(try portal.count(table) == before)
        let done = upload(portal, files: good, action: action, licence: "permission")
        #expect(try portal.count(table) == before + 2 && done.status == 200)
        #expect(done.text.contains("geschützt, Erlaubnis nötig") && done.text.contains("not validated"))
        #expect(done.text.contains("tinnitus-moment") && done.text.contains("wellbeing-5"))
        #expect(
            try portal.changes().count {
                $0 == (action == "draft" ? "questionnaire.draft_made" : "questionnaire.imported")
            }
                == 1)
        let card = try portal.services.records.read { try InstrumentStore.card("wellbeing-5", $0) }
        #expect(card.licence == .permission && card.needsConfirmation)
        // What a card says already is not overwritten by a later file.
        if action == "publish" {
            _ = upload(portal, files: good, action: action, licence: "free")
            let kept = try portal.services.records.read { try InstrumentStore.card("wellbeing-5", $0) }
            #expect(kept.licence == .permission)
            let unstated = try portal.services.records.read {
                try InstrumentStore.card("between-sessions", $0)
            }
            #expect(unstated.licence == .unstated)
        }
    }

    @Test func `a file is opened as a draft or published, a wrong one imports nothing and says where`() throws
    {
        let portal = try TestPortal()
        let text = Self.questions.replacing("CONDITION", with: #"{"question": "one", "equals": 2}"#)
        let before = try portal.count("questionnaires")
        let draft = upload(portal, text)
        #expect(draft.status == 303, "\(draft.text)")
        #expect(try portal.count("questionnaire_drafts") == 1 && portal.count("questionnaires") == before)
        #expect(upload(portal, text, action: "publish").status == 303)
        #expect(try portal.count("questionnaires") == before + 1)
        let wrong = upload(portal, text.replacing("\"single\"", with: "\"singel\""))
        #expect(wrong.status == 422 && wrong.text.contains("sections[0].questions[0].type"))
        #expect(upload(portal, "{").text.contains("file"))
        #expect(upload(portal, "").status == 422)
        let foreign = upload(portal, Self.foreign)
        #expect(foreign.status == 200 && foreign.text.contains("item[0].item[2].item[1]"))
        #expect(try portal.count("questionnaires") == before + 1)
    }

    @Test func `B4 an upload without the token is refused`() throws {
        let portal = try TestPortal()
        let body = "--b\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\n{}\r\n--b--\r\n"
        let headers: Headers = [
            "Cookie": "sid=\(portal.cast.sessions[.ada] ?? "")",
            "Content-Type": "multipart/form-data; boundary=b",
        ]
        #expect(portal.send(.post, "/questionnaires/import", headers, body: Array(body.utf8)).status == 403)
    }

    @Test func `FHIR codes that are no numbers are followed to the values they became`() throws {
        let text = """
            {"resourceType": "Questionnaire", "status": "active", "language": "en", "name": "Codes", "item": [
              {"linkId": "1", "text": "Which?", "type": "choice", "answerOption": [
                {"valueCoding": {"code": "a", "display": "A"}}, {"valueCoding": {"code": "b", "display": "B"}}]},
              {"linkId": "2", "text": "Why b?", "type": "string",
               "enableWhen": [{"question": "1", "operator": "=", "answerCoding": {"code": "b"}}]},
              {"linkId": "3", "text": "Both?", "type": "string", "enableBehavior": "any", "enableWhen": [
                {"question": "1", "operator": "=", "answerCoding": {"code": "a"}},
                {"question": "9", "operator": "exists", "answerBoolean": true}]},
              {"linkId": "4", "text": "From a set", "type": "choice", "answerValueSet": "http://example.org/set"}]}
            """
        let (file, notes) = try FHIRReader.read(try JSON.parse(Array(text.utf8)))
        let definition = try QuestionnaireFile.read(file)
        let shown = { (answers: Answers) in
            definition.visibleSections(answers).flatMap(\.questions).map(\.key)
        }
        #expect(shown(["1": .number(1)]) == ["1", "2", "3"])
        // A condition of which a part cannot be said is left out as a whole, and told.
        #expect(shown(["1": .number(0)]) == ["1", "3"])
        #expect(definition.question("4") == nil)
        #expect(
            notes.contains { $0.place == "item[2].enableWhen[1]" } && notes.contains { $0.place == "item[3]" }
        )
        let portal = try TestPortal()
        let empty = portal.call(.post, "/questionnaires", #"{"resourceType": "Questionnaire"}"#, as: .ada)
        #expect(empty.status == 422 && empty.wrongFields == ["item"])
    }

    @Test func `a condition multiplied through FHIR groups is refused, quickly`() throws {
        let literal = #"{"question": "q", "equals": 1}"#
        let condition = "{\"any\": [" + Array(repeating: literal, count: 3_000).joined(separator: ",") + "]}"
        let extensionText = String(decoding: try JSONWriter.bytes(of: JSON.string(condition)), as: UTF8.self)
        let children = (0..<1_000).map { #"{"linkId": "d\#($0)", "type": "display", "text": "x"}"# }.joined(
            separator: ",")
        let text = """
            {"resourceType": "Questionnaire", "language": "de", "name": "M", "item": [{"linkId": "q", "type": "boolean", "text": "?"},
             {"linkId": "g", "type": "group", "extension": [{"url": "urn:intersession:fhir:visible-if", "valueString": \(extensionText)}],
              "item": [\(children)]}]}
            """
        let portal = try TestPortal()
        #expect(portal.call(.post, "/questionnaires", text, as: .ada).status == 422)
    }
}
