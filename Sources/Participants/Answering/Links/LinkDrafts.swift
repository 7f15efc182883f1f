import Database
import HTTP
import Identity
import Records
import Responses
import Secrets
import Therapies
import Web
import Wire
import Wording

/// What a sheet was opened by, for somebody who is not signed in: a link, in one browser.
struct LinkAccess: Sendable {
    let hash: [UInt8]
    /// Of the browser's cookie: what is typed behind the link is shown to this one alone.
    let browser: Token
    let therapy: ID<Therapy>
    let now: Instant
    let records: Records

    /// The cookie of the browser that asks, or a new one.
    static func browser(_ c: Context<Anyone>) -> Token {
        let name = CookieKind.linkDraft.name(isSecure: c.services.settings.isSecure)
        return c.request.cookie(name).flatMap { Token($0) } ?? Token()
    }

    /// Refuses, in the transaction of a write, what a link that has ended meanwhile would write.
    @Sendable func prove(_ connection: borrowing Connection) throws {
        guard let link = try AssignmentLinkStore.find(hash, connection), link.endedAt == nil,
            link.expiresAt > now
        else { throw Problem.gone(Message("link.dead_ended")) }
    }

    /// Proves it and notes, in the transaction that stores the sheet, that it came by this link: a line that the patient reads.
    @Sendable func send(_ connection: borrowing Connection) throws {
        try prove(connection)
        guard let link = try AssignmentLinkStore.find(hash, connection) else { return }
        try AssignmentLinkStore.noteSent(hash, by: browser.hash, at: now, connection)
        try records.note(
            .assignmentSentByLink, about: therapy, object: link.assignment.text, at: now, connection)
    }

    // MARK: Half filled in

    /// Only the browser has the key: nobody else reads it, and neither does the server without it.
    private var key: SecretKey? { SecretKey(Digest.plain(Array("link draft \(browser.text)".utf8))) }

    func draft(_ connection: borrowing Connection) throws -> DraftAnswers? {
        guard let key, let kept = try LinkDraftStore.find(hash, browser.hash, connection) else { return nil }
        let bytes = try Seal.open(kept.answers, with: key, place: "link_drafts")
        return try DraftAnswers(stored: bytes, updatedAt: kept.updatedAt)
    }

    /// Takes in what a page says.
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
