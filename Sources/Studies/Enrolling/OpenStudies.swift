import Database
import HTTP
import Identity
import Records
import Web
import Wire

/// Which studies an account may find, in lists and by a code.
package enum OpenStudies {
    /// What a patient may join: what is listed, and what their therapist offers even if it is in no list.
    package static func open(
        to account: ID<Account>, at now: Instant, _ connection: borrowing Connection
    ) throws -> [StudyRecord] {
        let listed = try StudyStore.listed(at: now, connection)
        let offered = try OfferStore.study(for: account, connection).flatMap {
            try StudyStore.find($0, connection)
        }
        guard let offered, offered.isRunning(at: now), !listed.contains(where: { $0.id == offered.id })
        else { return listed }
        return (listed + [offered]).sorted { ($1.createdAt, $0.id) < ($0.createdAt, $1.id) }
    }

    private static let wrongCodes = 10

    /// The running study of a code, its own or that of an invitation.
    /// - Throws: 429 after ten wrong ones in an hour.
    package static func find(
        code: String, _ c: Context<Member>
    ) throws -> (study: StudyRecord, isInvitation: Bool)? {
        let key = "study code \(c.proof.account.id)"
        try c.services.limiter.check(key, limit: wrongCodes, now: c.now)
        let digits = TypedCode.digits(code)
        let found = try c.read { connection -> (study: StudyRecord, isInvitation: Bool)? in
            let lookup = c.keys.lookup(invitation: digits)
            let invited = try InvitationStore.find(lookup, at: c.now, connection)
            let study =
                try invited.flatMap { try StudyStore.find($0, connection) }
                ?? StudyStore.find(code: digits, connection)
            return study.map { ($0, invited != nil) }
        }
        guard let found, found.study.isRunning(at: c.now) else {
            try c.services.limiter.count(key, limit: wrongCodes, seconds: 3600, now: c.now)
            return nil
        }
        return found
    }
}
