import Database
import Identity
import Records
import Scheduling
import Web
import Wire

/// The account in the copy of own data.
enum OwnAccountData {
    @Sendable static func sections(
        _ owner: DataOwner, _ connection: borrowing Connection
    ) throws -> Feature.OwnSections {
        let account = owner.account
        let c = owner.c
        let zones = try AccountStore.zones(of: account.id, since: .distantPast, connection)
        let devices = try CredentialStore.devices(
            of: account.id, kinds: [.session, .token], at: c.now, connection)
        let reminded = try c.services.reminded(account.id, connection)
        let notices = try NoticeStore.all(of: account.id, connection)
        return [
            .profile: try ProfileAPI.wire(account, c.keys, connection),
            .privacy: Privacy(
                researchConsent: account.researchConsent,
                history: try PrivacyStore.history(of: account.id, connection)),
            .timeZones: zones.map { change -> Facts in
                ["changed_at": change.at, "timezone": change.zone.identifier]
            },
            .devices: try devices.map { device in
                try device.wire(
                    owner.key, current: c.proof.credential, push: reminded[device.id] ?? "off")
            },
            .appUse: try AppUseStore.all(of: account.id, connection).map { used -> Facts in
                ["day": used.day, "platform": used.platform]
            },
            .sensorSettings: SensorSettings(gps: account.isGPSOn, microphone: account.isMicrophoneOn),
            .notices: try notices.map { try $0.wire(owner.key, c.languages) },
        ]
    }
}
