import Database
import Records
import Studies
import Wire

/// Every statement about values of scales on sheets that answer one of a study's questionnaires.
enum TimePointValueStore {
    /// By person, the earliest first.
    static func all(
        of scale: String, at item: StudyItem, _ connection: borrowing Connection
    ) throws -> [ID<Enrolment>: [Double]] {
        let rows = try connection.all(
            """
            SELECT enrolment_id, value FROM contributions\(hint: .inThisOrder)
            JOIN contribution_scores ON contribution_scores.account_id = contributions.account_id
                AND contribution_id = contributions.id AND scale = \(scale) AND value IS NOT NULL
            WHERE contributions.study_id = \(item.studyID) AND enrolment_id IS NOT NULL
            AND questionnaire_id IN (SELECT id FROM questionnaires WHERE key = \(item.key))
            AND coalesce(item_id, \(item.timePoint == nil ? item.id.text : "")) = \(item.id)
            ORDER BY enrolment_id, completed_at, contributions.id
            """
        ) { row in (id: try row[0] as ID<Enrolment>, value: try row[1] as Double) }
        return Dictionary(grouping: rows, by: \.id).mapValues { $0.map(\.value) }
    }

    /// The participants with a value, by a few looks into an index for each.
    static func people(
        with scale: String, at item: StudyItem, _ connection: borrowing Connection
    ) throws -> Set<ID<Enrolment>> {
        let ids: [ID<Enrolment>] = try connection.all(
            """
            SELECT enrolments.id FROM enrolments WHERE enrolments.study_id = \(item.studyID)
            AND EXISTS (SELECT 1 FROM contributions
                JOIN contribution_scores ON contribution_scores.account_id = contributions.account_id
                    AND contribution_id = contributions.id AND scale = \(scale) AND value IS NOT NULL
                WHERE contributions.study_id = \(item.studyID) AND enrolment_id = enrolments.id
                AND questionnaire_id IN (SELECT id FROM questionnaires WHERE key = \(item.key))
                AND coalesce(item_id, \(item.timePoint == nil ? item.id.text : "")) = \(item.id))
            """
        ) { row in try row[0] }
        return Set(ids)
    }
}
