import Database
import Identity
import Scheduling
import Wire
import Wording

/// The measurements that one account may store in one of its days. Ten years of every type fit into a day; a program
/// that writes without end does not.
enum MeasurementIntake {
    /// New days, each of one type and source.
    static let documents = 40_000
    static let bytes = 200_000_000

    /// Counts rows to be stored, inside the write that stores them.
    /// - Throws: `Problem.quota` until the account's next midnight.
    static func count(
        documents: Int, bytes: Int, of account: AccountRecord, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        let zone = Zone(account.timezone)
        let day = LocalTime(now, zone).date
        let taken = try MeasurementIntakeStore.find(of: account.id, on: day, connection)
        let sums = (documents: taken.documents + documents, bytes: taken.bytes + bytes)
        guard documents == 0 || sums.documents <= Self.documents, sums.bytes <= Self.bytes else {
            let midnight = zone.instant(day.adding(days: 1), hour: 0, minute: 0)
            throw Problem.quota(retryAfter: Int(max(1, midnight.seconds - now.seconds)))
        }
        try MeasurementIntakeStore.set(
            documents: sums.documents, bytes: sums.bytes, of: account.id, on: day, connection)
    }
}
