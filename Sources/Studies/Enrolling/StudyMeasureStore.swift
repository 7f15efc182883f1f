import Database
import Records
import Wire

/// Every statement about which of their own measurements participants give.
enum StudyMeasureStore {
    static func set(
        _ measures: [StudyMeasures.Measure], of id: ID<Enrolment>, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            "UPDATE enrolments SET measurements = \(StudyMeasures.column(measures)) WHERE id = \(id)")
    }
}
