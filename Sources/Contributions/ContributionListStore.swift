import Database
import Records
import Scheduling
import Therapies
import Web
import Wire

extension ContributionStore {
    package typealias Page = (part: [ContributionRecord], next: String?)

    /// An account's sheets, the newest first.
    package static func page(of account: ID<Account>, _ paging: Paging, _ connection: borrowing Connection)
        throws
        -> Page
    {
        try page("account_id = \(account)", paging, connection)
    }

    /// All of a therapy, the earliest first.
    package static func everything(
        inTherapy therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws -> [ContributionRecord] {
        try connection.all(
            "SELECT * FROM contributions WHERE therapy_id = \(therapy) ORDER BY completed_at, id")
    }

    package static func count(of account: ID<Account>, _ connection: borrowing Connection) throws -> Int {
        try connection.count("SELECT count(*) FROM contributions WHERE account_id = \(account)")
    }

    /// A therapy's sheets, the newest first.
    package static func page(
        inTherapy therapy: ID<Therapy>, _ paging: Paging, _ connection: borrowing Connection
    )
        throws
        -> Page
    {
        try page("therapy_id = \(therapy)", paging, connection)
    }

    static func page(_ whose: SQL, _ paging: Paging, _ connection: borrowing Connection) throws
        -> Page
    {
        let at = paging.after?.at ?? .max
        let id = paging.after?.id ?? ""
        // One more than the limit tells whether there is a next page.
        let records: [ContributionRecord] = try connection.all(
            """
            SELECT * FROM contributions WHERE \(sql: whose)
            AND (completed_at < \(at) OR (completed_at = \(at) AND id > \(id)))
            ORDER BY completed_at DESC, id LIMIT \(paging.limit + 1)
            """)
        let part = Array(records.prefix(paging.limit))
        let last = part.count < records.count ? part.last : nil
        return (part, last.map { paging.next(after: Position($0.completedAt, $0.id)) })
    }

    /// A therapy's sheets of one questionnaire, or of all but the dailies, the newest first.
    package static func page(
        inTherapy therapy: ID<Therapy>, key: String?, _ paging: Paging, _ connection: borrowing Connection
    ) throws -> Page {
        let wanted: SQL = """
            therapy_id = \(therapy) AND questionnaire_id IN (SELECT id FROM questionnaires
                WHERE (CAST(\(key) AS TEXT) IS NULL AND key <> \(DailyPlan.questionnaireKey)) OR key = \(key))
            """
        return try page(wanted, paging, connection)
    }

    /// The questionnaires that a therapy has sheets of, the newest version of each, and how many.
    package static func keys(
        inTherapy therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws -> [(key: String, newest: ID<QuestionnaireVersion>, count: Int)] {
        let rows = try connection.all(
            """
            SELECT questionnaires.key, questionnaires.id, count(*) FROM contributions
            JOIN questionnaires ON questionnaires.id = contributions.questionnaire_id
            WHERE therapy_id = \(therapy)
            GROUP BY questionnaires.key, questionnaires.id, questionnaires.version
            ORDER BY questionnaires.key, questionnaires.version DESC
            """
        ) { row -> (key: String, newest: ID<QuestionnaireVersion>, count: Int) in
            (key: try row[0], newest: try row[1], count: try row[2])
        }
        return Dictionary(grouping: rows, by: \.key).values.compactMap { versions in
            versions.first.map { first in
                (key: first.key, newest: first.newest, count: versions.reduce(0) { $0 + $1.count })
            }
        }.sorted { $0.key < $1.key }
    }

    /// The sheets of one questionnaire before a moment, the newest first.
    package static func earlier(
        of key: String, inTherapy therapy: ID<Therapy>, before: Instant, limit: Int,
        _ connection: borrowing Connection
    ) throws -> [ContributionRecord] {
        try connection.all(
            """
            SELECT contributions.* FROM contributions JOIN questionnaires
            ON questionnaires.id = contributions.questionnaire_id
            WHERE contributions.therapy_id = \(therapy) AND questionnaires.key = \(key)
            AND completed_at < \(before) ORDER BY completed_at DESC, contributions.id LIMIT \(limit)
            """)
    }

    /// The sheet that came in at a moment.
    package static func sheet(
        receivedAt moment: Instant, inTherapy therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws -> ID<ContributionRecord>? {
        try connection.value(
            "SELECT id FROM contributions WHERE therapy_id = \(therapy) AND received_at = \(moment) LIMIT 1")
    }

    package static func count(inTherapy therapy: ID<Therapy>, _ connection: borrowing Connection) throws
        -> Int
    {
        try connection.count("SELECT count(*) FROM contributions WHERE therapy_id = \(therapy)")
    }

    /// The number of a therapy's questionnaires completed from a moment on, without dailies.
    package static func count(
        inTherapy therapy: ID<Therapy>, since: Instant, _ connection: borrowing Connection
    ) throws -> Int {
        try connection.count(
            """
            SELECT count(*) FROM contributions WHERE therapy_id = \(therapy) AND completed_at >= \(since)
            AND planned_on IS NULL
            """)
    }
}
