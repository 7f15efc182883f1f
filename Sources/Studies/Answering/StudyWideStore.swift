import Database
import Instruments
import JSON
import Records
import Scheduling
import Wire

/// Every statement about what decides the prompts of all participants of a study, and about their sheets: a few, however
/// many participants there are.
enum StudyWideStore {
    /// The zones that participants have changed to since they asked to take part, the earliest first.
    static func zones(
        in study: ID<Study>, _ connection: borrowing Connection
    ) throws -> [ID<Enrolment>: [(at: Instant, zone: Zone)]] {
        let rows = try connection.all(
            """
            SELECT enrolments.id, changed_at, account_zones.timezone FROM enrolments
            JOIN account_zones ON account_zones.account_id = enrolments.account_id
            WHERE study_id = \(study) AND changed_at >= asked_at ORDER BY changed_at
            """
        ) { row in (id: try row[0] as ID<Enrolment>, at: try row[1] as Instant, zone: try row[2] as String) }
        return Dictionary(grouping: rows, by: \.id).mapValues { $0.map { (at: $0.at, zone: Zone($0.zone)) } }
    }

    /// Participants' own times, the earliest first.
    static func plans(
        in study: ID<Study>, _ connection: borrowing Connection
    ) throws -> [ID<Enrolment>: [ID<StudyItem>: [OwnPlan]]] {
        let rows = try connection.all(
            """
            SELECT enrolment_id, item_id, since, plan FROM enrolments
            JOIN notification_plans ON enrolment_id = enrolments.id WHERE study_id = \(study) ORDER BY since
            """
        ) { row in
            (
                id: try row[0] as ID<Enrolment>, item: try row[1] as ID<StudyItem>,
                plan: try OwnPlan(since: row[2], text: row[3])
            )
        }
        return Dictionary(grouping: rows, by: \.id).mapValues { own in
            Dictionary(grouping: own, by: \.item).mapValues { $0.map(\.plan) }
        }
    }

    private struct First {
        let id: ID<Enrolment>
        let version: ID<QuestionnaireVersion>
        let at: Instant
        let item: ID<StudyItem>?

        init(row: borrowing Row) throws {
            id = try row[0]
            version = try row[1]
            at = try row[2]
            item = try row[3]
        }
    }

    /// When each participant first answered one of some versions.
    /// - Parameter versions: with their keys.
    static func firsts(
        _ prompts: StudyPrompts, of versions: [ID<QuestionnaireVersion>: String],
        _ connection: borrowing Connection
    ) throws -> [ID<Enrolment>: [ID<StudyItem>: Instant]] {
        if versions.isEmpty { return [:] }
        let study = prompts.study.id
        // One participant after the other: of each only the sheets of these versions are looked at, where there are no time points
        // without the sheets themselves.
        let rows =
            prompts.namesItems
            ? try connection.all(
                """
                SELECT enrolment_id, questionnaire_id, min(completed_at), item_id FROM enrolments\(hint: .inThisOrder)
                JOIN contributions ON enrolment_id = enrolments.id
                WHERE enrolments.study_id = \(study) AND contributions.study_id = \(study)
                AND questionnaire_id IN \(list: Array(versions.keys))
                GROUP BY enrolment_id, questionnaire_id, item_id
                """, First.init)
            : try connection.all(
                """
                SELECT enrolment_id, questionnaire_id, min(completed_at), NULL FROM enrolments\(hint: .inThisOrder)
                JOIN contributions ON enrolment_id = enrolments.id
                WHERE enrolments.study_id = \(study) AND contributions.study_id = \(study)
                AND questionnaire_id IN \(list: Array(versions.keys))
                GROUP BY enrolment_id, questionnaire_id
                """, First.init)
        return rows.reduce(into: [:]) { all, row in
            guard let key = versions[row.version], let item = prompts.item(row.item, key: key) else { return }
            all[row.id, default: [:]][item.id] = min(row.at, all[row.id]?[item.id] ?? row.at)
        }
    }

    /// The prompts about sessions that participants have answered, with their moments.
    static func answeredSessions(
        _ prompts: StudyPrompts, _ connection: borrowing Connection
    ) throws -> [ID<Enrolment>: [ID<Assignment>: Instant]] {
        let items = prompts.perSession
        if items.isEmpty { return [:] }
        let rows = try connection.all(
            """
            SELECT enrolment_id, prompt_id, prompted_at FROM enrolments\(hint: .inThisOrder)
            JOIN contributions ON enrolment_id = enrolments.id
            WHERE enrolments.study_id = \(prompts.study.id) AND item_id IN \(list: items)
            AND prompt_id IS NOT NULL AND prompted_at IS NOT NULL
            """
        ) { row in
            (
                enrolment: try row[0] as ID<Enrolment>, id: try row[1] as ID<Assignment>,
                at: try row[2] as Instant
            )
        }
        return rows.reduce(into: [:]) { $0[$1.enrolment, default: [:]][$1.id] = $1.at }
    }

    /// What participants have completed since a moment, the earliest first.
    static func completions(
        _ prompts: StudyPrompts, of versions: [ID<QuestionnaireVersion>: String], since: Instant,
        _ connection: borrowing Connection
    ) throws -> [ID<Enrolment>: [StudyContributionStore.Completion]] {
        let rows = try connection.all(
            """
            SELECT enrolment_id, questionnaire_id, CASE WHEN \(prompts.namesItems) THEN item_id END, completed_at, prompted_at FROM enrolments\(hint: .inThisOrder)
            JOIN contributions ON enrolment_id = enrolments.id
            WHERE enrolments.study_id = \(prompts.study.id) AND completed_at >= \(since)
            """
        ) { row in
            (
                id: try row[0] as ID<Enrolment>, version: try row[1] as ID<QuestionnaireVersion>,
                item: try row[2] as ID<StudyItem>?, at: try row[3] as Instant, prompt: try row[4] as Instant?
            )
        }
        return Dictionary(grouping: rows, by: \.id).mapValues { own in
            own.sorted { $0.at < $1.at }.compactMap { row in
                versions[row.version].flatMap { prompts.item(row.item, key: $0) }.map {
                    .init(item: $0.id, at: row.at, prompt: row.prompt)
                }
            }
        }
    }

    /// The pauses of participants' therapies: what they could not see.
    static func unseen(
        in study: ID<Study>, _ connection: borrowing Connection
    ) throws -> [ID<Account>: [UnseenTimes.Stretch]] {
        let rows = try connection.all(
            """
            SELECT therapies.account_id, starts_on, pauses.ends_on, paired_at, ended_at, removed_at, made_at,
                CASE WHEN pauses.therapy_id IS NULL THEN led_since END FROM therapies
            JOIN pauses ON pauses.therapy_id = therapies.id
                OR (pauses.therapy_id IS NULL AND pauses.therapist_id = therapies.therapist_id)
            WHERE paired_at IS NOT NULL
            AND therapies.account_id IN (SELECT account_id FROM enrolments WHERE study_id = \(study))
            """
        ) { row in
            (
                id: try row[0] as ID<Account>,
                stretch: UnseenTimes.Stretch(
                    days: try row[1]...row[2], madeAt: try row[6], ledSince: try row[7],
                    removedAt: try row[5],
                    pairedAt: try row[3], endedAt: try row[4])
            )
        }
        return rows.reduce(into: [:]) { all, row in
            if let stretch = row.stretch { all[row.id, default: []].append(stretch) }
        }
    }
}
