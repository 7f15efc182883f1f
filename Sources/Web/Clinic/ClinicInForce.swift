import Locks
import Records
import Scheduling
import Wording

/// The settings in force: the clinic's own, else those of its zone. Computed after every change.
package final class ClinicInForce: Sendable {
    package let record: ClinicRecord
    /// The zone given at start-up wins over the one set in the portal, that one over the system's.
    let timezone: String
    package let zoneSource: ZoneSource
    /// Austrian words only where the clinic is Austrian, Swiss spelling only where it is Swiss.
    package let variant: LanguageVariant

    init(_ record: ClinicRecord, _ settings: Settings) {
        self.record = record
        timezone = settings.timezone ?? record.timezone ?? ZoneData.current.machineZone
        let stored = record.timezone == nil ? ZoneSource.system : .settings
        zoneSource = settings.timezone == nil ? stored : .flag
        variant = record.variant ?? Country(zone: timezone).variant
    }
}

/// The clinic's settings in memory: every page reads them.
package final class ClinicCache: Sendable {
    private let settings: Settings
    private let kept: Lock<ClinicInForce>

    init(_ records: Records, _ settings: Settings) throws {
        self.settings = settings
        kept = Lock(ClinicInForce(try records.read { try ClinicStore.find($0) }, settings))
    }

    package var now: ClinicInForce { kept.withLock { $0 } }

    /// Reads the settings after a change; within the lock, so that an older state never comes last.
    package func reload(_ records: Records) throws {
        try kept.withLock { $0 = ClinicInForce(try records.read { try ClinicStore.find($0) }, settings) }
    }
}
