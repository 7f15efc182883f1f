import Records
import Wire

/// An author's unsaved input in the form of a session. It has no effect, and only the author sees it.
package struct SessionNoteDraft: Codable, Sendable, Equatable {
    /// The agenda, the ticked items, the added ones and the note, as in the form.
    package var items: [String]
    package var done: [String]
    package var added: String
    package var note: String
    /// The revision it is based on.
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
