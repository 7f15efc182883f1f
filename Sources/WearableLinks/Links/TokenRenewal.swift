import Accounts
import Database
import Dispatch
import Foundation
import Identity
import Records
import Web
import Wire
import Wording

/// Hands out access tokens, and renews them when they expire: with one call to the provider, however many callers
/// need one at once, in this process or in several on the same database. The first caller marks the row of the link,
/// in a write that reads it again; the others wait until its version has changed.
struct TokenRenewal: Sendable {
    private let services: Services
    private let desk: WearableSignal

    /// A token that ends within these seconds is renewed first.
    private static let leeway: Int64 = 60
    /// For so many seconds a killed renewal blocks others.
    private static let claim: Int64 = 30
    /// The time to wait for another renewal, in nanoseconds: longer than a call can take.
    private static let patience: UInt64 = 15_000_000_000

    init(_ services: Services) { self.init(services, services.part(WearableSignal.self)) }

    init(_ services: Services, _ desk: WearableSignal) {
        self.services = services
        self.desk = desk
    }

    /// A valid access token.
    /// - Parameters:
    ///   - link: as read by the caller; only its name counts.
    ///   - refused: a token that the provider refused, though it should be valid.
    /// - Throws: `LinkFault`.
    func access(
        _ link: WearableLinkRecord, _ provider: ConfiguredProvider, refused: String? = nil
    ) throws -> String {
        let end = DispatchTime.now().uptimeNanoseconds + Self.patience
        while DispatchTime.now().uptimeNanoseconds < end {
            let (seen, account) = try present(link)
            let now = services.clock.now
            let key = try account.key(services.keys)
            guard seen.state == .live, let tokens = try seen.tokens(key) else {
                throw LinkFault.consentEnded
            }
            if tokens.access != refused, seen.accessUntil > now.adding(seconds: Self.leeway) {
                return tokens.access
            }
            if let until = seen.renewingUntil, until > now {
                desk.waitForRenewal()
                continue
            }
            // The claim is the row itself: a caller with an outdated version comes too late, and reads again.
            let isMine = try services.records.writeUnaudited(.wearables) { connection in
                try WearableLinkStore.beginRenewal(
                    of: seen, until: now.adding(seconds: Self.claim), at: now, connection)
            }
            guard isMine else {
                desk.waitForRenewal()
                continue
            }
            defer { desk.noteRenewed() }
            if let access = try renew(seen, tokens, account, provider) { return access }
        }
        throw LinkFault.gone
    }

    private func present(_ link: WearableLinkRecord) throws -> (WearableLinkRecord, AccountRecord) {
        let found = try services.records.read { connection -> (WearableLinkRecord, AccountRecord)? in
            guard let seen = try WearableLinkStore.find(link.provider, of: link.account, connection),
                let account = try AccountStore.find(link.account, connection)
            else { return nil }
            return (seen, account)
        }
        guard let found, found.0.id == link.id else { throw LinkFault.gone }
        return found
    }

    /// - Returns: nil when tokens of another renewal must be read instead.
    private func renew(
        _ seen: WearableLinkRecord, _ tokens: LinkTokens, _ account: AccountRecord,
        _ provider: ConfiguredProvider
    ) throws -> String? {
        let now = services.clock.now
        do {
            let answer = try TokenAnswer.renew(tokens.refresh, provider, at: now)
            let new = LinkTokens(
                access: answer.access, refresh: answer.refresh ?? tokens.refresh, user: tokens.user)
            let sealed = try new.sealed(try account.key(services.keys), seen.id)
            let isKept = try insisting {
                try services.records.writeUnaudited(.wearables) { connection in
                    try WearableLinkStore.setTokens(
                        sealed, accessUntil: now.adding(seconds: answer.accessSeconds),
                        consentUntil: answer.consentSeconds.map { now.adding(seconds: $0) }, of: seen,
                        connection)
                }
            }
            if isKept { return new.access }
            // The link was ended during the renewal: the new tokens must not be used.
            try LinkEnd.giveBack(new, provider, account.id, services, at: now)
            return nil
        } catch LinkFault.consentEnded {
            return try askAgain(seen, account, because: .consentEnded)
        } catch {
            try services.records.writeUnaudited(.wearables) { connection in
                try WearableLinkStore.endRenewal(of: seen, connection)
            }
            throw error
        }
    }

    /// The former token is used up: the new ones must not be lost at the first failing write.
    private func insisting<Value>(_ write: () throws -> Value) throws -> Value {
        for _ in 0..<3 {
            if let value = try? write() { return value }
            Thread.sleep(forTimeInterval: 0.2)
        }
        return try write()
    }

    /// Reads the row again: changed tokens may be valid. Otherwise they are deleted, and the person is notified.
    private func askAgain(
        _ seen: WearableLinkRecord, _ account: AccountRecord, because fault: LinkFault
    ) throws -> String? {
        let present = try present(seen).0
        guard present.version == seen.version, present.state == .live else { return nil }
        let isEnded = try ConsentEnd.note(seen, account, because: fault, services)
        if isEnded { throw LinkFault.consentEnded }
        return nil
    }
}

/// The end of a link's consent.
enum ConsentEnd {
    /// - Returns: false when its tokens have changed since.
    static func note(
        _ link: WearableLinkRecord, _ account: AccountRecord, because fault: LinkFault, _ services: Services
    ) throws -> Bool {
        let now = services.clock.now
        let words = services.sentence("wearables.told_\(link.provider)")
        let notice = try NewNotice(
            .wearableConsent, words, to: account.key(services.keys), id: services.chance.id(), from: now)
        let problem = fault.word ?? "consent_ended"
        do {
            try services.records.write(
                .wearableConsentEnded, by: nil, about: account.id, object: link.provider, at: now
            ) { connection in
                guard try WearableLinkStore.requireConsent(link, because: problem, connection) else {
                    throw Moved()
                }
                try NoticeStore.insert(notice, at: now, connection)
            }
            return true
        } catch is Moved {
            return false
        }
    }

    private struct Moved: Error {}
}

extension AuditAction {
    static let wearableLinked = AuditAction(name: "wearable.linked")
    static let wearableUnlinked = AuditAction(name: "wearable.unlinked")
    static let wearableConsentEnded = AuditAction(name: "wearable.consent_ended")
}
