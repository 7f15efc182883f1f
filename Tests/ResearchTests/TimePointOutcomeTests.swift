import Database
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Research
@testable import Studies
@testable import Web

/// ST-4: outcomes that name a time point.
@Suite struct TimePointOutcomeTests {
    private let portal: TestPortal
    private let desk: StudyDesk

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
    }

    private static let points = """
        {"time_points": [
            {"key": "t1", "title": {"de": "Ende der Behandlung"}, "anchor": "enrolment", "day": 6, "before": 1, "after": 1},
            {"key": "t0", "title": {"de": "Beginn"}, "anchor": "enrolment", "day": 0, "after": 1},
            {"key": "op", "title": {"de": "Operation"}, "anchor": "lead", "after": 2}]}
        """

    private static func outcome(_ when: String, isPrimary: Bool = true) -> String {
        #"{"is_primary": \#(isPrimary), "questionnaire_key": "wellbeing-5", "scale": "wellbeing", \#(when)}"#
    }

    private static let atEnd = outcome(#""time_point": "t1""#)

    private func put(_ outcomes: String..., to study: String) -> Response {
        let all = outcomes.joined(separator: ", ")
        let body = """
            {"allocation": "alternating", "arms": ["full", "no_interventions"], "size": 1, "sample_size": 4,
             "outcomes": [\(all)],
             "sites": [{"name": "Ulm", "email": "ada@example.org"}, {"name": "Ulm", "email": "ben@example.org"}]}
            """
        return portal.change(.put, "/studies/\(study)/groups", body, as: .lena)
    }

    /// - Returns: the study, and its questionnaires at begin and end.
    private func trial(_ atEnd: String = "") -> (study: String, begin: String, end: String) {
        let study = desk.begin(Self.points)
        let begin = desk.add("wellbeing-5", to: study, #", "time_point": "t0""#)
        return (study, begin, desk.add("wellbeing-5", to: study, #", "time_point": "t1"\#(atEnd)"#))
    }

    private func answer(_ study: String, _ values: [Person: Int]) {
        for (person, value) in values {
            let sent = desk.answer("wellbeing-5", in: study, as: person, ComparisonTests.sheet(value))
            #expect(sent.status == 201, "\(sent.text)")
        }
    }

    private func compared(_ study: String) -> [JSON] {
        portal.call(.get, "/studies/\(study)/comparisons", as: .lena).list.compactMap { $0["attributes"] }
    }

    private func full(_ compared: JSON?, _ what: String) -> JSON? {
        compared?["arms"]?.array?.first?[what]?["mean"]
    }

    @Test
    func `ST-4 an outcome compares what its questionnaire says at the time point with the earliest before`()
        throws
    {
        let (study, _, _) = trial()
        let second = Self.outcome(#""day": 28"#, isPrimary: false)
        #expect(put(second, Self.atEnd, to: study).status == 200)
        let stored = portal.call(.get, "/studies/\(study)/groups", as: .lena).attributes["outcomes"]?.array
        // The primary one stands first.
        #expect(stored?.map { $0["time_point"] } == [.string("t1"), .null])
        #expect(stored?.map { $0["day"] } == [.null, .number(28)])
        #expect(stored?.first?["value"] == .null)
        for person in [Person.pia, .quinn] { #expect(desk.enrol(person, in: study).status == 201) }
        answer(study, [.pia: 1, .quinn: 1])
        try portal.wait(awake: 6)
        answer(study, [.pia: 4])
        let told = compared(study)
        #expect(told.map { $0["time_point"] } == [.string("t1"), .null] && told.first?["day"] == .null)
        #expect(full(told.first, "begin") == .number(20) && full(told.first, "change") == .number(60))
        #expect(told.first?["arms"]?.array?.map { $0["n"] } == [.number(1), .number(0)])
        let page = portal.get("/studies/\(study)/results", as: .lena).text
        #expect(page.contains("Ende der Behandlung</span> <span class=\"badge\">primär"))
        #expect(
            page.contains("Tag 28</span> <span class=\"badge\">sekundär") && page.contains(">+60,00 (–)<"))
        // Nothing may be changed once there are participants, and the same may be said again.
        #expect(put(second, Self.atEnd, to: study).status == 200)
        let changed = put(Self.outcome(#""time_point": "t1", "value": "last""#), to: study)
        #expect(changed.status == 422 && changed.text.contains("groups_fixed"), "\(changed.text)")
        // The first page says how far it is, and when it ends.
        let first = { portal.get("/studies/\(study)", as: .lena).text }
        #expect(first().contains("bis „Ende der Behandlung“") && first().contains("nach Tag 28"))
        #expect(first().contains("Für 1 von 2 Personen sind alle Werte da."))
    }

    @Test(arguments: [("null", 60), (#""first""#, 40), (#""last""#, 80), (#""mean""#, 60)])
    func `ST-4 several values at a time point become one as the outcome says`(value: String, end: Double)
        throws
    {
        let (study, _, _) = trial(StudyDesk.daily("12:00"))
        #expect(put(Self.outcome(#""time_point": "t1", "value": \#(value)"#), to: study).status == 200)
        for person in [Person.pia, .quinn] { #expect(desk.enrol(person, in: study).status == 201) }
        answer(study, [.pia: 1])
        try portal.wait(awake: 5)
        answer(study, [.pia: 2])
        try portal.wait(awake: 1)
        answer(study, [.pia: 4])
        #expect(full(compared(study).first, "end") == .number(end))
    }

    @Test func `ST-4 without an earlier time point the values themselves are compared`() throws {
        let study = desk.begin(Self.points)
        _ = desk.add("wellbeing-5", to: study, #", "time_point": "t1""#)
        #expect(put(Self.atEnd, to: study).status == 200)
        for person in [Person.pia, .quinn] { #expect(desk.enrol(person, in: study).status == 201) }
        try portal.wait(awake: 6)
        answer(study, [.pia: 4, .quinn: 2])
        let told = compared(study).first
        #expect(full(told, "begin") == nil && full(told, "end") == .number(80))
        #expect(told?["arms"]?.array?.map { $0["n"] } == [.number(1), .number(1)])
        let page = portal.get("/studies/\(study)/results", as: .lena).text
        #expect(page.contains(">80,00 (–)<") && page.contains("1 von 1"))
    }

    @Test func `ST-4 the baseline is the begin, whatever comes between`() throws {
        let study = desk.begin(Self.points)
        _ = desk.add("wellbeing-5", to: study, #", "baseline": "required", "is_onetime": true"#)
        _ = desk.add("wellbeing-5", to: study, #", "time_point": "t0""#)
        _ = desk.add("wellbeing-5", to: study, #", "time_point": "t1""#)
        #expect(put(Self.atEnd, to: study).status == 200)
        let (scale, items, points, groups) = try portal.services.records.read { connection in
            let id: ID<Study> = ID(study)
            let groups = try #require(try GroupStore.find(id, connection)?.groups)
            return (
                "wellbeing", try StudyItemStore.all(in: id, connection),
                try StudyStore.find(id, connection)?.timePoints ?? [], groups
            )
        }
        let end = try #require(items.first { $0.timePoint == "t1" })
        let begin = { (items: [StudyItem]) in
            TimePointOutcome(scale: scale, end: end, among: items, points, groups).begin
        }
        #expect(begin(items)?.baseline == .required)
        // By their days, not as they are listed.
        #expect(begin(items.filter { $0.timePoint != nil })?.timePoint == "t0")
        #expect(begin([end]) == nil)
        // Nothing hangs on the order of the questionnaires.
        let earlier = items.filter { $0.timePoint != nil }
        #expect(begin(earlier.reversed())?.timePoint == "t0")
    }

    @Test func `ST-4 what an outcome begins with stays once there are participants`() throws {
        let (study, begin, _) = trial()
        #expect(put(Self.atEnd, to: study).status == 200)
        let path = "/studies/\(study)/questionnaires"
        let baseline = desk.add("wellbeing-5", to: study, #", "baseline": "recommended""#)
        #expect(portal.call(.delete, "\(path)/\(baseline)", as: .lena).status == 204)
        #expect(desk.enrol(.pia, in: study).status == 201)
        let expectRefused = { (refused: Response) in
            #expect(refused.status == 409, "\(refused.text)")
            #expect(refused.json["code"]?.string == "named_by_outcome")
        }
        let added = #"{"questionnaire_key": "wellbeing-5", "baseline": "recommended"}"#
        expectRefused(portal.call(.post, path, added, as: .lena))
        expectRefused(portal.call(.delete, "\(path)/\(begin)", as: .lena))
        let later = Self.points.replacing(#""day": 0"#, with: #""day": 9"#)
        expectRefused(portal.change(.patch, "/studies/\(study)", later, as: .lena))
        // What no outcome begins with comes and goes.
        let plain = desk.add("wellbeing-5", to: study)
        expectRefused(portal.change(.patch, "\(path)/\(plain)", #"{"baseline": "recommended"}"#, as: .lena))
        #expect(portal.change(.patch, "\(path)/\(plain)", #"{"is_onetime": true}"#, as: .lena).status == 200)
        #expect(portal.call(.delete, "\(path)/\(plain)", as: .lena).status == 204)
        let wider = Self.points.replacing(#""day": 0, "after": 1"#, with: #""day": 0, "after": 2"#)
        #expect(portal.change(.patch, "/studies/\(study)", wider, as: .lena).status == 200)
    }

    @Test func `ST-4 how several values become one stays once there are participants`() throws {
        let study = desk.begin(Self.points)
        let begin = desk.add("wellbeing-5", to: study, #", "time_point": "t0""# + StudyDesk.daily("12:00"))
        let end = desk.add("wellbeing-5", to: study, #", "time_point": "t1""# + StudyDesk.daily("12:00"))
        #expect(put(Self.atEnd, to: study).status == 200)
        let path = "/studies/\(study)/questionnaires"
        let change = { (item: String, once: Bool) in
            portal.change(.patch, "\(path)/\(item)", #"{"is_onetime": \#(once)}"#, as: .lena)
        }
        #expect(change(end, true).status == 200 && change(end, false).status == 200)
        #expect(desk.enrol(.pia, in: study).status == 201)
        for item in [begin, end] {
            let refused = change(item, true)
            #expect(refused.status == 409 && refused.json["code"]?.string == "named_by_outcome")
            #expect(refused.json["message"]?.string?.contains("wie aus mehreren Werten") == true)
        }
        // Where the outcome says it itself, its questionnaire is free.
        let named = Self.outcome(#""time_point": "t1", "value": "last""#)
        let other = desk.begin(Self.points, named: "stress-27")
        _ = desk.add("wellbeing-5", to: other, #", "time_point": "t0""#)
        let free = desk.add("wellbeing-5", to: other, #", "time_point": "t1""# + StudyDesk.daily("12:00"))
        #expect(put(named, to: other).status == 200)
        #expect(desk.enrol(.quinn, in: other).status == 201)
        let freely = portal.change(
            .patch, "/studies/\(other)/questionnaires/\(free)", #"{"is_onetime": true}"#, as: .lena)
        #expect(freely.status == 200, "\(freely.text)")
    }

    @Test func `ST-4 a form that cannot be done keeps what was typed, and says why`() throws {
        let (study, begin, _) = trial()
        #expect(put(Self.atEnd, to: study).status == 200)
        #expect(desk.enrol(.pia, in: study).status == 201)
        let path = "/studies/\(study)/questionnaires"
        let form = [
            ("questionnaire_key", "wellbeing-5"), ("baseline", "recommended"), ("is_active", "true"),
            ("type", "fixed"), ("amount", "1"), ("every", "3"), ("unit", "day"), ("at", "18:05"),
            ("start_day", "4"),
        ]
        let added = portal.post(path, form, as: .lena)
        #expect(added.status == 409, "\(added.text)")
        #expect(added.text.contains("Das wurde nicht gespeichert"))
        #expect(added.text.contains("Deshalb bleibt, womit ihre Zielgrößen beginnen"))
        #expect(added.text.contains(#"<option value="recommended" selected>"#))
        #expect(added.text.contains(#"value="18:05""#))
        let revision = portal.revision(on: "\(path)/\(begin)", as: .lena)
        let moved = portal.post("\(path)/\(begin)", [revision, ("time_point", "op")], as: .lena)
        #expect(moved.status == 409 && moved.text.contains(#"<option value="op" selected>"#))
        #expect(moved.text.contains("Deshalb bleiben der Zeitpunkt eines Fragebogens"))
    }

    @Test func `ST-4 a baseline that is asked again and again is its first value`() throws {
        let study = desk.begin(Self.points)
        _ = desk.add("wellbeing-5", to: study, #", "baseline": "recommended""# + StudyDesk.daily("12:00"))
        _ = desk.add("wellbeing-5", to: study, #", "time_point": "t1""#)
        #expect(put(Self.atEnd, to: study).status == 200)
        for person in [Person.pia, .quinn] { #expect(desk.enrol(person, in: study).status == 201) }
        for value in [1, 3] {
            try portal.wait(awake: 1)
            answer(study, [.pia: value])
        }
        try portal.wait(awake: 4)
        let end = portal.call(.get, "/my/assignments", as: .pia).list.first {
            $0["attributes"]?["time_point"]?.string == "t1"
        }
        let sent = desk.answer(
            "wellbeing-5", in: study, as: .pia, ComparisonTests.sheet(4), assignment: end?["id"]?.string)
        #expect(sent.status == 201, "\(sent.text)")
        let told = compared(study).first
        #expect(full(told, "begin") == .number(20) && full(told, "end") == .number(80))
    }

    @Test func `ST-4 the result waits a week for what was completed at the last time point and comes later`()
        throws
    {
        let (study, _, _) = trial()
        #expect(put(Self.atEnd, to: study).status == 200)
        for person in [Person.pia, .quinn] { #expect(desk.enrol(person, in: study).status == 201) }
        let closure = portal.post("/studies/\(study)/groups/closure", [("name", "stress-26")], as: .lena)
        #expect(closure.status == 303)
        let waits = {
            portal.get("/studies/\(study)", as: .lena).text.contains("Das Ergebnis steht hier, sobald")
        }
        // The last day of the time point is the seventh.
        try portal.wait(awake: 14)
        #expect(waits())
        try portal.wait(awake: 1)
        #expect(!waits())
    }

    @Test func `ST-4 what is asked once is the first sheet, also with a schedule`() throws {
        let study = desk.begin(Self.points)
        let once = desk.add(
            "wellbeing-5", to: study, #", "time_point": "t0", "is_onetime": true"# + StudyDesk.daily("12:00"))
        let often = desk.add("wellbeing-5", to: study, #", "time_point": "t1""# + StudyDesk.daily("12:00"))
        let values = try portal.services.records.read { connection in
            try StudyItemStore.all(in: ID(study), connection).map { ($0.id.text, $0.value) }
        }
        #expect(Dictionary(uniqueKeysWithValues: values) == [once: .first, often: .mean])
    }

    @Test func `ST-4 a program of before reads a day of every outcome`() throws {
        let (study, _, _) = trial()
        let second = Self.outcome(#""day": 28"#, isPrimary: false)
        #expect(put(second, Self.atEnd, to: study).status == 200)
        let days = try portal.services.records.read { connection in
            try connection.all("SELECT day FROM study_outcomes ORDER BY day") { try $0[0] as Int }
        }
        #expect(days == [1, 28])
    }

    @Test func `ST-4 an outcome stands at a day or at a time point of its questionnaire, and holds it there`()
    {
        let (study, begin, end) = trial()
        let refused = { (when: String) in put(Self.outcome(when), to: study).wrongFields }
        #expect(refused(#""day": 28, "time_point": "t1""#) == ["outcomes.0.time_point"])
        #expect(refused(#""time_point": "op""#) == ["outcomes.0.time_point"])
        #expect(refused(#""time_point": "t7""#) == ["outcomes.0.time_point"])
        #expect(refused(#""day": 28, "value": "mean""#) == ["outcomes.0.value"])
        #expect(refused(#""time_point": "t1", "value": "median""#) == ["outcomes.0.value"])
        #expect(refused(#""value": null"#) == ["outcomes.0.day"])
        let twice = put(Self.atEnd, Self.outcome(#""time_point": "t1", "value": "last""#), to: study)
        #expect(twice.wrongFields == ["outcomes"])
        #expect(put(Self.atEnd, to: study).status == 200)
        // Neither the questionnaire nor the time point can go.
        let path = "/studies/\(study)/questionnaires"
        #expect(portal.call(.delete, "\(path)/\(begin)", as: .lena).status == 204)
        let gone = portal.call(.delete, "\(path)/\(end)", as: .lena)
        #expect(gone.status == 409 && gone.json["code"]?.string == "named_by_outcome", "\(gone.text)")
        let moved = portal.change(.patch, "\(path)/\(end)", #"{"time_point": "t0"}"#, as: .lena)
        #expect(moved.status == 409, "\(moved.text)")
        let none = portal.change(.patch, "/studies/\(study)", #"{"time_points": []}"#, as: .lena)
        #expect(none.status == 422 && none.wrongFields == ["time_points"])
        #expect(portal.call(.delete, "/studies/\(study)/groups", as: .lena).status == 204)
        #expect(portal.call(.delete, "\(path)/\(end)", as: .lena).status == 204)
    }

    @Test func `ST-4 the form offers the time points of the study`() {
        let (study, _, _) = trial()
        let path = "/studies/\(study)/groups"
        var form = [
            ("allocation", "alternating"), ("arm_full", "true"), ("arm_no_interventions", "true"),
            ("size", "1"),
            ("sample_size", "4"), ("outcome_1", "wellbeing-5/wellbeing"), ("outcome_1_day", "28"),
            ("outcome_1_time_point", "t1"), ("outcome_1_value", "last"), ("outcome_1_primary", "true"),
        ]
        let both = portal.post(path, form, as: .lena)
        #expect(both.status == 422 && both.text.contains("Bitte entweder einen Tag oder einen Zeitpunkt."))
        form[6].1 = ""
        #expect(portal.post(path, form, as: .lena).status == 303)
        let page = portal.get(path, as: .lena).text
        #expect(page.contains(#"<option value="t1" selected>Ende der Behandlung</option>"#))
        #expect(page.contains(#"<option value="last" selected>"#))
        let stored = portal.call(.get, path, as: .lena).attributes["outcomes"]?.array?.first
        #expect(stored?["time_point"]?.string == "t1" && stored?["value"]?.string == "last")
    }
}
