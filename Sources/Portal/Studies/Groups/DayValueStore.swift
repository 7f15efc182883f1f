import Database
import Wire

/// Every statement about values of scales over the time of a study.
enum DayValueStore {
    /// Of a scale of a study's questionnaire, for the given people, each person's earliest first.
    static func all(
        in study: String, key: String, scale: String, of people: [EnrolmentRecord],
        _ connection: borrowing Connection
    ) throws -> [DayValue] {
        let known = Dictionary(uniqueKeysWithValues: people.map { ($0.id, $0) })
        return try connection.all(
            """
            SELECT contributions.enrolment_id, completed_at, value FROM contributions
            JOIN questionnaires ON questionnaires.id = contributions.questionnaire_id
            JOIN contribution_scores ON contribution_scores.account_id = contributions.account_id
                AND contribution_scores.contribution_id = contributions.id
            WHERE contributions.study_id = \(study) AND questionnaires.key = \(key) AND scale = \(scale)
            AND value IS NOT NULL ORDER BY contributions.enrolment_id, completed_at
            """
        ) { row in
            (enrolment: try row[0] as String, at: try row[1] as Instant, value: try row[2] as Double)
        }.compactMap { row in
            guard let person = known[row.enrolment], let begin = person.day else { return nil }
            let day = LocalTime(row.at, person.zone).date.daysSince1970 - begin.daysSince1970
            return DayValue(enrolment: row.enrolment, day: Int(day), value: row.value)
        }
    }
}
