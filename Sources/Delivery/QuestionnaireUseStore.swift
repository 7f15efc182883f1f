import Database
import Identity
import Instruments
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// Every statement about the patients asked a questionnaire, by hand or by plan.
package enum QuestionnaireUseStore {
    /// Whether an account was ever assigned this version.
    static func wasAssigned(
        _ questionnaire: ID<QuestionnaireVersion>, to account: ID<Account>, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.exists(
            """
            SELECT 1 FROM assignments JOIN therapies ON therapies.id = assignments.therapy_id
            WHERE assignments.questionnaire_id = \(questionnaire) AND therapies.account_id = \(account) LIMIT 1
            """)
    }

    /// The questionnaire of dailies: the clinic's, and of running therapies that get them.
    static func dailies(
        _ question: UseQuestion, _ connection: borrowing Connection
    ) throws -> [QuestionnaireUse] {
        let key = DailyPlan.questionnaireKey
        guard question.keys.contains(key) else { return [] }
        let uses = try connection.all(
            """
            SELECT therapist_id, count(*) FROM therapies WHERE ended_at IS NULL AND account_id IS NOT NULL
            AND dailies_off_at IS NULL AND \(sql: TherapyStore.asksByApp)
            AND (\(!question.isOwnOnly) OR therapist_id = \(question.reader.id)) GROUP BY therapist_id
            """
        ) { row in QuestionnaireUse(key, .dailies, question.whose([try row[0]]), count: try row[1]) }
        return question.isOwnOnly ? uses : [QuestionnaireUse(key, .dailies, .clinic)] + uses
    }

    /// Batteries are the clinic's: no account is noted as their author.
    static func batteries(
        _ question: UseQuestion, _ connection: borrowing Connection
    ) throws -> [QuestionnaireUse] {
        if question.isOwnOnly { return [] }
        return try connection.all(
            """
            SELECT questionnaire_key, name, id FROM batteries JOIN battery_items ON battery_id = batteries.id
            WHERE questionnaire_key IN \(list: question.keys) AND removed_at IS NULL
            """
        ) { row in (key: try row[0] as String, name: try row[1] as String, id: try row[2] as ID<Battery>) }
        .sorted(byName: \.name, then: \.id).map {
            QuestionnaireUse($0.key, .battery, .clinic, name: $0.name, path: "/batteries/\($0.id)")
        }
    }

    /// Running therapies with a plan that assigns it, or assigns something after its results. A protocol's part of a
    /// plan is its author's to change.
    static func plans(
        _ question: UseQuestion, _ connection: borrowing Connection
    ) throws -> [QuestionnaireUse] {
        try question.keys.flatMap { key in
            try connection.all(
                """
                SELECT DISTINCT codename, therapies.id, therapist_id FROM therapies
                JOIN delivery_rules ON delivery_rules.therapy_id = therapies.id
                LEFT JOIN battery_items ON battery_items.battery_id = delivery_rules.battery_id
                WHERE therapies.ended_at IS NULL AND stopped_at IS NULL
                AND \(key) IN (delivery_rules.questionnaire_key, battery_items.questionnaire_key, watched_key)
                AND (\(!question.isOwnOnly) OR therapist_id = \(question.reader.id) AND protocol_id IS NULL)
                ORDER BY codename
                """
            ) { row in
                let therapy: ID<Therapy> = try row[1]
                return QuestionnaireUse(
                    key, .plan, question.whose([try row[2]]), name: try row[0],
                    path: "/patients/\(therapy)/deliveries", therapy: therapy.text)
            }
        }
    }

    /// Open or coming assignments. They stay, and need no change.
    static func assignments(
        _ question: UseQuestion, _ connection: borrowing Connection
    ) throws -> [QuestionnaireUse] {
        if question.isOwnOnly { return [] }
        return try connection.all(
            """
            SELECT key, therapist_id, count(*) FROM assignments
            JOIN questionnaires ON questionnaires.id = questionnaire_id
            JOIN therapies ON therapies.id = assignments.therapy_id
            WHERE key IN \(list: question.keys) AND withdrawn_at IS NULL AND due_at > \(question.now)
            AND planned_on IS NULL
            AND NOT EXISTS (SELECT 1 FROM contributions WHERE assignment_id = assignments.id)
            GROUP BY key, therapist_id
            """
        ) { row in
            QuestionnaireUse(try row[0], .assignments, question.whose([try row[1]]), count: try row[2])
        }
    }

    /// For how many days an answer or an assignment shows that a patient is asked.
    private static let lately: Int64 = 90

    /// Whether one of these patients is asked it: by plan, three times a day, by hand, or recently.
    /// - Parameter therapies: running ones.
    package static func isAsked(
        _ key: String, among therapies: [ID<Therapy>], at now: Instant, _ connection: borrowing Connection
    ) throws -> Bool {
        if key == DailyPlan.questionnaireKey {
            for therapy in therapies where try DailyStore.course(therapy, connection)?.isOn ?? false {
                return true
            }
        }
        let from = now.adding(days: -lately)
        let versions = try QuestionnaireStore.versions(key, connection).map(\.id)
        let isPlanned = try connection.exists(
            """
            SELECT 1 FROM delivery_rules
            LEFT JOIN battery_items ON battery_items.battery_id = delivery_rules.battery_id
            WHERE therapy_id IN \(list: therapies) AND stopped_at IS NULL
            AND \(key) IN (delivery_rules.questionnaire_key, battery_items.questionnaire_key) LIMIT 1
            """)
        if isPlanned || versions.isEmpty { return isPlanned }
        let isAssigned = try connection.exists(
            """
            SELECT 1 FROM assignments WHERE therapy_id IN \(list: therapies)
            AND questionnaire_id IN \(list: versions) AND withdrawn_at IS NULL AND due_at > \(from) LIMIT 1
            """)
        if isAssigned { return true }
        return try connection.exists(
            """
            SELECT 1 FROM contributions WHERE therapy_id IN \(list: therapies)
            AND questionnaire_id IN \(list: versions) AND completed_at > \(from) LIMIT 1
            """)
    }
}
