import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Research
@testable import Web

/// ST-4: outcomes of what the participants' therapies ask.
@Suite struct TherapyOutcomeTests {
    private let portal: TestPortal
    private let desk: StudyDesk

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
    }

    private static let points = """
        {"tells_session_dates": true, "time_points": [
            {"key": "t-0", "title": {"de": "Beginn"}, "anchor": "enrolment", "day": 0, "after": 1},
            {"key": "t-1", "title": {"de": "Ende"}, "anchor": "enrolment", "day": 6, "before": 1, "after": 1},
            {"key": "each", "title": {"de": "Jede Sitzung"}, "anchor": "each_session", "after": 1}]}
        """

    private static func outcome(_ when: String) -> String {
        #"{"is_primary": true, "questionnaire_key": "wellbeing-5", "scale": "wellbeing", "source": "therapy"\#(when)}"#
    }

    private static let atEnd = outcome(#", "time_point": "t-1""#)

    private func put(_ outcomes: String, to study: String) -> Response {
        let body = """
            {"allocation": "alternating", "arms": ["full", "no_interventions"], "size": 1, "sample_size": 6,
             "outcomes": [\(outcomes)],
             "sites": [{"name": "Ulm", "email": "ada@example.org"}, {"name": "Ulm", "email": "ben@example.org"}]}
            """
        return portal.change(.put, "/studies/\(study)/groups", body, as: .lena)
    }

    private func begin(_ outcome: String = atEnd) -> String {
        let study = desk.begin(Self.points)
        let set = put(outcome, to: study)
        #expect(set.status == 200, "\(set.text)")
        return study
    }

    private func agree(_ person: Person, _ agrees: Bool) {
        let told = portal.change(.put, "/my/privacy", #"{"research_consent": \#(agrees)}"#, as: person)
        #expect(told.status == 200, "\(told.text)")
        portal.wait(seconds: 60)
    }

    /// A sheet of the therapy, entered from paper.
    private func enter(_ value: Int, of person: Person, by therapist: Person) {
        portal.wait(seconds: 60)
        let entered = portal.call(
            .post, "/patients/\(portal.cast.therapies[person] ?? "")/contributions",
            """
            {"questionnaire_key": "wellbeing-5", "completed_at": "\(portal.now.text)",
             "answers": \(ComparisonTests.sheet(value))}
            """, as: therapist)
        #expect(entered.status == 201, "\(entered.text)")
    }

    private func compared(_ study: String) -> JSON? {
        portal.call(.get, "/studies/\(study)/comparisons", as: .lena).list.first?["attributes"]
    }

    @Test
    func `ST-4 an outcome of the therapy is what participants with consent to research said on its days`()
        throws
    {
        let study = begin()
        agree(.pia, true)
        agree(.quinn, false)
        agree(.quinn, true)
        agree(.nora, true)
        for person in [Person.pia, .quinn, .nora] { #expect(desk.enrol(person, in: study).status == 201) }
        enter(1, of: .pia, by: .ada)
        try portal.wait(awake: 5)
        enter(4, of: .pia, by: .ada)
        let stored = portal.call(.get, "/studies/\(study)/groups", as: .lena).attributes["outcomes"]?.array
        #expect(stored?.first?["source"]?.string == "therapy")
        let told = compared(study)
        #expect(told?["source"]?.string == "therapy")
        let arms = told?["arms"]?.array ?? []
        // Nora has no therapy: she lacks no value. Quinn's is missing.
        #expect(arms.map { $0["people"] } == [.number(2), .number(1)])
        #expect(arms.map { $0["not_applicable"] } == [.number(1), .number(0)])
        #expect(arms.map { $0["n"] } == [.number(1), .number(0)])
        #expect(arms.first?["end"]?["mean"] == .number(80) && arms.first?["begin"] == .null)
        let page = portal.get("/studies/\(study)/results", as: .lena).text
        #expect(page.contains("Ende, aus der Therapie"))
        #expect(page.contains("1 von 1, entfällt bei 1"))
        let first = portal.get("/studies/\(study)", as: .lena).text
        #expect(first.contains("Für 1 von 2 Personen sind alle Werte da."))
    }

    @Test func `ST-4 without consent to research nothing of the therapy counts, and nothing is missing`()
        throws
    {
        let study = begin()
        agree(.pia, false)
        #expect(desk.enrol(.pia, in: study).status == 201)
        try portal.wait(awake: 6)
        enter(4, of: .pia, by: .ada)
        let arm = { compared(study)?["arms"]?.array?.first }
        #expect(arm()?["n"] == .number(0) && arm()?["not_applicable"] == .number(1))
        #expect(try desk.text(study, "time-points").split(separator: "\r\n").last?.hasSuffix(",") == true)
        agree(.pia, true)
        #expect(arm()?["n"] == .number(1) && arm()?["not_applicable"] == .number(0))
    }

    @Test func `ST-4 it begins with the study's own baseline of the same questionnaire`() throws {
        let study = desk.begin(Self.points)
        let baseline = desk.add("wellbeing-5", to: study, #", "time_point": "t-0""#)
        #expect(put(Self.atEnd, to: study).status == 200)
        agree(.pia, true)
        #expect(desk.enrol(.pia, in: study).status == 201)
        let sent = desk.answer("wellbeing-5", in: study, as: .pia, ComparisonTests.sheet(1))
        #expect(sent.status == 201, "\(sent.text)")
        try portal.wait(awake: 6)
        enter(4, of: .pia, by: .ada)
        #expect(compared(study)?["arms"]?.array?.first?["change"]?["mean"] == .number(60))
        let gone = portal.call(.delete, "/studies/\(study)/questionnaires/\(baseline)", as: .lena)
        #expect(gone.status == 409, "\(gone.text)")
    }

    @Test(arguments: [("", 50), (#", "value": "last""#, 80)])
    func `ST-4 the therapy's questionnaire after each session is the mean of its days`(
        _ value: String, _ end: Double
    ) throws {
        let study = begin(Self.outcome(#", "time_point": "each"\#(value)"#))
        let path = "/patients/\(portal.cast.therapies[.pia] ?? "")/sessions"
        for one in portal.call(.get, path, as: .ada).list {
            let session = "\(path)/\(one["id"]?.string ?? "")"
            #expect(portal.change(.patch, session, #"{"state": "cancelled"}"#, as: .ada).status == 200)
        }
        agree(.pia, true)
        #expect(desk.enrol(.pia, in: study).status == 201)
        for (day, said) in [(23, 1), (27, 4)] {
            let times =
                #"{"starts_at": "2026-11-\#(day)T09:00:00Z", "ends_at": "2026-11-\#(day)T09:50:00Z"}"#
            #expect(portal.call(.post, path, times, as: .ada).status == 201)
            let noon = try #require(Instant("2026-11-\(day)T12:00:00Z"))
            portal.wait(seconds: noon.seconds - portal.now.seconds)
            try portal.wait(awake: 0)
            enter(said, of: .pia, by: .ada)
            // On no day of any session.
            try portal.wait(awake: 2)
            enter(0, of: .pia, by: .ada)
        }
        #expect(compared(study)?["arms"]?.array?.first?["end"]?["mean"] == .number(end))
    }

    @Test func `ST-4 it has a column in the file of one row a person, which the codebook explains`() throws {
        let study = desk.begin(Self.points)
        _ = desk.add("wellbeing-5", to: study, #", "time_point": "t-0""#)
        let other = Self.atEnd.replacing("wellbeing-5", with: "between-sessions").replacing(
            #""wellbeing""#, with: #""intensity""#)
        let set = put("\(Self.atEnd), \(other)", to: study)
        #expect(set.status == 200, "\(set.text)")
        agree(.pia, true)
        #expect(desk.enrol(.pia, in: study).status == 201)
        try portal.wait(awake: 6)
        enter(4, of: .pia, by: .ada)
        let lines = try desk.text(study, "time-points").split(separator: "\r\n").map(String.init)
        #expect(
            lines.first?.hasSuffix(
                ".t_0,wellbeing_5_score_wellbeing.t_1,between_sessions_score_intensity.t_1") == true,
            "\(lines)")
        #expect(lines.last?.hasSuffix(",80,") == true)
        #expect(try desk.text(study, "time-points-de").contains(";80;"))
        let book = try desk.text(study, "codebook").split(separator: "\r\n").map(String.init)
        for name in ["wellbeing_5_score_wellbeing", "between_sessions_score_intensity"] {
            let row = try #require(book.first { $0.hasPrefix("time-points.\(name).t_1,") })
            #expect(row.contains("(Ende)") && row.contains("first(\(name)) of therapy"), "\(row)")
        }
        #expect(try desk.text(study, "time-points-sav").hasPrefix("$FL2"))
        // The wide file is the study's alone.
        #expect(try !desk.text(study, "wide").contains("between_sessions"))
    }

    @Test func `ST-4 of the therapy is only what the study does not ask there itself`() {
        let study = desk.begin(Self.points)
        _ = desk.add("wellbeing-5", to: study, #", "time_point": "t-0""#)
        let refused = { (when: String) in put(Self.outcome(when), to: study).wrongFields }
        #expect(refused(#", "day": 28"#) == ["outcomes.0.time_point"])
        #expect(refused(#", "time_point": "t-0""#) == ["outcomes.0.time_point"])
        #expect(refused(#", "time_point": "t-9""#) == ["outcomes.0.time_point"])
        #expect(refused("") == ["outcomes.0.time_point"])
        let unknown = put(Self.atEnd.replacing(#""wellbeing""#, with: #""moon""#), to: study)
        #expect(unknown.wrongFields.contains("outcomes.0.scale"))
        let wrong = put(Self.atEnd.replacing(#""therapy""#, with: #""moon""#), to: study)
        #expect(wrong.wrongFields.contains("outcomes.0.source"))
        #expect(put(Self.atEnd, to: study).status == 200)
        let path = "/studies/\(study)/questionnaires"
        let added = portal.call(
            .post, path, #"{"questionnaire_key": "wellbeing-5", "time_point": "t-1"}"#, as: .lena)
        #expect(added.status == 409 && added.json["code"]?.string == "named_by_outcome", "\(added.text)")
        let less = Self.points.replacing(#""key": "t-1""#, with: #""key": "t-2""#)
        let gone = portal.change(.patch, "/studies/\(study)", less, as: .lena)
        #expect(gone.status == 422 && gone.wrongFields == ["time_points"], "\(gone.text)")
        #expect(portal.call(.delete, "/studies/\(study)/groups", as: .lena).status == 204)
        #expect(portal.change(.patch, "/studies/\(study)", less, as: .lena).status == 200)
    }

    @Test func `ST-4 the form offers what therapies may ask`() {
        let study = desk.begin(Self.points)
        let path = "/studies/\(study)/groups"
        #expect(portal.get(path, as: .lena).text.contains(">Aus der Therapie: "))
        var form = [
            ("allocation", "alternating"), ("arm_full", "true"), ("arm_no_interventions", "true"),
            ("size", "1"), ("sample_size", "4"), ("outcome_1", "therapy/wellbeing-5/wellbeing"),
            ("outcome_1_day", "28"), ("outcome_1_primary", "true"),
        ]
        let alone = portal.post(path, form, as: .lena)
        #expect(alone.status == 422 && alone.text.contains("nur an einem Zeitpunkt"))
        form[6] = ("outcome_1_time_point", "t-1")
        #expect(portal.post(path, form, as: .lena).status == 303)
        let page = portal.get(path, as: .lena).text
        #expect(page.contains(#"<option value="therapy/wellbeing-5/wellbeing" selected>"#))
        // Without time points there is nothing of the therapy.
        let plain = desk.begin(named: "stress-27")
        #expect(!portal.get("/studies/\(plain)/groups", as: .lena).text.contains("Aus der Therapie"))
    }
}
