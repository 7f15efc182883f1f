import Database
import Records
import Scheduling
import Studies
import Wire

/// Every statement about values of scales over the time of a study.
enum DayValueStore {
    private static let day: Int64 = 86_400_000

    /// An outcome's values of the first week and around its day, each person's earliest first.
    static func all(
        of outcome: TrialDesign.Outcome, in study: ID<Study>, of people: [EnrolmentRecord],
        _ connection: borrowing Connection
    ) throws -> [DayValue] {
        let key = outcome.key
        let scale = outcome.scale
        // One more day on both sides: days are local ones.
        let begin = Int64(GroupComparison.beginDays(outcome.day) + 2) * day
        let reach = Int64(GroupComparison.reach(outcome.day) + 2) * day
        let end = Int64(outcome.day) * day
        let known = Dictionary(uniqueKeysWithValues: people.map { ($0.id, $0) })
        return try connection.all(
            """
            SELECT contributions.enrolment_id, completed_at, value FROM contributions
            JOIN enrolments ON enrolments.id = contributions.enrolment_id
            JOIN questionnaires ON questionnaires.id = contributions.questionnaire_id
            JOIN contribution_scores ON contribution_scores.account_id = contributions.account_id
                AND contribution_scores.contribution_id = contributions.id
            WHERE contributions.study_id = \(study) AND questionnaires.key = \(key) AND scale = \(scale)
            AND value IS NOT NULL AND (completed_at < enrolled_at + \(begin)
                OR completed_at BETWEEN enrolled_at + \(end - reach) AND enrolled_at + \(end + reach))
            ORDER BY contributions.enrolment_id, completed_at
            """
        ) { row in
            (enrolment: try row[0] as ID<Enrolment>, at: try row[1] as Instant, value: try row[2] as Double)
        }.compactMap { row in
            guard let person = known[row.enrolment], let begin = person.day else { return nil }
            let day = LocalTime(row.at, person.zone).date.daysSince1970 - begin.daysSince1970
            return DayValue(enrolment: row.enrolment, day: Int(day), value: row.value)
        }
    }
}
