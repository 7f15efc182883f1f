import Database
import Identity
import Records
import Scheduling
import Therapies
import Web
import Wire

/// What a therapist sees of measured days: by itself nothing, of a shared type what lies between the day the person chose and
/// the end of the therapy.
package struct SharedDays {
    private let account: ID<Account>?
    private let shown: ShownMeasurements

    init(in therapy: Therapy, _ connection: borrowing Connection) throws {
        account = therapy.accountID
        shown = try ShownMeasurements(in: therapy, connection)
    }

    var isEmpty: Bool { shown.isEmpty }

    /// The person's own: their days are days there.
    var zone: Zone { shown.zone }

    func isShown(_ measure: MeasurementSharing.Measure) -> Bool { shown.stretch(of: measure) != nil }

    /// The days of a stretch that are shown; nil where nothing is.
    func stretch(
        of measure: MeasurementSharing.Measure, from: LocalDate, to: LocalDate
    ) -> ClosedRange<LocalDate>? {
        guard let time = shown.stretch(of: measure) else { return nil }
        let first = time.lowerBound == .distantPast ? from : LocalTime(time.lowerBound, shown.zone).date
        // The day on which a therapy ended belongs to it: days are not cut.
        let last = time.upperBound == .distantFuture ? to : LocalTime(time.upperBound, shown.zone).date
        let (begin, end) = (max(from, first), min(to, last))
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
