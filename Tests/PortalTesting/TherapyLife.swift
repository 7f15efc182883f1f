import Foundation
import HTTP
import JSON
import Scheduling
import Testing
import Wire

@testable import Records
@testable import Web

/// What happens in a therapy during a study, over the API.
struct TherapyLife {
    let portal: TestPortal

    /// A study whose consent text names the days of sessions.
    static let eachSession = """
        {"tells_session_dates": true, "time_points": [
            {"key": "each", "title": {"de": "Jede Sitzung"}, "anchor": "each_session", "after": 1}]}
        """

    /// Words that `live` writes wherever words can be written.
    static let canaries = ["Kanarienvogel", "Kanarienhahn", "Kanariennotiz", "Kanarienvertretung"]

    private func path(_ person: Person) -> String { "/patients/\(portal.cast.therapies[person] ?? "")" }

    var today: String { LocalTime(portal.now, Zone("Europe/Vienna")).date.text }

    func agree(_ person: Person, _ agrees: Bool) {
        let told = portal.change(.put, "/my/privacy", #"{"research_consent": \#(agrees)}"#, as: person)
        #expect(told.status == 200, "\(told.text)")
        portal.wait(seconds: 60)
    }

    func wait(until moment: Instant) throws {
        portal.wait(milliseconds: moment.milliseconds - portal.now.milliseconds)
        try portal.wait(awake: 0)
    }

    /// - Returns: its id.
    func give(_ kind: String, _ text: String, to person: Person, by therapist: Person) -> String {
        portal.wait(seconds: 1)
        let given = portal.call(
            .post, path(person) + "/interventions", #"{"kind": "\#(kind)", "text": "\#(text)"}"#,
            as: therapist)
        #expect(given.status == 201, "\(given.text)")
        return given.id
    }

    func report(_ json: String, on intervention: String, as person: Person) {
        let told = portal.change(.patch, "/my/interventions/\(intervention)", json, as: person)
        #expect(told.status == 200, "\(told.text)")
    }

    struct Window: Sendable {
        let id: String
        let opens: Instant
        let closes: Instant
    }

    /// The plan of a person's dailies, which reaches their device by this.
    func plan(of person: Person) -> [Window] {
        portal.call(.get, "/my/dailies?days=7", as: person).list.compactMap { one in
            guard let opens = Instant(one["attributes"]?["available_from"]?.string ?? ""),
                let closes = Instant(one["attributes"]?["due_at"]?.string ?? "")
            else { return nil }
            return Window(id: one["id"]?.string ?? "", opens: opens, closes: closes)
        }
    }

    func answer(_ assignment: String, feeling: Int, as person: Person) {
        let sent = portal.call(
            .put, "/my/contributions/\(UUID().uuidString.lowercased())",
            """
            {"assignment_id": "\(assignment)", "started_at": "\(portal.now.text)", "completed_at": "\(portal.now.text)",
             "timezone": "Europe/Vienna", "answers": {"thought": 1, "feeling": \(feeling)}}
            """, as: person)
        #expect(sent.status == 201, "\(sent.text)")
    }

    /// A session of a day in November, at ten in Vienna.
    /// - Returns: its id.
    func note(_ person: Person, by therapist: Person, day: Int) throws -> String {
        note(person, by: therapist, from: try #require(Instant("2026-11-\(day)T09:00:00Z")))
    }

    private func note(_ person: Person, by therapist: Person, from: Instant) -> String {
        let times = #"{"starts_at": "\#(from.text)", "ends_at": "\#(from.adding(seconds: 3000).text)"}"#
        let noted = portal.call(.post, path(person) + "/sessions", times, as: therapist)
        #expect(noted.status == 201, "\(noted.text)")
        return noted.id
    }

    func mark(_ session: String, of person: Person, by therapist: Person, as state: String) {
        let marked = portal.change(
            .patch, path(person) + "/sessions/\(session)", #"{"state": "\#(state)"}"#, as: therapist)
        #expect(marked.status == 200, "\(marked.text)")
    }

    /// Two days of a therapy with everything in it that a study may be told: interventions, a session, a pause, dailies, a sheet.
    func live(_ person: Person, by therapist: Person) throws {
        let given = give("task", Self.canaries[0], to: person, by: therapist)
        _ = give("question", Self.canaries[1], to: person, by: therapist)
        portal.wait(seconds: 60)
        report(#"{"opened_at": "\#(portal.now.text)"}"#, on: given, as: person)
        let next = plan(of: person).first { $0.opens > portal.now }
        if let next {
            try wait(until: next.opens.adding(seconds: 60))
            answer(next.id, feeling: 3, as: person)
        }
        try portal.wait(awake: 1)
        let session = note(person, by: therapist, from: portal.now.adding(seconds: -3600))
        mark(session, of: person, by: therapist, as: "held")
        let written = portal.change(
            .patch, path(person) + "/sessions/\(session)", #"{"note": "\#(Self.canaries[2])"}"#, as: therapist
        )
        #expect(written.status == 200, "\(written.text)")
        let sheet = portal.call(
            .post, path(person) + "/contributions",
            """
            {"questionnaire_key": "wellbeing-5", "completed_at": "\(portal.now.text)", "answers": \(StudyDesk.wellbeing)}
            """, as: therapist)
        #expect(sheet.status == 201, "\(sheet.text)")
        let pause = portal.call(
            .post, path(person) + "/pauses",
            #"{"starts_on": "\#(today)", "ends_on": "\#(today)", "cover": "\#(Self.canaries[3])"}"#,
            as: therapist)
        #expect(pause.status == 201, "\(pause.text)")
        try portal.wait(awake: 1)
    }
}
