import Database
import Records
import Scheduling
import Web
import Wire
import Wording

/// "Reached by phone" (PR-26): the therapist's own entry on the timeline.
package struct PhoneContactRecord: Sendable, FromRow {
    package let id: ID<PhoneContactRecord>
    package let at: Instant
    private let sealedNote: [UInt8]?

    package init(row: borrowing Row) throws {
        id = try row["id"]
        at = try row["at"]
        sealedNote = try row["note"]
    }

    /// - Parameter key: the therapy's.
    package func note(_ key: PersonKey) throws -> String? {
        try sealedNote.map { try key.open($0, from: Self.note(id)) }
    }

    package static func note(_ id: ID<PhoneContactRecord>) -> SealContext {
        SealContext("phone_contacts", id, "note")
    }
}

/// A call as it is entered. Made only by reading.
package struct PhoneContactDraft: Sendable {
    package let at: Instant
    package let note: String?

    static let longestNote = 500

    /// - Parameter zone: the clinic's, for a form; nil for a call of the API, which sends offsets.
    /// - Throws: `Problem.invalid` for a time in the future, or more than ten years ago.
    package static func read(
        _ fields: InputReader, _ zone: Zone?, now: Instant
    ) throws(Problem) -> PhoneContactDraft {
        let at =
            zone.map { fields.moment("at", $0, required: true) } ?? fields.time("at", required: true)
        let note = fields.text("note", limit: longestNote)
        if let at {
            if at > now.adding(seconds: 300) { fields.refuse("at", "phone.future") }
            if at < now.adding(days: -3650) { fields.refuse("at", "phone.far") }
        }
        try fields.finish()
        guard let at else { throw .invalid(fields.errors) }
        return PhoneContactDraft(at: min(at, now), note: note)
    }

    private init(at: Instant, note: String?) { (self.at, self.note) = (at, note) }
}
