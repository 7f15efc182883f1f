import Database
import JSON
import Questionnaires
import Records
import Synchronization
import Web
import Wire
import Wording

/// One unchangeable version of a questionnaire.
package struct QuestionnaireRecord: Sendable {
    package let id: String
    package let key: String
    package let version: Int
    package let publishedAt: Instant
    package let definition: QuestionnaireDefinition

    package init(
        id: String, key: String, version: Int, publishedAt: Instant, definition: QuestionnaireDefinition
    ) {
        self.id = id
        self.key = key
        self.version = version
        self.publishedAt = publishedAt
        self.definition = definition
    }

    /// The title in the language that the whole questionnaire is shown in.
    package func title(_ language: Language) -> String {
        definition.title[definition.language(asked: language.rawValue)] ?? key
    }
}

/// Versions never change, so each is read and checked once.
package final class QuestionnaireCache: Part {
    private let known = Mutex<[String: QuestionnaireRecord]>([:])

    package init() {}

    fileprivate func record(_ id: String, _ load: () throws -> QuestionnaireRecord?) rethrows
        -> QuestionnaireRecord?
    {
        if let record = known.withLock({ $0[id] }) { return record }
        let record = try load()
        if let record { known.withLock { $0[id] = record } }
        return record
    }
}

/// Every statement about questionnaires.
package enum QuestionnaireStore {
    package static func find(
        _ id: String, _ cache: QuestionnaireCache, _ connection: borrowing Connection
    ) throws -> QuestionnaireRecord? {
        try cache.record(id) {
            try connection.first("SELECT * FROM questionnaires WHERE id = \(id)") { row in try record(row) }
        }
    }

    /// The version of a key that is in force; nil when there is none, or it was retired.
    package static func newest(
        _ key: String, _ cache: QuestionnaireCache, _ connection: borrowing Connection
    ) throws -> QuestionnaireRecord? {
        let id: String? = try connection.value(
            "SELECT id FROM questionnaires WHERE key = \(key) AND retired_at IS NULL ORDER BY version DESC LIMIT 1"
        )
        return try id.flatMap { try find($0, cache, connection) }
    }

    /// The version in force of every key, by key.
    package static func newest(
        _ cache: QuestionnaireCache, _ connection: borrowing Connection
    ) throws -> [QuestionnaireRecord] {
        try newest(isRetired: false, cache, connection)
    }

    private static func newest(
        isRetired: Bool, _ cache: QuestionnaireCache, _ connection: borrowing Connection
    ) throws -> [QuestionnaireRecord] {
        let ids: [String] = try connection.all(
            """
            SELECT id FROM questionnaires AS mine WHERE version =
                (SELECT max(version) FROM questionnaires AS other WHERE other.key = mine.key)
            AND (retired_at IS NOT NULL) = \(isRetired) ORDER BY key
            """
        ) { row in try row[0] }
        return try ids.compactMap { try find($0, cache, connection) }
    }

    /// Whether an account was ever assigned this version of a questionnaire, or it belongs to a study that they take part
    /// in, took part in, or can enrol in.
    package static func wasAssigned(
        _ questionnaire: String, to account: String, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.exists(
            """
            SELECT 1 FROM assignments JOIN therapies ON therapies.id = assignments.therapy_id
            WHERE assignments.questionnaire_id = \(questionnaire) AND therapies.account_id = \(account)
            UNION ALL
            SELECT 1 FROM questionnaires JOIN study_questionnaires ON questionnaire_key = questionnaires.key
            JOIN studies ON studies.id = study_questionnaires.study_id
            WHERE questionnaires.id = \(questionnaire) AND ((is_running = 1 AND is_hidden = 0) OR EXISTS
                (SELECT 1 FROM enrolments WHERE enrolments.study_id = studies.id AND account_id = \(account)))
            LIMIT 1
            """)
    }

    package static func key(of id: String, _ connection: borrowing Connection) throws -> String? {
        try connection.value("SELECT key FROM questionnaires WHERE id = \(id)")
    }

    /// Whether there is any version of a key.
    static func exists(_ key: String, _ connection: borrowing Connection) throws -> Bool {
        try connection.exists("SELECT 1 FROM questionnaires WHERE key = \(key) LIMIT 1")
    }

    /// All versions of a key, the newest first, and when each was retired.
    package static func versions(
        _ key: String, _ connection: borrowing Connection
    ) throws -> [(id: String, version: Int, publishedAt: Instant, retiredAt: Instant?)] {
        try connection.all(
            "SELECT id, version, published_at, retired_at FROM questionnaires WHERE key = \(key) ORDER BY version DESC"
        ) { row in
            (id: try row[0], version: try row[1], publishedAt: try row[2], retiredAt: try row[3])
        }
    }

    /// The newest version of every key that is retired, by key.
    package static func retired(
        _ cache: QuestionnaireCache, _ connection: borrowing Connection
    ) throws -> [QuestionnaireRecord] {
        try newest(isRetired: true, cache, connection)
    }

    /// The file of a version, as it was published.
    package static func file(_ id: String, _ connection: borrowing Connection) throws -> JSON? {
        try connection.first("SELECT definition, version FROM questionnaires WHERE id = \(id)") { row in
            let (text, version): (String, Int) = (try row[0], try row[1])
            let json = try JSON.parse(Array(text.utf8))
            return json.setting(DocumentPath("version"), .number(Double(version)))
        }
    }

    /// Where a questionnaire is needed.
    struct Uses: Sendable {
        /// The names of the batteries it stands in.
        let batteries: [String]
        /// Running therapies that are assigned it by themselves.
        let plans: Int
        let studies: Int
        /// Rules that are switched on and look at it.
        let rules: Int
        /// Assignments that are open or coming.
        let open: Int
        /// It is the one that is asked three times a day.
        let isDaily: Bool

        var isEmpty: Bool {
            batteries.isEmpty && plans == 0 && studies == 0 && rules == 0 && open == 0 && !isDaily
        }
    }

    static func uses(
        of key: String, at now: Instant, _ connection: borrowing Connection
    ) throws -> Uses {
        let batteries: [String] = try connection.all(
            """
            SELECT name FROM batteries JOIN battery_items ON battery_id = batteries.id
            WHERE questionnaire_key = \(key) ORDER BY name
            """
        ) { row in try row[0] }
        let plans = try connection.count(
            """
            SELECT count(DISTINCT therapies.id) FROM therapies
            JOIN delivery_rules ON delivery_rules.therapy_id = therapies.id
            LEFT JOIN battery_items ON battery_items.battery_id = delivery_rules.battery_id
            WHERE therapies.ended_at IS NULL AND stopped_at IS NULL
            AND \(key) IN (delivery_rules.questionnaire_key, battery_items.questionnaire_key)
            """)
        let studies = try connection.count(
            """
            SELECT count(*) FROM study_questionnaires JOIN studies ON studies.id = study_id
            WHERE questionnaire_key = \(key) AND deactivated_at IS NULL AND is_running = 1
            """)
        let rules = try connection.count(
            """
            SELECT count(*) FROM rules WHERE retired_at IS NULL AND enabled_at IS NOT NULL
            AND EXISTS (SELECT 1 FROM json_each(definition, '$.conditions')
                WHERE json_extract(value, '$.questionnaire_key') = \(key))
            """)
        let open = try connection.count(
            """
            SELECT count(*) FROM assignments JOIN questionnaires ON questionnaires.id = questionnaire_id
            WHERE key = \(key) AND withdrawn_at IS NULL AND due_at > \(now) AND planned_on IS NULL
            AND NOT EXISTS (SELECT 1 FROM contributions WHERE assignment_id = assignments.id)
            """)
        return Uses(
            batteries: batteries, plans: plans, studies: studies, rules: rules, open: open,
            isDaily: key == "intersession-daily")
    }

    /// Takes all versions of a key out of use; what is assigned stays.
    package static func retire(_ key: String, at now: Instant?, _ connection: borrowing Connection) throws {
        try connection.run("UPDATE questionnaires SET retired_at = \(now) WHERE key = \(key)")
    }

    /// Stores a file that was read without a fault, as the next version of its key.
    package static func insert(
        _ json: JSON, _ definition: QuestionnaireDefinition, id: String, at now: Instant,
        _ connection: borrowing Connection
    ) throws -> Int {
        let key = definition.key
        let newest: Int?? = try connection.value("SELECT max(version) FROM questionnaires WHERE key = \(key)")
        let version = ((newest ?? nil) ?? 0) + 1
        let text = String(decoding: try JSONWriter.bytes(of: json), as: UTF8.self)
        try connection.run(
            """
            INSERT INTO questionnaires (id, key, version, definition, published_at)
            VALUES (\(id), \(key), \(version), \(text), \(now))
            """)
        return version
    }

    private static func record(_ row: borrowing Row) throws -> QuestionnaireRecord {
        let text: String = try row["definition"]
        return QuestionnaireRecord(
            id: try row["id"], key: try row["key"], version: try row["version"],
            publishedAt: try row["published_at"], definition: try QuestionnaireFile.read(Array(text.utf8)))
    }
}

extension AuditAction {
    package static let questionnaireImported = AuditAction(name: "questionnaire.imported")
}
