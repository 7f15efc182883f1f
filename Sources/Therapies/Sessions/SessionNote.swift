import Database
import Foundation
import Records
import Wire

/// One author's note on one record of a session, as stored.
package struct SessionNoteRecord: Sendable, FromRow {
    package let sessionID: ID<Session>
    private let sealedNote: [UInt8]?
    private let sealedAgenda: [UInt8]?
    package let changedAt: Instant

    package init(row: borrowing Row) throws {
        sessionID = try row["session_id"]
        sealedNote = try row["note"]
        sealedAgenda = try row["agenda"]
        changedAt = try row["changed_at"]
    }

    package func note(_ key: PersonKey) throws -> String? {
        try sealedNote.map { try key.open($0, from: Self.note(sessionID)) }
    }

    /// The items ticked off.
    package func done(_ key: PersonKey) throws -> [String] {
        guard let sealedAgenda else { return [] }
        let text = try key.open(sealedAgenda, from: Self.agenda(sessionID))
        return try JSONDecoder().decode([String].self, from: Data(text.utf8))
    }

    package static func note(_ id: ID<Session>) -> SealContext { SealContext("session_notes", id, "note") }
    package static func agenda(_ id: ID<Session>) -> SealContext {
        SealContext("session_notes", id, "agenda")
    }
}
