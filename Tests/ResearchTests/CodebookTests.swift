import Foundation
import HTTP
import JSON
import Testing

@testable import Portal
@testable import PortalTesting
@testable import Questionnaires
@testable import Research
@testable import Studies

/// FD-26: the codebook alone explains every variable: it needs no page beside it.
@Suite struct CodebookTests {
    let portal: TestPortal
    let desk: StudyDesk
    let study: String

    private static let file = """
        {"format": "intersession-questionnaire/1", "key": "every-kind", "title": {"de": "Jede Art", "en": "Every kind"},
         "sections": [
          {"key": "a", "text": {"de": "Heute", "en": "Today"}, "questions": [
           {"key": "out", "type": "yes_no", "required": true, "text": {"de": "Draußen?", "en": "Outside?"}},
           {"key": "who", "type": "multiple", "minimum_choices": 1, "text": {"de": "Mit wem?", "en": "With whom?"},
            "options": [{"value": 1, "text": {"de": "allein", "en": "alone"}},
                        {"value": 2, "text": {"de": "Familie", "en": "family"}},
                        {"value": 30, "text": {"de": "andere", "en": "others"}}]},
           {"key": "when", "type": "date", "text": {"de": "Seit wann?", "en": "Since when?"}}]},
          {"key": "b", "text": {"de": "Draußen", "en": "Outside"},
           "visible_if": {"all": [{"question": "out", "equals": 1}, {"not": {"question": "who", "any_of": [1]}}]},
           "questions": [
           {"key": "far", "type": "number", "minimum": 0, "maximum": 10, "text": {"de": "Wie weit?", "en": "How far?"}},
           {"key": "good", "type": "slider", "minimum": 0, "maximum": 10, "step": 0.5,
            "minimum_label": {"de": "gar nicht", "en": "not at all"}, "maximum_label": {"de": "sehr", "en": "very"},
            "text": {"de": "Wie gut?", "en": "How good?"}},
           {"key": "words", "type": "text", "text": {"de": "Sonst?", "en": "Else?"}}]}],
         "scales": [{"key": "way", "title": {"de": "Weg", "en": "Way"}, "method": "sum", "items": ["far", "good"],
                     "reversed": ["good"], "percent": true}]}
        """

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        let response = portal.call(.post, "/questionnaires/import", Self.file, as: .ada)
        #expect(response.status == 201, "\(response.text)")
        study = desk.begin()
        _ = desk.add("every-kind", to: study)
        #expect(desk.enrol(.pia, in: study).status == 201)
        let answers =
            #"{"out": 1, "who": [2, 30], "when": "2026-02-03", "far": 4, "good": 7.5, "words": "nichts"}"#
        let sent = desk.answer("every-kind", in: study, as: .pia, answers)
        #expect(sent.status == 201, "\(sent.text)")
    }

    /// The rows of a table without quotes, by the names of its columns.
    private func table(_ format: String) throws -> [[String: String]] {
        let lines = try desk.text(study, format).replacing("\u{FEFF}", with: "").split(separator: "\r\n")
            .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
        return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(lines[0], $0)) }
    }

    private func row(_ variable: String, value: String = "") throws -> [String: String] {
        try #require(try table("codebook").first { $0["variable"] == variable && $0["value"] == value })
    }

    @Test func `FD-26 the codebook tells section, condition, limits, ends and what has to be answered`()
        throws
    {
        let out = try row("every_kind_out")
        #expect(out["section_de"] == "Heute" && out["section_en"] == "Today" && out["condition"] == "")
        #expect(out["required"] == "1")
        #expect(try row("every_kind_out", value: "1")["label_de"] == "ja")
        #expect(try row("every_kind_out", value: "0")["label_en"] == "no")
        let good = try row("every_kind_good")
        #expect(good["condition"] == "out = 1 and not (who in {1})" && good["required"] == "0")
        #expect([good["minimum"], good["maximum"], good["step"]] == ["0", "10", "0.5"])
        #expect(good["minimum_label_de"] == "gar nicht" && good["maximum_label_en"] == "very")
        #expect(try row("every_kind_good", value: "10")["label_de"] == "sehr")
        let far = try row("every_kind_far")
        #expect([far["minimum"], far["maximum"], far["step"]] == ["0", "10", ""])
    }

    @Test func `FD-26 the codebook tells the rule of a scale with its reversed items`() throws {
        let way = try row("every_kind_score_way")
        #expect(way["type"] == "score" && way["reversed"] == "good" && way["needed"] == "2")
        #expect(way["rule"] == "(sum(far; 10 - good) - 0) / 20 * 100")
        // The rule, worked out by hand, is what the file says: (4 + 10 - 7.5) / 20 * 100.
        #expect(try table("wide")[0]["every_kind_score_way"] == "32.5")
    }

    @Test func `FD-26 each of many choices has a column beside the text`() throws {
        let wide = try table("wide")[0]
        #expect(wide["every_kind_who"] == "2|30")
        #expect(
            ["1", "2", "30"].map { wide["every_kind_who_\($0)"] } == ["0", "1", "1"])
        let choice = try row("every_kind_who_30")
        #expect(choice["type"] == "choice" && choice["rule"] == "who contains 30")
        #expect(choice["label_en"] == "others (With whom?)")
        #expect(try row("every_kind_who", value: "30")["label_de"] == "andere")
        // A participant who was not asked has declined nothing.
        portal.wait(seconds: 60)
        #expect(desk.answer("every-kind", in: study, as: .pia, #"{"out": 0}"#).status == 201)
        let second = try table("wide")[1]
        #expect(second["every_kind_who"] == "" && second["every_kind_who_1"] == "")
    }

    @Test func `names of questions stay as they are when a choice would take them`() {
        let question = { (key: String, type: String) in
            #"{"key": "\#(key)", "type": "\#(type)", "text": {"de": "?"}\#(type == "multiple" ? #", "options": [{"value": 1, "text": {"de": "a"}}]"# : "")}"#
        }
        let file = """
            {"format": "intersession-questionnaire/1", "key": "k", "title": {"de": "K"}, "scales": [],
             "sections": [{"key": "s", "questions": [\(question("a", "multiple")), \(question("a_1", "text"))]}]}
            """
        let definition = try? QuestionnaireFile.read(Array(file.utf8))
        #expect(definition.map { WideColumns([$0]).names } == ["k_a", "k_a_1_2", "k_a_1"])
    }

    // MARK: The file of SPSS

    /// What the head of a file of SPSS says of its variables: width (0 for numbers) and the kind of format, by short name.
    private func variables(_ bytes: [UInt8]) -> [(width: Int32, format: UInt8)] {
        let number = { (place: Int) -> Int32 in
            bytes[place..<place + 4].enumerated().reduce(0) {
                $0 | Int32($1.element) << (8 * Int32($1.offset))
            }
        }
        var place = 176
        var found: [(Int32, UInt8)] = []
        while number(place) == 2 {
            let width = number(place + 4)
            if width >= 0 { found.append((width, bytes[place + 18])) }
            let hasLabel = number(place + 8) == 1
            let missing = 8 * Int(abs(number(place + 12)))
            place += 32
            if hasLabel { place += 4 + Int(number(place) + 3) / 4 * 4 }
            place += missing
        }
        return found
    }

    @Test func `FD-26 texts are as wide as they are, and days and moments are such`() throws {
        let response = portal.call(.get, "/studies/\(study)/export?format=sav", as: .lena)
        let found = variables(Array(try response.streamed()))
        let columns = try desk.text(study, "wide").split(separator: "\r\n")[0].replacing("\u{FEFF}", with: "")
            .split(separator: ",").map(String.init)
        #expect(found.count == columns.count)
        let named = Dictionary(uniqueKeysWithValues: zip(columns, found))
        let codename = try table("wide")[0]["participant"] ?? ""
        let widths = [
            "participant": codename.utf8.count, "questionnaire": 10, "timezone": 13, "source": 6,
            "every_kind_words": 6, "every_kind_who": 6, "every_kind_who_30": 0, "every_kind_out": 0,
            "every_kind_when": 0, "completed_at": 0,
        ]
        for (name, width) in widths { #expect(named[name]?.width == Int32(width), "\(name)") }
        // 39 is a day, 22 a moment, 5 a number with decimals.
        #expect(named["every_kind_when"]?.format == 39)
        #expect(named["prompted_at"]?.format == 22 && named["completed_at"]?.format == 22)
        #expect(named["every_kind_far"]?.format == 5)
    }
}
