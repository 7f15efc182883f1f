import Database
import Records
import Web
import Wire
import Wording

/// Every statement about batteries.
package enum BatteryStore {
    package static func all(_ connection: borrowing Connection) throws -> [Battery] {
        let items = try connection.all(
            "SELECT battery_id, questionnaire_key FROM battery_items ORDER BY battery_id, position"
        ) { row -> (battery: ID<Battery>, key: String) in (battery: try row[0], key: try row[1]) }
        let keys = Dictionary(grouping: items, by: \.battery)
        return try connection.all("SELECT id, name, revision FROM batteries WHERE removed_at IS NULL") {
            row in
            let id: ID<Battery> = try row[0]
            return Battery(
                id: id, name: try row[1], keys: (keys[id] ?? []).map(\.key), revision: try row[2])
        }.sorted(byName: \.name, then: \.id)
    }

    package static func find(_ id: ID<Battery>, _ connection: borrowing Connection) throws -> Battery? {
        let found = try connection.all(
            "SELECT name, revision FROM batteries WHERE id = \(id) AND removed_at IS NULL"
        ) { row in
            (name: try row[0] as String, revision: try row[1] as Int)
        }.first
        guard let found else { return nil }
        let keys: [String] = try connection.all(
            "SELECT questionnaire_key FROM battery_items WHERE battery_id = \(id) ORDER BY position"
        ) { row in try row[0] }
        return Battery(id: id, name: found.name, keys: keys, revision: found.revision)
    }

    /// - Throws: `Problem.invalid` when another battery has the name.
    package static func save(
        _ draft: BatteryDraft, id: ID<Battery>, at now: Instant, _ connection: borrowing Connection
    ) throws {
        // A removed battery does not block its name.
        try connection.run(
            "DELETE FROM batteries WHERE name = \(draft.name) AND removed_at IS NOT NULL AND id <> \(id)")
        do {
            try connection.run(
                """
                INSERT INTO batteries (id, name, created_at) VALUES (\(id), \(draft.name), \(now))
                ON CONFLICT (id) DO UPDATE SET name = excluded.name, revision = batteries.revision + 1
                """)
        } catch let error as DatabaseError where error.violates("batteries.name") {
            throw Problem.invalid("name", "batteries.name_taken")
        }
        try connection.run("DELETE FROM battery_items WHERE battery_id = \(id)")
        for (position, key) in draft.keys.enumerated() {
            try connection.run(
                """
                INSERT INTO battery_items (battery_id, position, questionnaire_key)
                VALUES (\(id), \(position), \(key))
                """)
        }
    }

    /// - Throws: `Problem.conflict` while rules use it, or assignments were made from it.
    package static func remove(_ id: ID<Battery>, at now: Instant, _ connection: borrowing Connection) throws
    {
        let isUsed = try connection.exists(
            """
            SELECT 1 FROM delivery_rules WHERE battery_id = \(id)
            UNION ALL SELECT 1 FROM assignments WHERE battery_id = \(id) LIMIT 1
            """)
        if isUsed { throw Problem.conflict(Message("batteries.used")) }
        try connection.run("UPDATE batteries SET removed_at = \(now) WHERE id = \(id)")
    }

    /// Undoes a removal.
    /// - Returns: whether it was removed.
    static func bringBack(_ id: ID<Battery>, _ connection: borrowing Connection) throws -> Bool {
        try connection.run(
            "UPDATE batteries SET removed_at = NULL WHERE id = \(id) AND removed_at IS NOT NULL") > 0
    }

    /// Removed batteries are deleted for good a day later: undoing is for slips.
    package static func removeExpired(now: Instant, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM batteries WHERE removed_at < \(now.adding(days: -1))")
    }

    static let revision: RevisionOf = { places, _, connection in
        guard let id = ID<Battery>(uuid: places["battery"]) else { return nil }
        return try connection.revision("SELECT revision, removed_at FROM batteries WHERE id = \(id)")
    }
}
