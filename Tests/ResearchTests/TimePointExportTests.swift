import HTTP
import JSON
import Testing

@testable import PortalTesting
@testable import Research
@testable import Web

/// ST-4: the file of one row a participant, with a column for each scale at each time point.
@Suite struct TimePointExportTests {
    private let portal: TestPortal
    private let desk: StudyDesk
    private let study: String

    private static let points = """
        {"time_points": [
            {"key": "t-0", "title": {"de": "Beginn", "en": "Begin"}, "anchor": "enrolment", "day": 0, "after": 1},
            {"key": "t1", "title": {"de": "Ende", "en": "End"}, "anchor": "enrolment", "day": 6, "before": 1, "after": 1}]}
        """

    private static func form(_ key: String) -> String {
        """
        {"format": "intersession-questionnaire/1", "key": "\(key)", "title": {"de": "Frage"}, "sections": [
            {"key": "a", "text": {"de": "Heute"}, "questions": [
                {"key": "n", "type": "number", "minimum": 0, "maximum": 9, "text": {"de": "Wie oft?", "en": "How often?"}},
                {"key": "words", "type": "text", "required": false, "text": {"de": "Und?"}}]}],
         "scales": [{"key": "s", "title": {"de": "Summe", "en": "Sum"}, "method": "sum", "items": ["n"]}]}
        """
    }

    /// One form at begin and at the end, where it is asked every day; one asked once and one asked every day at no time point.
    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        for key in ["daily", "often", "once"] {
            let made = portal.call(.post, "/questionnaires/import", Self.form(key), as: .ada)
            #expect(made.status == 201, "\(made.text)")
        }
        study = desk.begin(Self.points)
        _ = desk.add("often", to: study, #", "time_point": "t-0""#)
        _ = desk.add("often", to: study, #", "time_point": "t1""# + StudyDesk.daily("12:00"))
        _ = desk.add("once", to: study, #", "is_onetime": true"#)
        _ = desk.add("daily", to: study, StudyDesk.daily("09:00"))
    }

    private func set(_ outcome: String) {
        let body = """
            {"allocation": "alternating", "arms": ["full", "no_interventions"], "size": 1, "sample_size": 4, "sites": [],
             "outcomes": [{"is_primary": true, "questionnaire_key": "often", "scale": "s", \(outcome)}]}
            """
        let set = portal.change(.put, "/studies/\(study)/groups", body, as: .lena)
        #expect(set.status == 200, "\(set.text)")
    }

    /// Pia answers everything, Quinn nothing.
    private func live() throws {
        for person in [Person.pia, .quinn] { #expect(desk.enrol(person, in: study).status == 201) }
        func answer(_ key: String, _ value: Int) {
            let sent = desk.answer(key, in: study, as: .pia, #"{"n": \#(value), "words": "a,\#(value)"}"#)
            #expect(sent.status == 201, "\(sent.text)")
        }
        answer("often", 1)
        answer("once", 2)
        answer("daily", 3)
        try portal.wait(awake: 5)
        answer("often", 4)
        try portal.wait(awake: 1)
        answer("often", 7)
    }

    private func lines(_ format: String) throws -> [String] {
        try desk.text(study, format).replacing("\u{FEFF}", with: "").split(separator: "\r\n").map(String.init)
    }

    @Test(arguments: [(#""day": 28"#, "5.5"), (#""time_point": "t1", "value": "last""#, "7")])
    func `ST-4 a participant is one row, by the value that the outcome names`(outcome: String, end: String)
        throws
    {
        set(outcome)
        try live()
        let lines = try lines("time-points")
        // What is asked repeatedly at no time point is left out, and answers of what is asked repeatedly.
        #expect(
            lines.first
                == "participant,arm,often_n.t_0,often_words.t_0,often_score_s.t_0,often_score_s.t1,"
                + "once_n.study,once_words.study,once_score_s.study")
        #expect(lines.count == 3)
        let rows = lines.dropFirst().map { $0.split(separator: ",", maxSplits: 2).map(String.init)[2] }
        #expect(Set(rows) == [#"1,"a,1",1,\#(end),2,"a,2",2"#, ",,,,,,"])
        let german = try self.lines("time-points-de")
        #expect(german.contains { $0.contains(";1;\(end.replacing(".", with: ","));2;") })
        let book = try self.lines("codebook")
        #expect(book.contains { $0.hasPrefix("time-points.participant,") && $0.contains("without daily") })
        let rule = end == "7" ? "last" : "mean"
        let row = try #require(book.first { $0.hasPrefix("time-points.often_score_s.t1,") })
        #expect(row.contains("Summe (Ende),Sum (End)") && row.contains("\(rule)(often_score_s)"), "\(row)")
        #expect(book.contains { $0.hasPrefix("time-points.once_n.study,") && $0.contains("first(once_n)") })
    }

    @Test func `ST-4 no time point is called as what stands at none`() {
        let points =
            #"{"time_points": [{"key": "study", "title": {"de": "Studie"}, "anchor": "enrolment", "day": 0}]}"#
        let refused = portal.change(.patch, "/studies/\(study)", points, as: .lena)
        #expect(refused.status == 422 && refused.wrongFields.contains("time_points.0.key"), "\(refused.text)")
    }
}
