import Database
import Records
import Wire

/// Facts about an instrument beside its file: owner, licence, sensors. One card for all versions of a key.
package struct InstrumentCard: Sendable {
    package enum Licence: String, Sendable, CaseIterable, SQLConvertible {
        /// Not stated yet.
        case unstated
        /// Written in this clinic.
        case own
        case free
        /// Copyrighted: its use needs the owner's permission, which must be confirmed once.
        case permission
    }

    package var licence = Licence.unstated
    package var source: String?
    var permittedUse: String?
    package var cutoffSource: String?
    var asksGPS = false
    var asksMicrophone = false
    package var confirmedAt: Instant?
    /// The account that confirmed the permission.
    package var confirmedBy: ID<Account>?

    package init() {}

    package init(row: borrowing Row) throws {
        licence = try row["licence"]
        source = try row["source"]
        permittedUse = try row["permitted_use"]
        cutoffSource = try row["cutoff_source"]
        asksGPS = try row["asks_gps"]
        asksMicrophone = try row["asks_microphone"]
        confirmedAt = try row["confirmed_at"]
        confirmedBy = try row["confirmed_by"]
    }

    package func asks(_ sensor: String) -> Bool {
        switch sensor {
        case "gps": asksGPS
        case "microphone": asksMicrophone
        default: false
        }
    }

    /// Whether it must not be assigned before the owner's permission is confirmed.
    package var needsConfirmation: Bool { licence == .permission && confirmedAt == nil }
}
