import HTTP
import JSON
import Records
import Scheduling
import Testing
import Web
import Wire
import Wording

@testable import Clinic
@testable import PortalTesting

/// PR-39: the first page of the file, its tables, and daily prompts by week.
@Suite struct FileFrontTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }
    var pia: String { "/patients/\(portal.cast.therapies[.pia] ?? "")" }

    private static let sleep = """
        {"format": "intersession-questionnaire/1", "key": "insomnia", "title": {"de": "Schlaf"},
         "sections": [{"key": "s", "questions": [{"key": "n", "type": "number", "required": true,
           "text": {"de": "Wie sehr"}, "minimum": 0, "maximum": 28}]}],
         "scales": [{"key": "i", "title": {"de": "Last"}, "method": "sum", "items": ["n"], "range": [0, 28],
                     "higher_is_worse": true, "standard_deviation": 6, "reliability": 0.9, "cutoff": 15}]}
        """

    private func answer(_ value: Int, _ number: Int) {
        let assigned = portal.call(
            .post, "\(pia)/assignments", #"{"questionnaire_key": "insomnia"}"#, as: .ada)
        portal.wait(seconds: 60)
        let at = portal.now.text
        let id = "5a1c9a0e-98a5-4a9f-8d3e-0000000005\(number < 10 ? "0" : "")\(number)"
        let body =
            #"{"assignment_id": "\#(assigned.id)", "started_at": "\#(at)", "completed_at": "\#(at)", "timezone": "Europe/Vienna", "answers": {"n": \#(value)}}"#
        #expect(portal.call(.put, "/my/contributions/\(id)", body, as: .pia).status == 201)
    }

    @Test func `PR-39 the first page has dates, sessions, each scale with its verdict, and what is open`()
        throws
    {
        #expect(portal.call(.post, "/questionnaires/import", Self.sleep, as: .ada).status == 201)
        for (number, value) in [20, 18, 9].enumerated() { answer(value, number) }
        let file = portal.call(.get, "\(pia)/file", as: .ada).attributes
        let overview = try #require(file["overview"])
        #expect(overview["sessions"]?["held"] == .number(1) && overview["sessions"]?["missed"] == .number(0))
        let scales = try #require(overview["scales"]?.array)
        let sleep = try #require(scales.first { $0["questionnaire_key"] == .string("insomnia") })
        #expect(sleep["values"]?.array?.count == 3 && sleep["begin"]?["value"] == .number(20))
        #expect(sleep["change"] == .number(-11) && sleep["verdict"] == .string("recovered"))
        // Without the instrument's figures, no verdict.
        let own = try #require(scales.first { $0["questionnaire_key"] != .string("insomnia") })
        #expect(own["verdict"] == .null && own["begin"] == .null)
        let open = try #require(overview["open"]?.array).compactMap { $0["kind"]?.string }
        #expect(Set(open) == ["assignment", "intervention", "plan"])
        let page = portal.get("\(pia)/file?make=true", as: .ada).text
        for words in [
            "Verlauf der Skalen", "Schlaf · Last", "−11", "reliabel gebessert, jenseits des Grenzwerts",
            "SD 6",
            "Was offen ist", "Erste und letzte Sitzung", #"data-foot="C000001 · Akte · Erstellt am"#,
        ] { #expect(page.contains(words), "\(words)") }
    }

    @Test func `PR-39 after the end only what was not seen is open`() throws {
        #expect(portal.call(.post, "\(pia)/therapy/end", "{}", as: .ada).status == 200)
        let file = portal.call(.get, "\(pia)/file", as: .ada).attributes
        #expect(file["overview"]?["open"]?.array?.isEmpty == true)
        #expect(portal.get("\(pia)/file?make=true", as: .ada).text.contains("Nichts ist offen."))
    }

    @Test func `PR-39 daily prompts stand by week, one by one only when they are asked for`() throws {
        let plain = portal.call(.get, "\(pia)/file?dailies=false", as: .ada).attributes
        #expect(plain["with_dailies"] == .bool(false) && plain["dailies"]?.array?.isEmpty == true)
        #expect(plain["daily_weeks"]?.array != nil)
        // Clients get what they always got.
        let each = portal.call(.get, "\(pia)/file", as: .ada).attributes
        #expect(each["with_dailies"] == .bool(true))
        #expect(portal.call(.get, "\(pia)/file?dailies=maybe", as: .ada).status == 422)
        #expect(portal.get("\(pia)/file", as: .ada).text.contains(#"name="dailies""#))
        let page = portal.get("\(pia)/file?make=true&dailies=true&notes=true", as: .ada).text
        #expect(page.contains("/file/download?notes=true&amp;dailies=true"))
        #expect(page.contains("Tagesabfragen einzeln"))
    }

    // MARK: Tables

    private func table(_ answers: [[(String, String?, String?)]]) throws -> [TherapyFileTable] {
        let texts = portal.services.texts(.german)
        let sheets = answers.enumerated().map { index, lines in
            TherapyFile.Sheet(
                id: String(index), key: "k", version: 1, title: "K",
                completedAt: portal.now.adding(days: Int64(index)), answered: 1, asked: 1,
                scores: [.init(scale: "s", title: "Last", value: 2, answered: index == 0 ? 1 : 2, items: 2)],
                answers: lines.map { .init(question: $0.0, answer: $0.1, value: $0.2) })
        }
        return TherapyFileTable.all(sheets, texts, DateFormat(texts, Zone("Europe/Vienna"), now: portal.now))
    }

    @Test func `PR-39 many sheets stand side by side, with what the numbers mean once`() throws {
        let sheets = (0..<20).map { index in
            [("Wie oft?", index % 2 == 0 ? "oft (3)" : "nie (0)", index % 2 == 0 ? "3" : "0")]
        }
        let table = try #require(try table(sheets).first)
        #expect(table.parts.map(\.columns.count) == [9, 9, 2])
        #expect(table.legend == "Antworten: 0 nie · 3 oft")
        let lines = table.parts[0].lines
        #expect(lines.map(\.name) == ["Last", "Wie oft?"] && lines[1].meaning == nil)
        // What a value rests on where that is not all.
        #expect(lines[0].cells.prefix(2) == ["2 (1/2)", "2"] && lines[1].cells.prefix(2) == ["3", "0"])
    }

    @Test func `PR-39 where one number means two things, each question says what it means`() throws {
        let sheets = (0..<3).map { _ in
            [("Wie oft?", "oft (3)", "3"), ("Wie sehr?", "stark (3)", "3"), ("Was?", "Der Weg", nil)]
                as [(String, String?, String?)]
        }
        let table = try #require(try table(sheets).first)
        #expect(table.legend == nil)
        #expect(table.parts[0].lines.map(\.meaning) == [nil, "3 oft", "3 stark"])
        // Words fit no column: they stand below.
        #expect(table.parts[0].words.map(\.text) == ["Der Weg", "Der Weg", "Der Weg"])
    }

    @Test func `PR-39 one or two sheets are in words, and what was not answered is a dash`() throws {
        let table = try #require(
            try table([[("Wie oft?", "oft (3)", "3")], [("Wie oft?", nil, nil)]]).first)
        #expect(table.isWide && table.parts[0].lines[1].cells == ["oft (3)", "–"])
    }
}
