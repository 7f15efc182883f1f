import Database
import JSON
import Records
import Scheduling
import Web
import Wire

/// A participant's own times, from a moment on; nil stands for the leads' times.
package struct OwnPlan: Sendable {
    package let since: Instant
    package let times: NotificationTimes?
}

extension OwnPlan {
    /// - Parameter text: the plan as stored.
    init(since: Instant, text: String?) throws {
        let wire = try text.map { try JSONReader.value(NotificationPlan.self, from: $0.utf8) }
        self.init(since: since, times: wire.flatMap(NotificationTimes.init))
    }
}

/// Every statement about participants' own times.
package enum NotificationTimesStore {
    /// The revision of the plan in force for a participant, own or the leads'.
    static let revision: RevisionOf = { places, account, connection in
        guard let item = ID<StudyItem>(uuid: places["item"]) else { return nil }
        return try connection.revision(
            """
            SELECT since, plan, (SELECT max(since) FROM study_schedules WHERE item_id = \(item))
            FROM study_questionnaires JOIN enrolments ON enrolments.study_id = study_questionnaires.study_id
            LEFT JOIN notification_plans ON enrolment_id = enrolments.id AND item_id = study_questionnaires.id
            WHERE study_questionnaires.id = \(item) AND account_id = \(account)
            ORDER BY enrolments.asked_at DESC, since DESC LIMIT 1
            """)
    }

    /// Of one participant, by questionnaire, the earliest first.
    package static func all(
        of enrolment: ID<Enrolment>, _ connection: borrowing Connection
    ) throws -> [ID<StudyItem>: [OwnPlan]] {
        let rows = try connection.all(
            "SELECT item_id, since, plan FROM notification_plans WHERE enrolment_id = \(enrolment) ORDER BY since"
        ) { row in (item: try row[0] as ID<StudyItem>, plan: try OwnPlan(since: row[1], text: row[2])) }
        return Dictionary(grouping: rows, by: \.item).mapValues { $0.map(\.plan) }
    }

    static func set(
        _ times: NotificationTimes, for item: ID<StudyItem>, of enrolment: ID<Enrolment>, since now: Instant,
        _ connection: borrowing Connection
    ) throws {
        let text = String(decoding: try JSONWriter.bytes(of: times.wire), as: UTF8.self)
        try connection.run(
            """
            INSERT INTO notification_plans (enrolment_id, item_id, since, plan)
            VALUES (\(enrolment), \(item), \(now), \(text))
            ON CONFLICT (enrolment_id, item_id, since) DO UPDATE SET plan = excluded.plan
            """)
    }

    /// The number of participants with own times for a questionnaire.
    package static func count(of item: ID<StudyItem>, _ connection: borrowing Connection) throws -> Int {
        try connection.count(
            """
            SELECT count(*) FROM enrolments WHERE state = 'enrolled' AND (SELECT plan FROM notification_plans
                WHERE enrolment_id = enrolments.id AND item_id = \(item) ORDER BY since DESC LIMIT 1) IS NOT NULL
            """)
    }

    /// The leads' times apply to all again, from now on.
    package static func end(of item: ID<StudyItem>, since now: Instant, _ connection: borrowing Connection)
        throws
    {
        try connection.run(
            """
            INSERT INTO notification_plans (enrolment_id, item_id, since, plan)
            SELECT DISTINCT enrolment_id, item_id, CAST(\(now) AS BIGINT), NULL FROM notification_plans
            WHERE item_id = \(item) AND since < \(now)
            """)
    }
}
