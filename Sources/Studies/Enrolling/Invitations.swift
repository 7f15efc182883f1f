import Identity
import Records
import Web
import Wire
import Wording

/// Codes that let one person each into a study, without password or leave.
package enum Invitations {
    package static let digits = 10
    private static let wrongCodes = 10

    /// The look-up value of an invitation to a study.
    /// - Throws: 422 for a code that is wrong, used or expired; 429 after ten wrong ones in an hour.
    static func find(_ code: String, in study: ID<Study>, _ c: Context<Member>) throws -> [UInt8]? {
        let key = "study code \(c.proof.account.id)"
        try c.services.limiter.check(key, limit: wrongCodes, now: c.now)
        let plain = TypedCode.digits(code)
        let lookup = c.keys.lookup(invitation: plain)
        if try c.read({ try InvitationStore.find(lookup, at: c.now, $0) }) == study { return lookup }
        // The study's own code finds it, but admits no one.
        if try c.read({ try StudyStore.find(code: plain, $0)?.id }) == study { return nil }
        try c.services.limiter.count(key, limit: wrongCodes, seconds: 3600, now: c.now)
        throw Problem.invalid("code", "studies.wrong_code")
    }
}
