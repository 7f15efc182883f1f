import Foundation
import Locks
import Records
import Wording

/// What is in force: set by the clinic, else as it follows from the zone. Made anew after every change, and shared.
package final class ClinicInForce: Sendable {
    package let record: ClinicRecord
    /// One that the program was told wins over the one set in the portal, that over the system's.
    let timezone: String
    package let zoneSource: ZoneSource
    /// Austrian words only where the clinic is Austrian, Swiss spelling only where it is Swiss.
    package let variant: LanguageVariant

    init(_ record: ClinicRecord, _ settings: Settings) {
        self.record = record
        timezone = settings.timezone ?? record.timezone ?? TimeZone.current.identifier
        let stored = record.timezone == nil ? ZoneSource.system : .settings
        zoneSource = settings.timezone == nil ? stored : .flag
        variant = record.variant ?? Country(zone: timezone).variant
    }
}

/// The settings in memory: every page asks for them.
package final class ClinicDesk: Sendable {
    private let settings: Settings
    private let kept: Lock<ClinicInForce>

    init(_ records: Records, _ settings: Settings) throws {
        self.settings = settings
        kept = Lock(ClinicInForce(try records.read { try ClinicStore.find($0) }, settings))
    }

    package var now: ClinicInForce { kept.withLock { $0 } }

    /// Told after every change. Read within the lock, so that an older state never comes last.
    package func reload(_ records: Records) throws {
        try kept.withLock { $0 = ClinicInForce(try records.read { try ClinicStore.find($0) }, settings) }
    }
}

extension Services {
    /// The clinic's zone.
    package var timezone: String { clinic.now.timezone }

    package var crisisNumbers: [CrisisNumber] { clinic.now.record.crisis ?? inheritedNumbers }

    /// Those of the country of the clinic's zone.
    package var inheritedNumbers: [CrisisNumber] { CrisisNumber.numbers(of: Country(zone: timezone), self) }
}
