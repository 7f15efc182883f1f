import Contributions
import Database
import Questionnaires
import Records
import Wire

/// Every statement about the answer sheets of studies.
package enum StudyContributionStore {
    /// That a questionnaire was completed: which, when, and the prompt that it answers.
    package struct Completion: Sendable {
        package let item: ID<StudyItem>
        package let at: Instant
        package let prompt: Instant?
    }

    /// What one participant has completed of what the study asks, the earliest first.
    package static func completions(
        as enrolment: ID<Enrolment>, _ prompts: StudyPrompts, _ connection: borrowing Connection
    ) throws -> [Completion] {
        try connection.all(
            """
            SELECT questionnaires.key, CASE WHEN \(prompts.namesItems) THEN item_id END, completed_at, prompted_at
            FROM contributions
            JOIN questionnaires ON questionnaires.id = contributions.questionnaire_id
            WHERE enrolment_id = \(enrolment) ORDER BY completed_at
            """
        ) { row -> Completion? in
            let item = prompts.item(try row[1], key: try row[0])
            return try item.map { Completion(item: $0.id, at: try row[2], prompt: try row[3]) }
        }.compactMap(\.self)
    }

    /// The first answer of a participant to each questionnaire of their study. One look-up in an index for
    /// every version, however many sheets there are.
    static func firsts(
        of enrolment: EnrolmentRecord, _ connection: borrowing Connection
    ) throws -> [ID<StudyItem>: Instant] {
        let study = enrolment.studyID
        let id = enrolment.id
        // A sheet from before sheets named what they answer answers the one without a time point.
        let rows = try connection.all(
            """
            SELECT study_questionnaires.id, (SELECT completed_at FROM contributions WHERE study_id = \(study)
                AND enrolment_id = \(id) AND questionnaire_id = questionnaires.id
                AND coalesce(item_id, CASE time_point WHEN '' THEN study_questionnaires.id END) = study_questionnaires.id
                ORDER BY completed_at LIMIT 1)
            FROM study_questionnaires JOIN questionnaires ON questionnaires.key = questionnaire_key
            WHERE study_questionnaires.study_id = \(study)
            """
        ) { row in (item: try row[0] as ID<StudyItem>, at: try row[1] as Instant?) }
        return rows.reduce(into: [:]) { firsts, row in
            guard let at = row.at else { return }
            firsts[row.item] = min(at, firsts[row.item] ?? at)
        }
    }

    /// The sheet that answered a prompt; without one, the newest of a study's questionnaire.
    package static func first(
        answering prompt: ID<Assignment>?, of enrolment: ID<Enrolment>, item: StudyItem,
        questionnaire: ID<QuestionnaireVersion>,
        _ connection: borrowing Connection
    ) throws -> ContributionRecord? {
        try connection.first(
            """
            SELECT * FROM contributions WHERE enrolment_id = \(enrolment) AND questionnaire_id = \(questionnaire)
            AND coalesce(item_id, \(item.timePoint == nil ? item.id.text : "")) = \(item.id)
            AND (CAST(\(prompt) AS TEXT) IS NULL OR prompt_id = \(prompt)) ORDER BY received_at DESC, id LIMIT 1
            """)
    }

    /// When a prompt was answered.
    package struct Answer: Sendable {
        /// The moment of the prompt on the days on which it was answered, which may have been moved since.
        package let promptedAt: Instant
        package let startedAt: Instant
        package let completedAt: Instant
    }

    /// The answers of a participant to some prompts, by prompt: each has one at most.
    package static func answers(
        to prompts: [ID<Assignment>], of enrolment: EnrolmentRecord, _ connection: borrowing Connection
    ) throws -> [ID<Assignment>: Answer] {
        let rows = try connection.all(
            """
            SELECT prompt_id, prompted_at, started_at, completed_at FROM contributions
            WHERE account_id = \(enrolment.accountID) AND prompt_id IN \(list: prompts) AND prompted_at IS NOT NULL
            """
        ) { row in
            (
                prompt: try row[0] as ID<Assignment>,
                answer: Answer(promptedAt: try row[1], startedAt: try row[2], completedAt: try row[3])
            )
        }
        return Dictionary(rows.map { ($0.prompt, $0.answer) }, uniquingKeysWith: { first, _ in first })
    }

    /// Those of some prompts that a sheet has answered.
    package static func answered(
        _ prompts: [ID<Assignment>], by account: ID<Account>, _ connection: borrowing Connection
    ) throws -> Set<ID<Assignment>> {
        let ids: [ID<Assignment>] = try connection.all(
            "SELECT prompt_id FROM contributions WHERE account_id = \(account) AND prompt_id IN \(list: prompts)"
        ) { row in try row[0] }
        return Set(ids)
    }

    /// The prompts about sessions that one participant has answered, with their moments.
    /// - Parameter items: what is asked for each session.
    static func answeredSessions(
        of enrolment: ID<Enrolment>, _ items: [ID<StudyItem>], _ connection: borrowing Connection
    ) throws -> [ID<Assignment>: Instant] {
        if items.isEmpty { return [:] }
        let rows = try connection.all(
            """
            SELECT prompt_id, prompted_at FROM contributions WHERE enrolment_id = \(enrolment)
            AND item_id IN \(list: items) AND prompt_id IS NOT NULL AND prompted_at IS NOT NULL
            """
        ) { row in (id: try row[0] as ID<Assignment>, at: try row[1] as Instant) }
        return rows.reduce(into: [:]) { $0[$1.id] = $1.at }
    }

    /// The sheets of one participant, the earliest first, one after the other.
    package static func each(
        of enrolment: ID<Enrolment>, _ connection: borrowing Connection,
        _ body: (ContributionRecord) throws -> Void
    ) throws {
        try connection.each(
            """
            SELECT * FROM contributions WHERE enrolment_id = \(enrolment)
            ORDER BY completed_at, id
            """
        ) { row in
            try body(try ContributionRecord(row: row))
            return true
        }
    }

    /// The newest sheets of one participant, the newest first.
    package static func newest(
        of enrolment: ID<Enrolment>, limit: Int, _ connection: borrowing Connection
    ) throws -> [ContributionRecord] {
        try connection.all(
            """
            SELECT * FROM contributions WHERE enrolment_id = \(enrolment)
            ORDER BY completed_at DESC, id LIMIT \(limit)
            """)
    }

    /// The answers of an account in therapies within an interval, the earliest first.
    package static func ofTherapies(
        of account: ID<Account>, from: Instant, to: Instant, _ connection: borrowing Connection
    ) throws -> [ContributionRecord] {
        try connection.all(
            """
            SELECT * FROM contributions WHERE account_id = \(account) AND therapy_id IS NOT NULL
            AND completed_at >= \(from) AND completed_at <= \(to) ORDER BY completed_at, id
            """)
    }

    /// The scores of all sheets of one participant, by sheet, in the order of the scales.
    package static func scores(
        of enrolment: ID<Enrolment>, _ connection: borrowing Connection
    ) throws -> [ID<ContributionRecord>: [ScaleScore]] {
        let rows: [StoredScore] = try connection.all(
            """
            SELECT \(sql: StoredScore.columns) FROM contributions
            JOIN contribution_scores ON contribution_scores.account_id = contributions.account_id
                AND contribution_scores.contribution_id = contributions.id
            WHERE contributions.enrolment_id = \(enrolment) ORDER BY contribution_id, position
            """)
        return Dictionary(grouping: rows, by: \.contributionID).mapValues { $0.map(\.score) }
    }

    /// Whether so many sheets of a questionnaire have come in since a moment: stops counting there.
    package static func hasReceived(
        _ count: Int, of enrolment: ID<Enrolment>, questionnaire: ID<QuestionnaireVersion>, since: Instant,
        _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.exists(
            """
            SELECT 1 FROM contributions WHERE enrolment_id = \(enrolment)
            AND questionnaire_id = \(questionnaire) AND received_at > \(since) LIMIT 1 OFFSET \(count - 1)
            """)
    }

    /// The mean on a scale over all sheets of an enrolment; a person may have several of them.
    package struct EnrolmentMean: Sendable {
        package let enrolment: ID<Enrolment>
        package let key: String
        let scale: String
        let mean: Double
        let sheets: Int
    }

    /// The means of all enrolments, of every scale.
    static func enrolmentMeans(
        in study: ID<Study>, _ connection: borrowing Connection
    ) throws -> [EnrolmentMean] {
        try connection.all(
            """
            SELECT contributions.enrolment_id, questionnaires.key, scale, avg(value), count(value) FROM contributions
            JOIN questionnaires ON questionnaires.id = contributions.questionnaire_id
            JOIN contribution_scores ON contribution_scores.account_id = contributions.account_id
                AND contribution_scores.contribution_id = contributions.id
            WHERE contributions.study_id = \(study) AND value IS NOT NULL
            GROUP BY contributions.enrolment_id, questionnaires.key, scale
            """
        ) { row in
            EnrolmentMean(
                enrolment: try row[0], key: try row[1], scale: try row[2], mean: try row[3],
                sheets: try row[4])
        }
    }
}
