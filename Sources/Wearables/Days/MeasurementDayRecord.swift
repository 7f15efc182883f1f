import Database
import Foundation
import Records
import Web
import Wire

/// The readable part of a day. The sealed part is read separately: a year's page does not need it.
package struct MeasurementDayRecord: Sendable, FromRow {
    package let account: ID<Account>
    package let type: MeasurementType
    package let date: LocalDate
    package let source: MeasurementSource
    package let zone: DeviceZone
    package let sums: Sums
    package let total: Double?
    /// Minutes in each zone of the heart rate; nil for an unknown age.
    package let zones: [HeartZone]?
    package let completeUntil: Instant
    /// The time of the last sample; for a day that is one figure, until when that is valid.
    package let lastAt: Instant
    package let receivedAt: Instant
    package let version: Int
    /// A keyed hash of the device's name, empty where it has none; nil for a day from before devices were told apart.
    package let deviceMark: String?

    package struct Sums: Sendable, Equatable {
        package let n: Int
        package let sum: Double
        package let low: Double?
        package let high: Double?
    }

    package init(row: borrowing Row) throws {
        account = try row["account_id"]
        guard let type = MeasurementType(rawValue: try row["type"]),
            let source = MeasurementSource(rawValue: try row["source"])
        else { throw DatabaseError("a day of an unknown type or source") }
        self.type = type
        self.source = source
        date = try row["date"]
        zone = DeviceZone(name: try row["zone"], word: try row["zone_word"])
        sums = Sums(n: try row["n"], sum: try row["sum"], low: try row["low"], high: try row["high"])
        total = try row["total"]
        let zones: String? = try row["zones"]
        self.zones = try zones.map { try JSONDecoder().decode([HeartZone].self, from: Data($0.utf8)) }
        completeUntil = try row["complete_until"]
        lastAt = try row["last_at"]
        receivedAt = try row["received_at"]
        version = try row["version"]
        deviceMark = try row["device_mark"]
    }

    package var wire: MeasurementDay {
        MeasurementDay(
            type: type, date: date, source: source, zone: zone.name, zoneWord: zone.word, n: sums.n,
            sum: sums.sum,
            mean: sums.n == 0 ? nil : sums.sum / Double(sums.n), min: sums.low, max: sums.high, total: total,
            completeUntil: completeUntil, receivedAt: receivedAt, version: version)
    }

    /// The day's figure; nil without data.
    package var value: Double? { wire.value }

    /// Whether the total and the sum of the samples differ by more than a twentieth.
    package var differs: Bool {
        guard type.isSum, let total, sums.n > 0 else { return false }
        return abs(total - sums.sum) > 0.05 * max(total, sums.sum)
    }

    /// For `ETag`: identifies this state of the day, also when it was deleted and sent again.
    package var revision: Int {
        Revision.number(of: [.integer(Int64(version)), .integer(receivedAt.milliseconds)])
    }

    package var name: String { "\(type.rawValue)/\(date.text)/\(source.rawValue)" }
}
