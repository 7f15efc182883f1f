import Database
import Instruments
import Records
import Scheduling
import Therapies
import Wire

/// Every statement about who is asked a questionnaire, by hand or by plan.
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

    /// The names of the batteries that it stands in.
    static func batteries(with key: String, _ connection: borrowing Connection) throws -> [String] {
        try connection.all(
            """
            SELECT name FROM batteries JOIN battery_items ON battery_id = batteries.id
            WHERE questionnaire_key = \(key) ORDER BY name
            """
        ) { row in try row[0] }
    }

    /// How many running therapies are assigned it by themselves.
    static func plans(of key: String, _ connection: borrowing Connection) throws -> Int {
        try connection.count(
            """
            SELECT count(DISTINCT therapies.id) FROM therapies
            JOIN delivery_rules ON delivery_rules.therapy_id = therapies.id
            LEFT JOIN battery_items ON battery_items.battery_id = delivery_rules.battery_id
            WHERE therapies.ended_at IS NULL AND stopped_at IS NULL
            AND \(key) IN (delivery_rules.questionnaire_key, battery_items.questionnaire_key)
            """)
    }

    /// How many assignments of it are open or coming.
    static func open(of key: String, at now: Instant, _ connection: borrowing Connection) throws -> Int {
        try connection.count(
            """
            SELECT count(*) FROM assignments JOIN questionnaires ON questionnaires.id = questionnaire_id
            WHERE key = \(key) AND withdrawn_at IS NULL AND due_at > \(now) AND planned_on IS NULL
            AND NOT EXISTS (SELECT 1 FROM contributions WHERE assignment_id = assignments.id)
            """)
    }

    /// For so many days back an answer or an assignment shows that somebody is asked.
    private static let lately: Int64 = 90

    /// Whether somebody among these is asked it: by plan, three times a day, by hand, or lately.
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
