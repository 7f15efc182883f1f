import Contributions
import Database
import Identity
import Records
import Web

/// Keeping half-filled answers, for call and pages alike.
package enum DraftKeeping {
    /// The draft of a subject; empty before the first answer.
    package static func current(
        _ subject: ID<DraftSubject>, of account: AccountRecord, _ keys: Keyring,
        _ connection: borrowing Connection
    ) throws -> DraftAnswers? {
        try DraftStore.find(subject, of: account.id, connection)?.draft(try account.key(keys))
    }

    /// Merges the answers of a page with those of other devices meanwhile.
    ///
    /// - Parameters:
    ///   - older: the draft of an older version that this one continues and replaces.
    ///   - begin: the first content of a new draft.
    ///   - proves: refuses, in the transaction, subjects that may not be filled in any more.
    package static func keep(
        _ changes: [String: DraftAnswers.Change], for subject: ID<DraftSubject>,
        of account: AccountRecord, from older: ID<DraftSubject>? = nil,
        begin: DraftAnswers, _ c: Context<some Sendable>,
        proves: @escaping @Sendable (borrowing Connection) throws -> Void
    ) throws -> DraftAnswers {
        let key = try account.key(c.keys)
        let known = try c.read { try current(subject, of: account, c.keys, $0) }
        // A repeated draft changes nothing, and needs no line in the audit log.
        if let known, known.sheet != nil {
            var merged = known
            merged.merge(changes, at: c.now)
            if merged == known { return known }
        }
        let id = account.id
        return try c.write(.draftKept, about: id, object: subject) {
            [now = c.now] connection in
            try proves(connection)
            var draft = try DraftStore.find(subject, of: id, connection)?.draft(key) ?? begin
            draft.sheet = draft.sheet ?? begin.sheet
            draft.startedAt = draft.startedAt ?? begin.startedAt
            draft.merge(changes, at: now)
            try DraftStore.save(draft, for: subject, of: id, key, at: now, connection)
            if let older, older != subject { try DraftStore.erase(older, of: id, connection) }
            return draft
        }
    }
}
