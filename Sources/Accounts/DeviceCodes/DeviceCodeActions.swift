import Database
import HTTP
import Identity
import Records
import Secrets
import Web
import Wire
import Wording

/// Signing in a further device, for page and call alike (PW-4). Not for staff.
package enum DeviceCodeActions {
    static let wrongPerHour = 10
    static let wrongPerDay = 100

    /// A fresh code, shown only to the account that asks.
    package static func make(_ c: Context<Member>) throws -> (code: String, expiresAt: Instant) {
        let account = c.proof.account
        let code = c.services.chance.digits(DeviceCodeRecord.digits)
        let sealed = try account.key(c.keys).seal(code, for: DeviceCodeRecord.place(account.id))
        let expiry = c.now.adding(seconds: DeviceCodeRecord.lifetimeSeconds)
        let lookup = c.keys.lookup(deviceCode: code)
        try c.write(.deviceCodeMade, about: account.id) { connection in
            try DeviceCodeStore.replace(
                of: account.id, lookup: lookup, sealed: sealed, until: expiry, connection)
        }
        return (code, expiry)
    }

    /// The data a device gives about itself when it enters a code.
    package struct Device: Sendable {
        var kind: Credential.Kind
        var name: String?
        var platform: String?
        var osVersion: String?
        var appVersion: String?
        var traits = DeviceTraits(browser: nil, system: nil)
        var stays = false
    }

    /// Enters a code: the token becomes valid when the first device approves.
    /// - Throws: `Problem.unknown` for a wrong code, `.gone` for a used one, `.tooManyRequests` after ten wrong ones
    ///   in an hour and address.
    package static func claim(
        _ text: String, as device: Device, _ c: Context<Anyone>
    ) throws -> (token: Token, expiresAt: Instant) {
        let limiter = c.services.limiter
        let address = "device code \(c.clientAddress)"
        let lookup = c.keys.lookup(deviceCode: TypedCode.digits(text))
        let found = try c.read { connection -> AccountRecord? in
            guard let code = try DeviceCodeStore.find(lookup: lookup, now: c.now, connection),
                let account = try AccountStore.find(code.account, connection), account.disabledAt == nil
            else { return nil }
            return account
        }
        // A browser or an app of the account's own does not wait for wrong codes of others behind its address.
        if try !c.trySource(of: found?.id).isDevice {
            try limiter.check(address, limit: wrongPerHour, now: c.now)
        }
        guard let account = found else {
            try limiter.count(address, limit: wrongPerHour, seconds: 3600, now: c.now)
            try watchAll(c)
            throw Problem.unknown(Message("device_codes.unknown"))
        }
        let made = NewCredential(device.kind, of: account.id, id: c.newID(), now: c.now)
        let id = made.id
        let key = try account.key(c.keys)
        let claim = DeviceCodeRecord.Claim(
            id: id, at: c.now, hash: made.token.hash, kind: device.kind,
            name: device.name.map { key.seal($0, for: AccountPlace.device(id)) }, platform: device.platform,
            osVersion: device.osVersion, appVersion: device.appVersion, traits: device.traits,
            stays: device.stays)
        try c.write(.deviceCodeClaimed, by: .account(account.id), about: account.id, object: id) {
            [now = c.now] connection in
            try AccountStore.requireUnchanged(account, connection)
            try DeviceCodeStore.claim(lookup, by: claim, now: now, connection)
        }
        return (made.token, made.expiresAt)
    }

    /// The first device approves: from now on the other one is signed in.
    /// - Parameter shown: the device shown to the person; nil for calls, which show none. These do not show a
    ///   browser's wish to stay signed in either: it is ignored.
    /// - Throws: `Problem.gone` when no device waits any more, or another one.
    package static func approve(shown: String? = nil, _ c: Context<Member>) throws {
        let account = c.proof.account.id
        try c.write(.signedIn, about: account) { [now = c.now] connection in
            guard let claim = try DeviceCodeStore.find(of: account, now: now, connection)?.claim,
                shown.map({ $0 == claim.id.text }) ?? true
            else {
                throw Problem.gone(Message("device_codes.nothing"))
            }
            let arrived = claim.arrived(stays: claim.stays && shown != nil)
            try CredentialStore.insert(claim: arrived, of: account, now: now, connection)
            try DeviceCodeStore.remove(of: account, connection)
        }
    }

    /// The first device refuses, or withdraws the code.
    package static func refuse(_ c: Context<Member>) throws {
        let account = c.proof.account.id
        try c.write(.deviceCodeRefused, about: account) { connection in
            try DeviceCodeStore.remove(of: account, connection)
        }
    }

    /// A hundred wrong codes a day over the whole server raise an alarm and slow every further wrong try.
    private static func watchAll(_ c: Context<Anyone>) throws {
        let limiter = c.services.limiter
        try limiter.count("device codes", limit: .max, seconds: 86_400, now: c.now)
        guard try limiter.value("device codes", now: c.now) > wrongPerDay else { return }
        c.services.log.line("alarm", "many wrong device codes", at: c.now)
        c.services.delay(seconds: 2)
    }
}

extension DeviceCodeRecord.Claim {
    func arrived(stays: Bool) -> ArrivedCredential {
        ArrivedCredential(
            id: id, kind: kind, hash: hash, deviceName: name, platform: platform, osVersion: osVersion,
            appVersion: appVersion, traits: traits, stays: stays)
    }
}
