import Accounts
import Agenda
import Appointments
import Clinic
import Contributions
import Delivery
import Identity
import Instruments
import Intake
import Pairing
import Participants
import Protocols
import Push
import Records
import Research
import Rules
import Sounds
import Staff
import Studies
import Tinnitus
import WearableLinks
import Wearables
import Web

extension Feature {
    /// Every area of the portal.
    package static let all: [Feature] = [
        .system, .accounts, .instruments, .contributions, .delivery, .rules, .studies, .research, .protocols,
        .intake, .appointments, .pairing, .agenda, .clinic, .staff, .push, .participants, .sounds, .tinnitus,
        .wearables, .wearableLinks,
    ]
}

extension Routes {
    /// Every route of the program.
    package static let all = Routes(of: Feature.all)
}

extension Services {
    /// With every feature.
    /// - Parameter resources: where they were read already; nil reads all that the program comes with.
    /// - Throws: a message for the operator when something does not fit.
    package convenience init(
        _ settings: Settings, clock: Clock = .system, chance: Randomness = .system,
        gate: PasswordHasher = PasswordHasher(), resources: Resources? = nil, log: Log = .standardError,
        interleave: @escaping @Sendable () -> Void = {}
    ) throws {
        try self.init(
            settings, migrations: Migrations.all, features: Feature.all, routes: .all, clock: clock,
            chance: chance, gate: gate,
            resources: try resources ?? Resources(folder: settings.resources, needed: ShippedFiles.paths),
            log: log,
            interleave: interleave)
    }

    package var backups: BackupScheduler { part(BackupScheduler.self) }
    var readiness: Readiness { part(Readiness.self) }
    var health: HealthWatch { part(HealthWatch.self) }
}
