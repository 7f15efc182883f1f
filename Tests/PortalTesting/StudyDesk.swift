import Database
import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import Identity
@testable import Portal
@testable import Records
@testable import Studies
@testable import Web
@testable import Wording

/// Common steps of tests of studies, over the API: Lena leads.
struct StudyDesk {
    let portal: TestPortal

    static let draft = """
        {"name": "stress-26", "title": {"de": "Stress im Alltag", "en": "Everyday stress"},
         "consent_text": {"de": "Ich nehme freiwillig teil."}, "running": true}
        """

    /// Two groups that take turns, and their outcomes.
    static let groups = """
        {"allocation": "alternating", "arms": ["full", "no_interventions"], "size": 1, "sample_size": 4,
         "outcomes": [{"is_primary": true, "questionnaire_key": "wellbeing-5", "scale": "wellbeing", "day": 28}],
         "sites": [{"name": "Ulm", "email": "ada@example.org"}]}
        """

    /// Schedules of one questionnaire: every day at these times.
    static func daily(_ clocks: String..., startDay: Int = 0) -> String {
        let schedules = clocks.map {
            #"{"type": "fixed", "at": "\#($0)", "amount": 1, "every": 1, "unit": "day", "start_day": \#(startDay)}"#
        }
        return #", "schedules": ["# + schedules.joined(separator: ", ") + "]"
    }

    /// A running study.
    func begin(_ more: String = "", named name: String = "stress-26") -> String {
        let response = portal.call(
            .post, "/studies", Self.draft.replacing("stress-26", with: name), as: .lena)
        #expect(response.status == 201, "\(response.text)")
        let id = response.id
        if !more.isEmpty {
            let changed = portal.change(.patch, "/studies/\(id)", more, as: .lena)
            #expect(changed.status == 200, "\(changed.text)")
        }
        return id
    }

    /// - Returns: the questionnaire's id in the study.
    func add(_ key: String, to study: String, _ more: String = "") -> String {
        let response = portal.call(
            .post, "/studies/\(study)/questionnaires", #"{"questionnaire_key": "\#(key)"\#(more)}"#, as: .lena
        )
        #expect(response.status == 201, "\(response.text)")
        return response.id
    }

    /// Makes a member of staff a lead of the study, too.
    func takeIn(_ person: Person) throws {
        let email = "\(person)@example.org"
        try portal.services.records.writeUnaudited(.madeUp) { [keys = portal.services.keys] connection in
            let account = try AccountStore.find(lookup: keys.lookup(email: email), connection)
            guard let account else { throw Problem.notFound }
            try StaffAccountStore.setRoles(account.roles.union([.lead]), of: account.id, connection)
        }
    }

    /// A questionnaire like the one on wellbeing, under another key.
    static func publishMood(_ portal: TestPortal) throws {
        let path = "\(Cast.root)/templates/instruments/wellbeing-5.json"
        let file = try String(contentsOfFile: path, encoding: .utf8).replacing(
            "\"wellbeing-5\"", with: "\"mood\"")
        #expect(portal.call(.post, "/questionnaires/import", file, as: .ada).status == 201)
    }

    func enrol(_ person: Person, in study: String, _ body: String = #"{"consent_accepted": true}"#)
        -> Response
    {
        portal.call(.post, "/studies/\(study)/enrolment", body, as: person)
    }

    /// A questionnaire of the caller's studies: its id there.
    func item(_ key: String, _ person: Person) -> String {
        portal.call(.get, "/my/questionnaires", as: person).list.first {
            $0["attributes"]?["key"]?.string == key
        }?["id"]?.string ?? ""
    }

    /// The version of a questionnaire to fill in now.
    func version(_ key: String, _ person: Person) -> String {
        portal.call(.get, "/my/questionnaires", as: person).list.first {
            $0["attributes"]?["key"]?.string == key
        }?["attributes"]?["questionnaire_id"]?.string ?? ""
    }

    static let wellbeing = #"{"enjoyed": 3, "calm": 3, "energy": 2, "slept": 4, "company": 3}"#

    func answer(
        _ key: String, in study: String, as person: Person, id: String = UUID().uuidString.lowercased(),
        _ answers: String = wellbeing, assignment: String? = nil
    ) -> Response {
        let reason =
            assignment.map { "\"assignment_id\": \"\($0)\"" }
            ?? "\"study_id\": \"\(study)\", \"questionnaire_id\": \"\(version(key, person))\""
        return portal.call(
            .put, "/my/contributions/\(id)",
            """
            {\(reason),
             "started_at": "\(portal.now.text)", "completed_at": "\(portal.now.text)", "timezone": "Europe/Vienna",
             "answers": \(answers)}
            """, as: person)
    }

    /// People with one sheet each, like the first of the study but for its level.
    /// - Parameter again: for people who were planted before: they left, and come back.
    func plantOthers(
        _ count: Int, from first: Int = 0, in study: String, again: Bool = false,
        level: @escaping @Sendable (Int) -> Double
    ) throws {
        try portal.services.records.writeUnaudited(.madeUp) {
            [now = portal.now, quinn = portal.cast.accounts[.quinn]] connection in
            for number in first..<first + count {
                let id = "00000000-0000-4000-8000-00000000000\(number)"
                let enrolment = again ? "00000000-0000-4000-8000-00000000001\(number)" : id
                let sheet = "00000000-0000-4000-9000-0000000000\(again ? 1 : 0)\(number)"
                let name = "S9\(again ? 1 : 0)000\(number)"
                if again {
                    try connection.run(
                        "UPDATE enrolments SET state = 'left', left_at = \(now) WHERE id = \(id)")
                }
                if !again {
                    try connection.run(
                        """
                        INSERT INTO accounts (id, kind, wrapped_key, email, email_lookup, password_hash, language, timezone,
                            created_at)
                        SELECT \(id), kind, wrapped_key, email, \(Array(id.utf8)), password_hash, language, timezone, created_at
                        FROM accounts WHERE id = \(quinn)
                        """)
                }
                _ = try EnrolmentStore.insert(
                    id: ID(enrolment), in: ID(study), account: ID(id), codename: name, isPending: false,
                    consent: 1, way: .app, timezone: "UTC", at: now, connection)
                try connection.run(
                    """
                    INSERT INTO contributions (account_id, id, study_id, enrolment_id, questionnaire_id, started_at, completed_at,
                        received_at, timezone, answers, answered, asked)
                    SELECT \(id), \(sheet), study_id, \(enrolment), questionnaire_id, started_at, completed_at, received_at, timezone,
                        answers, answered, asked FROM contributions WHERE study_id = \(study) LIMIT 1
                    """)
                try connection.run(
                    """
                    INSERT INTO contribution_scores
                        (account_id, contribution_id, position, scale, value, answered, items, needed)
                    SELECT \(id), \(sheet), 0, scale, \(level(number)), 5, 5, 5 FROM contribution_scores
                    JOIN contributions ON contributions.id = contribution_id
                    WHERE contributions.study_id = \(study) AND position = 0 LIMIT 1
                    """)
            }
        }
    }

    /// The file of an export.
    func text(_ study: String, _ format: String) throws -> String {
        let response = portal.call(.get, "/studies/\(study)/export?format=\(format)", as: .lena)
        #expect(response.status == 200)
        return String(decoding: try response.streamed(), as: UTF8.self)
    }

    /// The file of an export, read.
    func export(_ study: String, _ format: String) throws -> JSON {
        try JSON.parse(Array(try text(study, format).utf8))
    }
}
