import Database
import Records
import Wire

/// A text of the library.
package struct LibraryRecord: Sendable, FromRow {
    package let id: ID<LibraryIntervention>
    /// Nil when whoever wrote it has gone.
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

    /// Everybody reads what is shared; only its owner changes it. What has no owner any more is everybody's.
    func mayBeChanged(by account: ID<Account>) -> Bool { ownerID == nil || ownerID == account }
}

/// How often one's own patients were given a text, and what became of it.
struct LibraryUse: Sendable {
    var uses = 0
    var opened = 0
    var completed = 0
}
