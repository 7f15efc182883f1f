import Contributions
import Database
import Delivery
import HTTP
import Identity
import Records
import Secrets
import Therapies
import Web
import Wire
import Wording

/// The access to a sheet without signing in: a link, in one browser.
struct LinkAccess: Sendable {
    let hash: [UInt8]
    /// From the browser's cookie: a draft behind the link is shown to this browser alone.
    let browser: Token
    let therapy: ID<Therapy>
    let now: Instant
    let records: Records

    /// The cookie of the request's browser, or a new one.
    static func browser(_ c: Context<Anyone>) -> Token {
        let name = CookieKind.linkDraft.name(isSecure: c.services.settings.isSecure)
        return c.request.cookie(name).flatMap { Token($0) } ?? Token()
    }

    /// Refuses, in the transaction of a write, links that have ended meanwhile.
    @Sendable func prove(_ connection: borrowing Connection) throws {
        let link = try AssignmentLinkStore.find(hash, connection)
        if link?.handedBackAt != nil { throw Problem.gone(Message("link.dead_handed_back")) }
        guard let link, link.endedAt == nil, link.expiresAt > now else {
            throw Problem.gone(Message("link.dead_ended"))
        }
    }

    /// Proves it and notes in the patient's access log, with the sheet's own write, that it came by this link.
    @Sendable func send(_ connection: borrowing Connection) throws {
        try prove(connection)
        guard let link = try AssignmentLinkStore.find(hash, connection) else { return }
        try AssignmentLinkStore.noteSent(hash, by: browser.hash, at: now, connection)
        try records.note(
            .assignmentSentByLink, about: therapy, object: link.assignment.text, at: now, connection)
    }

    // MARK: Drafts

    /// Only the browser has the key: without it neither the server nor another browser can read the draft.
    private var key: SecretKey? { SecretKey(Digest.plain(Array("link draft \(browser.text)".utf8))) }

    func draft(_ connection: borrowing Connection) throws -> DraftAnswers? {
        guard let key, let kept = try LinkDraftStore.find(hash, browser.hash, connection) else { return nil }
        let bytes = try Seal.open(kept.answers, with: key, place: "link_drafts")
        return try DraftAnswers(stored: bytes, updatedAt: kept.updatedAt)
    }

    /// Stores the input of a page.
    func keep(
        _ changes: [String: DraftAnswers.Change], in target: Fillable, begin: DraftAnswers,
        _ c: Context<some Sendable>
    ) throws -> DraftAnswers {
        let known = try c.read { try draft($0) }
        var merged = known ?? begin
        merged.merge(changes, at: c.now)
        if merged == known { return merged }
        let id = target.account.id
        return try c.write(.draftKept, by: .nobody, about: id, object: target.draft) {
            [now = c.now] connection in
            try target.prove(connection)
            var newest = try draft(connection) ?? begin
            newest.merge(changes, at: now)
            guard let key else { throw SealBroken() }
            let sealed = Seal.close(try newest.bytes, with: key, place: "link_drafts")
            try LinkDraftStore.save(sealed, hash, browser.hash, at: now, connection)
            return newest
        }
    }
}
