import Database
import Records
import Web
import Wire
import Wording

/// Every statement about the library of interventions.
package enum LibraryStore {
    static let revision: RevisionOf = { places, _, connection in
        guard let id = ID<LibraryIntervention>(uuid: places["intervention"]) else { return nil }
        return try connection.revision(
            """
            SELECT kind, shared, text_de, text_en, text_other, changed_at FROM library_interventions
            WHERE id = \(id) AND retired_at IS NULL
            """)
    }

    /// The own texts and those that are shared, the newest first.
    package static func all(for account: ID<Account>, _ connection: borrowing Connection) throws
        -> [LibraryRecord]
    {
        try connection.all(
            """
            SELECT * FROM library_interventions WHERE retired_at IS NULL
            AND (shared = 1 OR owner_id = \(account)) ORDER BY created_at DESC, id
            """)
    }

    /// A text this account may read, also a retired one; nil for another's as for none.
    package static func find(
        _ id: ID<LibraryIntervention>, for account: ID<Account>, _ connection: borrowing Connection
    ) throws -> LibraryRecord? {
        try connection.first(
            """
            SELECT * FROM library_interventions WHERE id = \(id) AND (shared = 1 OR owner_id = \(account))
            """)
    }

    /// Any text, for a protocol that names it; nil for none.
    package static func named(
        _ id: ID<LibraryIntervention>, _ connection: borrowing Connection
    ) throws -> LibraryRecord? {
        try connection.first("SELECT * FROM library_interventions WHERE id = \(id)")
    }

    /// The use of the texts with the therapist's own patients, by text.
    static func uses(
        of therapist: ID<Account>, _ connection: borrowing Connection
    ) throws -> [ID<LibraryIntervention>: LibraryUse] {
        let rows = try connection.all(
            """
            SELECT library_id, count(*), count(coalesce(opened_at, completed_at)), count(completed_at)
            FROM interventions JOIN therapies ON therapies.id = interventions.therapy_id
            WHERE therapies.therapist_id = \(therapist) AND library_id IS NOT NULL AND withdrawn_at IS NULL
            GROUP BY library_id
            """
        ) { row in
            let use = LibraryUse(uses: try row[1], opened: try row[2], completed: try row[3])
            return (id: try row[0] as ID<LibraryIntervention>, use: use)
        }
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0.use) })
    }

    /// - Parameters:
    ///   - owner: nil for a text of the whole clinic.
    ///   - starter: its name in the starter set.
    package static func insert(
        _ draft: LibraryDraft, id: ID<LibraryIntervention>, owner: ID<Account>?, starter: String? = nil,
        at now: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO library_interventions (id, owner_id, shared, kind, text_de, text_en, text_other,
                starter, created_at, changed_at)
            VALUES (\(id), \(owner), \(draft.isShared), \(draft.kind), \(draft.text.columns.german), \(draft.text.columns.english),
                \(draft.text.columns.others), \(starter), \(now), \(now))
            """)
    }

    /// Changes future uses; interventions given already keep their words.
    /// - Throws: `Problem.notFound` for another owner's or a retired one.
    static func update(
        _ draft: LibraryDraft, id: ID<LibraryIntervention>, by account: ID<Account>, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        let changed = try connection.run(
            """
            UPDATE library_interventions SET shared = \(draft.isShared), kind = \(draft.kind),
                text_de = \(draft.text.columns.german), text_en = \(draft.text.columns.english), text_other = \(draft.text.columns.others),
                changed_at = \(now)
            WHERE id = \(id) AND (owner_id IS NULL OR owner_id = \(account)) AND retired_at IS NULL
            """)
        if changed == 0 { throw Problem.notFound }
    }

    /// Takes a text out of the library; interventions given already stay.
    static func retire(
        _ id: ID<LibraryIntervention>, by account: ID<Account>, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE library_interventions SET retired_at = coalesce(retired_at, \(now))
            WHERE id = \(id) AND (owner_id IS NULL OR owner_id = \(account))
            """)
    }

    static func bringBack(
        _ id: ID<LibraryIntervention>, by account: ID<Account>, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE library_interventions SET retired_at = NULL
            WHERE id = \(id) AND (owner_id IS NULL OR owner_id = \(account))
            """)
    }

    /// Also of a removed one.
    static let removal: RevisionOf = { places, _, connection in
        guard let id = ID<LibraryIntervention>(uuid: places["intervention"]) else { return nil }
        return try connection.revision(
            "SELECT retired_at, changed_at FROM library_interventions WHERE id = \(id)")
    }
}
