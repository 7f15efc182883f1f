import Database
import Identity
import Questionnaires
import Records
import Therapies
import Web
import Wire
import Wording

/// Every statement about answer sheets and their scores.
package enum ContributionStore {
    package static func find(
        _ id: ID<ContributionRecord>, of account: ID<Account>, _ connection: borrowing Connection
    ) throws
        -> ContributionRecord?
    {
        try connection.first("SELECT * FROM contributions WHERE account_id = \(account) AND id = \(id)")
    }

    package static func find(
        _ id: ID<ContributionRecord>, inTherapy therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws -> ContributionRecord? {
        try connection.first("SELECT * FROM contributions WHERE id = \(id) AND therapy_id = \(therapy)")
    }

    /// The sheet that answered an assignment.
    package static func find(
        answering assignment: ID<Assignment>, of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> ContributionRecord? {
        try connection.first(
            "SELECT * FROM contributions WHERE assignment_id = \(assignment) AND account_id = \(account)")
    }

    /// All of an account's sheets, the earliest first.
    package static func all(of account: ID<Account>, _ connection: borrowing Connection) throws
        -> [ContributionRecord]
    {
        try connection.all(
            "SELECT * FROM contributions WHERE account_id = \(account) ORDER BY completed_at, id")
    }

    /// The scores of some of an account's sheets, in the order of the scales.
    package static func scores(
        of ids: [ID<ContributionRecord>], account: ID<Account>, _ connection: borrowing Connection
    ) throws -> [ID<ContributionRecord>: [ScaleScore]] {
        let rows: [StoredScore] = try connection.all(
            """
            SELECT \(sql: StoredScore.columns) FROM contribution_scores WHERE account_id = \(account) AND contribution_id IN \(list: ids)
            ORDER BY contribution_id, position
            """)
        return Dictionary(grouping: rows, by: \.contributionID).mapValues { $0.map(\.score) }
    }

    /// The scores of sheets of any owner.
    package static func scores(
        of records: [ContributionRecord], _ connection: borrowing Connection
    ) throws -> [ID<ContributionRecord>: [ScaleScore]] {
        let byAccount = Dictionary(grouping: records, by: \.accountID)
        return try byAccount.reduce(into: [:]) { all, own in
            let found = try scores(of: own.value.map(\.id), account: own.key, connection)
            all.merge(found) { first, _ in first }
        }
    }

    /// The moment of the `limit`th newest sheet before another moment; nil when there are fewer.
    package static func boundary(
        inTherapy therapy: ID<Therapy>, before: Instant, limit: Int, _ connection: borrowing Connection
    ) throws -> Instant? {
        try connection.value(
            """
            SELECT completed_at FROM contributions WHERE therapy_id = \(therapy) AND completed_at < \(before)
            ORDER BY completed_at DESC LIMIT 1 OFFSET \(limit - 1)
            """)
    }

    /// When sheets other than dailies were completed.
    package static func completions(
        inTherapy therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws -> [Instant] {
        try connection.all(
            "SELECT completed_at FROM contributions WHERE therapy_id = \(therapy) AND planned_on IS NULL"
        ) { row in try row[0] }
    }

    /// A therapy's sheets of a period with their scores, the newest first; without the answers.
    package static func sheets(
        inTherapy therapy: ID<Therapy>, since: Instant, before: Instant, _ connection: borrowing Connection
    ) throws -> [ContributionSummary] {
        let rows: [StoredScore] = try connection.all(
            """
            SELECT \(sql: StoredScore.columns) FROM contributions
            JOIN contribution_scores ON contribution_scores.account_id = contributions.account_id
                AND contribution_scores.contribution_id = contributions.id
            WHERE contributions.therapy_id = \(therapy) AND completed_at >= \(since) AND completed_at < \(before)
            ORDER BY contribution_id, position
            """)
        let scores = Dictionary(grouping: rows, by: \.contributionID)
        return try connection.all(
            """
            SELECT id, questionnaire_id, completed_at, answered, asked, planned_on IS NOT NULL, extra
            FROM contributions WHERE therapy_id = \(therapy) AND completed_at >= \(since) AND completed_at < \(before)
            ORDER BY completed_at DESC, id
            """
        ) { row in
            let id: ID<ContributionRecord> = try row[0]
            return ContributionSummary(
                id: id, questionnaireID: try row[1], completedAt: try row[2], answered: try row[3],
                asked: try row[4], isDaily: try row[5], isExtra: try row[6],
                scores: scores[id]?.map(\.score) ?? [])
        }
    }

    /// The number of dailies of its own that a device has sent for a day.
    package static func ownDailies(
        of account: ID<Account>, device: ID<Credential>, on day: LocalDate, _ connection: borrowing Connection
    ) throws -> Int {
        try connection.count(
            """
            SELECT count(*) FROM contributions WHERE account_id = \(account) AND device_id = \(device)
            AND planned_on = \(day) AND daily_from IS NOT NULL
            """)
    }

    /// A period of a local day counts once: the planned daily, else the first completed (IO-11).
    private static func countOnce(
        _ slot: DailySlot, in therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE contributions SET extra = CASE WHEN id = (
                SELECT id FROM contributions AS first WHERE first.therapy_id = \(therapy)
                AND first.planned_on = \(slot.day) AND first.period = \(slot.period)
                ORDER BY first.assignment_id IS NULL, first.completed_at, first.id LIMIT 1) THEN 0 ELSE 1 END
            WHERE therapy_id = \(therapy) AND planned_on = \(slot.day) AND period = \(slot.period)
            """)
    }

    /// Refuses a form sent twice, so that a paper is entered once.
    /// - Throws: `Problem.conflict`.
    package static func refuseTwice(
        _ questionnaire: ID<QuestionnaireVersion>, at completed: Instant, of account: ID<Account>,
        _ connection: borrowing Connection
    ) throws {
        let isThere = try connection.exists(
            """
            SELECT 1 FROM contributions WHERE account_id = \(account) AND questionnaire_id = \(questionnaire)
            AND completed_at = \(completed) AND is_paper = 1 LIMIT 1
            """)
        if isThere { throw Problem.conflict(Message("contributions.paper_twice")) }
    }

    /// Called by `Intake` alone, and by the demonstration, whose past is invented.
    /// - Throws: `Contradiction` when the assignment, the prompt or the event has been answered by another sheet.
    package static func insert(
        _ sheet: NewContribution, _ sealed: SealedAnswers, _ connection: borrowing Connection
    ) throws {
        let account = sheet.account
        let id = sheet.id
        do {
            try connection.run(
                """
                INSERT INTO contributions (account_id, id, therapy_id, study_id, enrolment_id, assignment_id, questionnaire_id, started_at,
                    completed_at, received_at, timezone, zone_word, answers, details, answered, asked, device_id, daily_from,
                    daily_due, planned_on, period, admitted_at, admitted_by, thought, feeling, entered_by, is_paper, prompt_id,
                    prompted_at, sensors_dropped, on_site, must_be_seen, consent_version, item_id, event_id)
                VALUES (\(account), \(id), \(sheet.therapy), \(sheet.study), \(sheet.enrolment), \(sheet.assignment), \(sheet.questionnaire),
                    \(sheet.startedAt), \(sheet.completedAt), \(sheet.receivedAt), \(sheet.zone.name), \(sheet.zone.word), \(sealed.answers),
                    \(sealed.details), \(sheet.answered), \(sheet.asked), \(sheet.device), \(sheet.ownWindow?.from),
                    \(sheet.ownWindow?.due), \(sheet.slot?.day), \(sheet.slot?.period), \(sheet.admission?.at),
                    \(sheet.admission?.by), \(sheet.daily("thought")), \(sheet.daily("feeling")),
                    \(sheet.enteredBy), \(sheet.enteredBy != nil), \(sheet.prompt?.id), \(sheet.prompt?.at),
                    \(sheet.sensorsDropped.isEmpty ? nil : sheet.sensorsDropped.joined(separator: ",")),
                    \(sheet.isOnSite), \(sheet.mustBeSeen), \(sheet.consentVersion), \(sheet.item), \(sheet.event))
                """)
        } catch let error as DatabaseError
            where error.violates("contributions.assignment_id") || error.violates("contributions.prompt_id")
            || error.violates("contributions.event_id")
        {
            throw Contradiction("answers.already_answered")
        }
        if let slot = sheet.slot, let therapy = sheet.therapy { try countOnce(slot, in: therapy, connection) }
        try insertScores(of: sheet, connection)
    }

    static func insertScores(of sheet: NewContribution, _ connection: borrowing Connection) throws {
        for (position, score) in sheet.scores.enumerated() {
            try connection.run(
                """
                INSERT INTO contribution_scores
                    (account_id, contribution_id, position, scale, value, answered, items, needed)
                VALUES (\(sheet.account), \(sheet.id), \(position), \(score.scale), \(score.value), \(score.answered),
                    \(score.items), \(score.needed))
                """)
        }
    }
}
