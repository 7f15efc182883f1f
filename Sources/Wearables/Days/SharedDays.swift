import Database
import Records
import Scheduling
import Therapies
import Wire

/// A therapist's view of measured days (W6): of shared types, from the chosen day to the end of the therapy.
package struct SharedDays {
    private let account: ID<Account>?
    private let shown: ShownMeasurements

    init(in therapy: Therapy, _ connection: borrowing Connection) throws {
        account = therapy.accountID
        shown = try ShownMeasurements(in: therapy, connection)
    }

    var isEmpty: Bool { shown.isEmpty }

    /// The patient's zone, which defines their days.
    var zone: Zone { shown.zone }

    func isShown(_ measure: MeasurementSharing.Measure) -> Bool { shown.stretch(of: measure) != nil }

    /// The shared days of a period; nil without any.
    func stretch(
        of measure: MeasurementSharing.Measure, from: LocalDate, to: LocalDate
    ) -> ClosedRange<LocalDate>? {
        guard let time = shown.stretch(of: measure) else { return nil }
        let first = time.lowerBound == .distantPast ? from : LocalTime(time.lowerBound, shown.zone).date
        // The day on which a therapy ended belongs to it: days are not cut.
        let last = time.upperBound == .distantFuture ? to : LocalTime(time.upperBound, shown.zone).date
        let begin = max(from, first)
        let end = min(to, last)
        return begin <= end ? begin...end : nil
    }

    func chosen(
        _ type: MeasurementType, from: LocalDate, to: LocalDate, _ connection: borrowing Connection
    ) throws -> [MeasurementDayRecord] {
        guard let account, let measure = MeasurementSharing.Measure(rawValue: type.rawValue),
            let days = stretch(of: measure, from: from, to: to)
        else { return [] }
        return try MeasurementDays.chosen(
            type, of: account, from: days.lowerBound, to: days.upperBound, connection)
    }
}
