import Database
import Records
import Wire

/// A text of the library.
package struct LibraryRecord: Sendable, FromRow {
    package let id: ID<LibraryIntervention>
    /// Nil when its author was erased.
    let ownerID: ID<Account>?
    let isShared: Bool
    package let kind: InterventionKind
    package let text: LocalizedText
    let createdAt: Instant
    let changedAt: Instant
    package let isRetired: Bool

    package init(row: borrowing Row) throws {
        id = try row["id"]
        ownerID = try row["owner_id"]
        isShared = try row["shared"]
        kind = try row["kind"]
        text = try LocalizedText(row: row, "text")
        createdAt = try row["created_at"]
        changedAt = try row["changed_at"]
        let retiredAt: Instant? = try row["retired_at"]
        isRetired = retiredAt != nil
    }

    /// Shared texts may be read by all and changed by their owner. A text without an owner may be changed by all.
    func mayBeChanged(by account: ID<Account>) -> Bool { ownerID == nil || ownerID == account }
}

/// How often the therapist's own patients were given a text, opened and completed it.
struct LibraryUse: Sendable {
    var uses = 0
    var opened = 0
    var completed = 0
}
