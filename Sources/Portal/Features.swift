import Accounts
import Clinic
import Identity
import Instruments
import Intake
import Participants
import Protocols
import Push
import Records
import Responses
import Rules
import Sounds
import Studies
import Tinnitus
import WearableLinks
import Wearables
import Web

extension Feature {
    /// Every area of the portal.
    package static let all: [Feature] = [
        .system, .accounts, .instruments, .responses, .rules, .studies, .protocols, .intake, .clinic, .push,
        .participants, .sounds, .tinnitus, .wearables, .wearableLinks,
    ]
}

extension Routes {
    /// Every way into the program.
    package static let all = Routes(of: Feature.all)
}

extension Services {
    /// With every feature.
    /// - Throws: a clear word for the operator when something does not fit.
    package convenience init(
        _ settings: Settings, clock: Clock = .system, chance: Randomness = .system,
        gate: PasswordHasher = PasswordHasher(), resources: Resources? = nil, log: Log = .standardError,
        interleave: @escaping @Sendable () -> Void = {}
    ) throws {
        try self.init(
            settings, migrations: Migrations.all, features: Feature.all, routes: .all, clock: clock,
            chance: chance, gate: gate, resources: resources, log: log, interleave: interleave)
    }

    package var backups: BackupScheduler { part(BackupScheduler.self) }
    var readiness: Readiness { part(Readiness.self) }
    var health: HealthWatch { part(HealthWatch.self) }
}
