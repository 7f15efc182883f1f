import HTTP
import JSON
import Testing

@testable import PortalTesting
@testable import Records
@testable import Web

/// RP-S4: the program's own words in a study's files, in the languages of its questionnaires.
@Suite struct CodebookLanguageTests {
    private static let form = #"""
        {"format": "intersession-questionnaire/1", "key": "tongues", "title": {"de": "Sprachen", "xx": "Xx"}, "scales": [],
         "sections": [{"key": "a", "questions": [{"key": "out", "type": "yes_no", "text": {"de": "Draußen?", "xx": "Ux?"}}]},
          {"key": "b", "visible_if": {"question": "out", "equals": 1},
           "questions": [{"key": "far", "type": "number", "text": {"de": "Wie weit?", "xx": "Fx?"}}]}]}
        """#

    /// The rows by variable and value.
    private func codebook(_ portal: TestPortal) throws -> [String: [String: String]] {
        #expect(portal.call(.post, "/questionnaires/import", Self.form, as: .ada).status == 201)
        let desk = StudyDesk(portal: portal)
        let study = desk.begin()
        _ = desk.add("tongues", to: study)
        let lines = try desk.text(study, "codebook").replacing("\u{FEFF}", with: "").split(separator: "\r\n")
            .map { line in
                line.matches(of: /(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/).map { String($0.1 ?? $0.2 ?? "") }
            }
        return Dictionary(
            lines.dropFirst().map { cells in
                let row = Dictionary(zip(lines[0], cells), uniquingKeysWith: { first, _ in first })
                return ("\(row["variable"] ?? "") \(row["value"] ?? "")", row)
            }, uniquingKeysWith: { first, _ in first })
    }

    @Test func `RP-S4 every first column and value has words in a language that is installed`() throws {
        let language = try MadeUpLanguage()
        let rows = try codebook(try TestPortal { $0.resources = language.folder })
        let head = [
            "participant", "arm", "questionnaire", "version", "occasion", "prompted_at", "started_at",
            "completed_at", "timezone", "source", "consent_version", "prompt_state",
            "item_id", "time_point", "answered_together", "event_started_at", "event_ended_at",
        ]
        for name in head + ["tongues_out"] {
            let row = try #require(rows["\(name) "])
            for code in ["de", "xx"] { #expect(row["label_\(code)"]?.isEmpty == false, "\(name) \(code)") }
        }
        #expect(rows["participant "]?["label_xx"] == "⟦codename in this study⟧")
        #expect(rows["tongues_out 1"]?["label_xx"] == "⟦yes⟧" && rows["tongues_out 0"]?["label_de"] == "nein")
        #expect(rows.values.contains { $0["label_xx"] == "⟦not shown⟧" && $0["label_de"] == "nicht gezeigt" })
    }

    @Test func `RP-S4 without the language its column has the words of the questionnaire`() throws {
        let rows = try codebook(try TestPortal())
        #expect(rows["tongues_out "]?["label_xx"] == "Ux?")
        #expect(rows["participant "]?["label_xx"] == "" && rows["tongues_out 1"]?["label_xx"] == "")
        #expect(rows["participant "]?["label_de"] == "Codename in dieser Studie")
    }
}
