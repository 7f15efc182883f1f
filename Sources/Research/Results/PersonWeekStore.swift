import Database
import Records
import Scheduling
import Studies
import Wire

// All participants' values of a study, week by week.
extension StudyContributionStore {
    /// These participants' values on every scale, by week of seven local days, the first of which begins on the day of their
    /// enrolling (RP-123). One pass over all scores, person by person, in the order of an index: grouping them in SQL
    /// would sort a million rows.
    static func personWeeks(
        in study: ID<Study>, of people: [EnrolmentRecord], _ connection: borrowing Connection
    ) throws -> [PersonWeek] {
        let versions = try connection.all("SELECT id, key FROM questionnaires") { row in
            (id: try row[0] as ID<QuestionnaireVersion>, key: try row[1] as String)
        }
        let keys = Dictionary(uniqueKeysWithValues: versions.map { ($0.id, $0.key) })
        let scales = try scales(in: study, connection)
        return try people.flatMap { person -> [PersonWeek] in
            let weeks = try weeks(of: person, in: study, connection)
            return weeks.compactMap { place, total in
                guard let key = keys[place.questionnaire],
                    let scale = scales[place.questionnaire]?[place.position]
                else { return nil }
                return PersonWeek(
                    enrolment: person.id, key: key, scale: scale, week: place.week, sum: total.sum,
                    sheets: total.count)
            }
        }
    }

    private struct Place: Hashable {
        let questionnaire: ID<QuestionnaireVersion>
        let position: Int
        let week: Int
    }

    private static func weeks(
        of person: EnrolmentRecord, in study: ID<Study>, _ connection: borrowing Connection
    ) throws -> [Place: (sum: Double, count: Int)] {
        guard let first = person.day else { return [:] }
        var sums: [Place: (sum: Double, count: Int)] = [:]
        // The first instant after each week: looked up once a week, not once a sheet.
        var ends: [Instant] = []
        try connection.each(
            """
            SELECT questionnaire_id, position, completed_at, value FROM contributions
            JOIN contribution_scores ON contribution_scores.account_id = contributions.account_id
                AND contribution_scores.contribution_id = contributions.id
            WHERE study_id = \(study) AND enrolment_id = \(person.id) AND value IS NOT NULL
            ORDER BY questionnaire_id, completed_at
            """
        ) { row in
            let completed: Instant = try row[2]
            while ends.last ?? .distantPast <= completed {
                ends.append(person.zone.instant(first.adding(days: 7 * (ends.count + 1)), hour: 0, minute: 0))
            }
            let week = ends.partitioningIndex { completed < $0 }
            let place = Place(questionnaire: try row[0], position: try row[1], week: week)
            let known = sums[place] ?? (0, 0)
            sums[place] = (known.sum + (try row[3] as Double), known.count + 1)
            return true
        }
        return sums
    }

    /// The scale at each position, by version: read from one of its sheets.
    private static func scales(
        in study: ID<Study>, _ connection: borrowing Connection
    ) throws -> [ID<QuestionnaireVersion>: [Int: String]] {
        let rows = try connection.all(
            """
            SELECT questionnaires.id, position, scale FROM questionnaires
            JOIN contributions ON (contributions.account_id, contributions.id) =
                (SELECT account_id, id FROM contributions AS one WHERE one.study_id = \(study)
                AND one.questionnaire_id = questionnaires.id LIMIT 1)
            JOIN contribution_scores ON contribution_scores.account_id = contributions.account_id
                AND contribution_scores.contribution_id = contributions.id
            WHERE questionnaires.key IN
                (SELECT questionnaire_key FROM study_questionnaires WHERE study_id = \(study))
            """
        ) { row in
            (
                version: try row[0] as ID<QuestionnaireVersion>, place: try row[1] as Int,
                scale: try row[2] as String
            )
        }
        return Dictionary(grouping: rows, by: \.version).mapValues { own in
            Dictionary(uniqueKeysWithValues: own.map { ($0.place, $0.scale) })
        }
    }
}
