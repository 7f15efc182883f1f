import Database
import Records
import Scheduling
import Studies
import Wire

/// Every statement about values of scales over the time of a study.
enum DayValueStore {
    private static let day: Int64 = 86_400_000

    /// An outcome's values of the first week and around a day, each person's earliest first.
    static func all(
        of outcome: TrialDesign.Outcome, on named: Int, in study: ID<Study>, of people: [EnrolmentRecord],
        _ connection: borrowing Connection
    ) throws -> [DayValue] {
        var values: [DayValue] = []
        for first in stride(from: 0, to: people.count, by: 500) {
            values += try some(
                of: outcome, on: named, in: study, of: people[first...].prefix(500), connection)
        }
        return values
    }

    /// The same for a few at a time: a statement takes only so many.
    private static func some(
        of outcome: TrialDesign.Outcome, on named: Int, in study: ID<Study>,
        of people: ArraySlice<EnrolmentRecord>,
        _ connection: borrowing Connection
    ) throws -> [DayValue] {
        // One more day on both sides: days are local ones.
        let begin = Int64(GroupComparison.beginDays(named) + 2) * day
        let reach = Int64(GroupComparison.reach(named) + 2) * day
        let end = Int64(named) * day
        let known = Dictionary(uniqueKeysWithValues: people.map { ($0.id, $0) })
        return try connection.all(
            """
            SELECT enrolment_id, completed_at, value FROM enrolments\(hint: .inThisOrder)
            JOIN contributions ON enrolment_id = enrolments.id
            JOIN contribution_scores ON contribution_scores.account_id = contributions.account_id
                AND contribution_id = contributions.id AND scale = \(outcome.scale) AND value IS NOT NULL
            WHERE enrolments.id IN \(list: people.map(\.id)) AND contributions.study_id = \(study)
            AND questionnaire_id IN (SELECT id FROM questionnaires WHERE key = \(outcome.key))
            AND (completed_at < enrolled_at + \(begin)
                OR completed_at BETWEEN enrolled_at + \(end - reach) AND enrolled_at + \(end + reach))
            ORDER BY enrolment_id, completed_at
            """
        ) { row in
            (enrolment: try row[0] as ID<Enrolment>, at: try row[1] as Instant, value: try row[2] as Double)
        }.compactMap { row in
            guard let person = known[row.enrolment], let begin = person.day else { return nil }
            let day = LocalTime(row.at, person.zone).date.daysSince1970 - begin.daysSince1970
            return DayValue(enrolment: row.enrolment, day: Int(day), value: row.value)
        }
    }

    /// Participants that have both values of an outcome, by a few looks into an index for each; and those of whom only
    /// the values themselves tell it, because one lies within a day of an edge.
    static func complete(
        of outcome: TrialDesign.Outcome, on named: Int, in study: ID<Study>,
        _ connection: borrowing Connection
    ) throws -> (sure: Set<ID<Enrolment>>, unsure: Set<ID<Enrolment>>) {
        let begin = Int64(GroupComparison.beginDays(named)) * day
        let reach = Int64(GroupComparison.reach(named)) * day
        let end = Int64(named) * day
        let rows = try connection.all(
            """
            SELECT enrolments.id,
                EXISTS (SELECT 1 FROM contributions
                    JOIN contribution_scores ON contribution_scores.account_id = contributions.account_id
                        AND contribution_id = contributions.id AND scale = \(outcome.scale) AND value IS NOT NULL
                    WHERE contributions.study_id = \(study) AND enrolment_id = enrolments.id
                    AND questionnaire_id IN (SELECT id FROM questionnaires WHERE key = \(outcome.key))
                    AND completed_at < enrolled_at + \(begin - day)),
                EXISTS (SELECT 1 FROM contributions
                    JOIN contribution_scores ON contribution_scores.account_id = contributions.account_id
                        AND contribution_id = contributions.id AND scale = \(outcome.scale) AND value IS NOT NULL
                    WHERE contributions.study_id = \(study) AND enrolment_id = enrolments.id
                    AND questionnaire_id IN (SELECT id FROM questionnaires WHERE key = \(outcome.key))
                    AND completed_at BETWEEN enrolled_at + \(end - reach + day) AND enrolled_at + \(end + reach - day))
            FROM enrolments WHERE enrolments.study_id = \(study)
            AND EXISTS (SELECT 1 FROM contributions
                WHERE contributions.study_id = \(study) AND enrolment_id = enrolments.id
                AND questionnaire_id IN (SELECT id FROM questionnaires WHERE key = \(outcome.key))
                AND completed_at BETWEEN enrolled_at + \(end - reach - 2 * day) AND enrolled_at + \(end + reach + 2 * day))
            """
        ) { row in
            (id: try row[0] as ID<Enrolment>, isSure: try (row[1] as Bool) && (row[2] as Bool))
        }
        // Where both stretches of time could meet, their values tell which is the first.
        let areApart =
            named - GroupComparison.reach(named) > GroupComparison.beginDays(named)
        let sure = Set(rows.filter { $0.isSure && areApart }.map(\.id))
        return (sure, Set(rows.map(\.id)).subtracting(sure))
    }
}
