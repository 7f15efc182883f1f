import Database
import Identity
import Records
import Scheduling
import Therapies
import Web
import Wire

/// What a therapist sees of measured days: by itself nothing, of a shared type what lies between the day the person chose and
/// the end of the therapy.
package enum SharedDays {
    /// The days of a stretch that are shown; nil where nothing is.
    static func stretch(
        of measure: MeasurementSharing.Measure, in therapy: Therapy, from: LocalDate, to: LocalDate,
        _ connection: borrowing Connection
    ) throws -> ClosedRange<LocalDate>? {
        guard let account = try therapy.accountID.flatMap({ try AccountStore.find($0, connection) }),
            let shown = try OwnSharing.stretch(of: measure, in: therapy, connection)
        else { return nil }
        let zone = Zone(account.timezone)
        let first = shown.lowerBound == .distantPast ? from : LocalTime(shown.lowerBound, zone).date
        // The day on which a therapy ended belongs to it: days are not cut.
        let last = shown.upperBound == .distantFuture ? to : LocalTime(shown.upperBound, zone).date
        let (begin, end) = (max(from, first), min(to, last))
        return begin <= end ? begin...end : nil
    }

    static func chosen(
        _ type: MeasurementType, in therapy: Therapy, from: LocalDate, to: LocalDate,
        _ connection: borrowing Connection
    ) throws -> [MeasurementDayRecord] {
        guard let account = therapy.accountID,
            let measure = MeasurementSharing.Measure(rawValue: type.rawValue),
            let days = try stretch(of: measure, in: therapy, from: from, to: to, connection)
        else { return [] }
        return try MeasurementDays.chosen(
            type, of: account, from: days.lowerBound, to: days.upperBound, connection)
    }
}
