import Identity
import JSON
import Records
import Web
import Wire
import Wording

/// A device's actions on its subscription, for calls and pages alike.
package enum PushActions {
    package static func find(
        _ device: ID<Credential>, _ c: Context<Member>
    ) throws -> PushSubscriptionRecord? {
        try c.read { try PushSubscriptionStore.find(of: device, c.proof.account.id, $0) }
    }

    package static func wire(_ record: PushSubscriptionRecord, _ c: Context<Member>) throws
        -> PushSubscription
    {
        record.wire(isStopped: try c.read { try PushHostStore.isStopped(record.host, $0) })
    }

    /// Subscribes a device of the caller.
    /// - Parameter renewed: the subscription that has to be there still; nil where none is needed.
    /// - Throws: `Problem.notFound` for another account's device.
    package static func subscribe(
        _ device: ID<Credential>, _ draft: PushDraft, renewing renewed: PushSubscriptionRecord? = nil,
        _ c: Context<Member>
    ) throws -> PushSubscriptionRecord {
        try requireOwn(device, c)
        let account = c.proof.account
        let key = try account.key(c.keys)
        let known = try find(device, c)
        let old = try known.map { try endpoint($0, key) } ?? nil
        let id = known.flatMap { $0.isLive && old == draft.endpoint ? $0.id : nil } ?? c.newID()
        let title = draft.title.map { key.seal($0, for: PushPlace.title(id)) }
        let new = NewPushSubscription(
            id: id, device: device, account: account.id, host: draft.endpoint.host,
            endpoint: key.seal(bytes: draft.endpoint.bytes, for: PushPlace.endpoint(id)), title: title,
            wantsPrompts: draft.wantsPrompts, wantsChanges: draft.wantsChanges, createdAt: c.now,
            sender: c.services.part(PushSignal.self).publicKey)
        try c.write(.pushSubscribed, about: account.id, object: device) { connection in
            if let renewed {
                // Turned off meanwhile, or subscribed anew by another page.
                let now = try PushSubscriptionStore.find(of: device, account.id, connection)
                guard now?.id == renewed.id else { throw Problem.notFound }
            }
            if known?.id == new.id {
                try PushSubscriptionStore.renew(new, connection)
            } else {
                try PushSubscriptionStore.replace(new, connection)
            }
        }
        guard let record = try find(device, c) else { throw Problem.notFound }
        c.services.part(PushSignal.self).plan(for: account.id)
        return record
    }

    /// The device has let go of its subscription, without its person having asked for that.
    package static func end(_ record: PushSubscriptionRecord, _ c: Context<Member>) throws {
        guard record.isLive else { return }
        try c.write(.pushEnded, about: c.proof.account.id, object: record.credentialID) {
            [now = c.now] connection in
            try PushSubscriptionStore.end(record.id, at: now, connection)
        }
    }

    /// - Throws: `Problem.notFound` when there is none.
    package static func unsubscribe(_ device: ID<Credential>, _ c: Context<Member>) throws {
        let account = c.proof.account.id
        try c.write(.pushEnded, about: account, object: device) { connection in
            guard try PushSubscriptionStore.remove(of: device, account, connection) else {
                throw Problem.notFound
            }
        }
    }

    /// Queues a test message, which looks like any other.
    package static func test(_ device: ID<Credential>, _ c: Context<Member>) throws {
        guard let record = try find(device, c), record.isLive else { throw Problem.notFound }
        try c.services.limiter.count("push test \(device)", limit: 5, seconds: 600, now: c.now)
        let message = PushMessageRow(
            subscription: record.id, kind: .test, subject: c.newID() as ID<PushMessageRow>, due: c.now,
            expires: c.now.adding(seconds: 600))
        try c.writeUnaudited(.push) { [chance = c.services.chance] connection in
            try PushQueueStore.insert([message], chance, connection)
        }
        c.services.part(PushSignal.self).wake()
    }

    static func endpoint(_ record: PushSubscriptionRecord, _ key: PersonKey) throws -> PushEndpoint? {
        PushEndpoint(stored: try key.openBytes(record.sealedEndpoint, from: PushPlace.endpoint(record.id)))
    }

    private static func requireOwn(_ device: ID<Credential>, _ c: Context<Member>) throws {
        let devices = try c.read {
            try CredentialStore.devices(of: c.proof.account.id, kinds: [.session, .token], at: c.now, $0)
        }
        guard devices.contains(where: { $0.id == device && $0.isAlive(at: c.now, of: c.proof.account.kind) })
        else { throw Problem.notFound }
    }
}

extension AuditAction {
    static let pushSubscribed = AuditAction(name: "push.subscribed")
    static let pushEnded = AuditAction(name: "push.ended")
}
