import Records
import Wire

/// What an author has typed into the form of a session and not saved yet. It counts for nothing, and nobody else sees it.
package struct SessionNoteDraft: Codable, Sendable, Equatable {
    /// What stood in the agenda, what of it was ticked, what was added, and the note: as the form has them.
    package var items: [String]
    package var done: [String]
    package var added: String
    package var note: String
    /// The revision that it was typed over.
    package var revision: String?

    package static let longest = 60_000

    package init(items: [String], done: [String], added: String, note: String, revision: String?) {
        self.items = items
        self.done = done
        self.added = added
        self.note = note
        self.revision = revision
    }

    package var length: Int {
        ([added, note] + items + done).reduce(0) { $0 + $1.unicodeScalars.count }
    }

    static func place(_ session: ID<Session>, _ author: ID<Account>) -> SealContext {
        SealContext("session_note_drafts", "\(session)/\(author)", "words")
    }
}
