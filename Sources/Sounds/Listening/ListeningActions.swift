import Database
import Identity
import Records
import Web
import Wire
import Wording

/// Storing listening sessions, for pages and calls alike (SN-2).
enum ListeningActions {
    struct Kept {
        let record: ListeningRecord
        let isNew: Bool
    }

    /// Sending the same again changes nothing; other content under the id is refused.
    /// - Throws: `Problem`.
    static func keep(
        _ draft: ListeningDraft, _ id: ID<ListeningSession>, _ c: Context<Member>
    ) throws -> Kept {
        let account = c.proof.account.id
        if let known = try c.read({ try ListeningStore.find(id, of: account, $0) }) {
            return try confirm(draft, known)
        }
        do {
            let record = try c.write(.soundHeard, about: account, object: id) { [now = c.now] connection in
                if let known = try ListeningStore.find(id, of: account, connection) {
                    throw Known(record: known)
                }
                // Includes sounds no longer offered: one may be on a device that was offline for days.
                guard let sound = try SoundStore.find(draft.soundID, connection), sound.publishedAt != nil
                else { throw Problem.invalid("sound_id", "listening.unknown_sound") }
                let record = ListeningRecord(
                    id: id, draft, audioHash: sound.audioHash, receivedAt: now)
                try ListeningStore.insert(record, of: account, connection)
                return record
            }
            return Kept(record: record, isNew: true)
        } catch let known as Known {
            return try confirm(draft, known.record)
        }
    }

    /// Thrown out of a write that would change nothing.
    private struct Known: Error { let record: ListeningRecord }

    private static func confirm(_ draft: ListeningDraft, _ known: ListeningRecord) throws -> Kept {
        guard draft.says(theSameAs: known) else { throw Problem.conflict(Message("listening.changed")) }
        return Kept(record: known, isNew: false)
    }

    /// Titles of all sounds, for the reader.
    static func titles<P>(_ c: Context<P>, _ connection: borrowing Connection) throws -> [ID<Sound>: String] {
        Dictionary(
            uniqueKeysWithValues: try SoundStore.all(connection).map { ($0.id, $0.title(c.languages)) })
    }

    /// Adds a sound to the favourites, or removes it; repeating it is harmless.
    /// - Throws: `Problem.notFound` for a sound that is not offered.
    static func setFavourite(_ isOne: Bool, _ c: Context<Member>) throws {
        let id: ID<Sound> = try c.id("sound")
        let account = c.proof.account.id
        let isOffered = try c.read { try SoundStore.find(id, $0)?.isOffered } ?? false
        if isOne, !isOffered { throw Problem.notFound }
        try c.write(.favouriteChosen, about: account, object: id) { [now = c.now] connection in
            if isOne {
                guard try SoundStore.find(id, connection) != nil else { throw Problem.notFound }
                try FavouriteStore.add(id, of: account, at: now, connection)
            } else {
                try FavouriteStore.remove(id, of: account, connection)
            }
        }
    }
}

extension AuditAction {
    static let soundHeard = AuditAction(name: "sound.heard")
    static let favouriteChosen = AuditAction(name: "sound_favourite.chosen")
}
