import Database
import Records
import Therapies
import Web
import Wire
import Wording

/// Every statement about rules.
package enum RuleStore {
    /// A person's rules, the newest first.
    package static func all(of owner: ID<Account>, _ connection: borrowing Connection) throws -> [RuleRecord]
    {
        try connection.all(
            """
            SELECT * FROM rules WHERE owner_id = \(owner) AND retired_at IS NULL ORDER BY created_at DESC, id
            """
        ) { row in try RuleRecord(row: row) }
    }

    /// One of a person's rules; nil for another's as for none.
    package static func find(
        _ id: ID<Rule>, of owner: ID<Account>, _ connection: borrowing Connection
    ) throws -> RuleRecord? {
        try connection.first(
            "SELECT * FROM rules WHERE id = \(id) AND owner_id = \(owner) AND retired_at IS NULL"
        ) { row in try RuleRecord(row: row) }
    }

    /// A therapy's enabled rules: its therapist's for all or chosen patients, and those that protocols bring.
    package static func active(for therapy: Therapy, _ connection: borrowing Connection) throws
        -> [RuleRecord]
    {
        let forAll = try connection.all(
            """
            SELECT * FROM rules WHERE owner_id = \(therapy.therapistID) AND for_all = 1
            AND enabled_at IS NOT NULL AND retired_at IS NULL
            """
        ) { row in try RuleRecord(row: row) }
        // In two steps, the owner not as a bare column: SQLite would scan all rules of the owner instead.
        let ids: [ID<Rule>] = try connection.all(
            "SELECT rule_id FROM rule_therapies WHERE therapy_id = \(therapy.id)"
        ) { row in try row[0] }
        let brought = try RuleProtocolStore.rules(in: therapy.id, connection)
        if ids.isEmpty && brought.isEmpty { return forAll }
        let others = try enabled(ids + brought, connection).filter { record in
            if forAll.contains(where: { $0.id == record.id }) { return false }
            return brought.contains(record.id) || record.ownerID == therapy.therapistID && !record.isForAll
        }
        return (forAll + others).sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    private static func enabled(
        _ ids: [ID<Rule>], _ connection: borrowing Connection
    ) throws -> [RuleRecord] {
        try connection.all(
            """
            SELECT * FROM rules WHERE id IN \(list: ids) AND enabled_at IS NOT NULL AND retired_at IS NULL
            """
        ) { row in try RuleRecord(row: row) }
    }

    /// Some rules that are not deleted, of any owner: those of a protocol.
    package static func named(
        _ ids: [ID<Rule>], _ connection: borrowing Connection
    ) throws -> [RuleRecord] {
        try connection.all(
            """
            SELECT * FROM rules WHERE id IN \(list: ids) AND retired_at IS NULL ORDER BY created_at, id
            """
        ) { row in try RuleRecord(row: row) }
    }

    /// The therapies of a rule; the owner's running ones when it is for all.
    package static func therapies(of rule: RuleRecord, _ connection: borrowing Connection) throws -> [Therapy]
    {
        let chosen = rule.isForAll ? nil : try chosen(of: rule.id, connection)
        return try therapies(of: rule.ownerID, chosen: chosen, connection)
    }

    /// An owner's running therapies.
    /// - Parameter chosen: only those among them; nil for all.
    static func therapies(
        of owner: ID<Account>, chosen: [ID<Therapy>]?, _ connection: borrowing Connection
    ) throws -> [Therapy] {
        let all = try connection.all(
            """
            SELECT * FROM therapies WHERE therapist_id = \(owner) AND account_id IS NOT NULL
            AND ended_at IS NULL ORDER BY codename
            """
        ) { row in try Therapy(row: row) }
        guard let chosen = chosen.map(Set.init) else { return all }
        return all.filter { chosen.contains($0.id) }
    }

    static func chosen(of rule: ID<Rule>, _ connection: borrowing Connection) throws -> [ID<Therapy>] {
        try connection.all(
            "SELECT therapy_id FROM rule_therapies WHERE rule_id = \(rule) ORDER BY therapy_id"
        ) { row in try row[0] }
    }

    /// - Parameters:
    ///   - chosen: therapies; nil for all.
    ///   - starter: its name in the starter set.
    package static func insert(
        _ rule: StoredRule, chosen: [ID<Therapy>]?, id: ID<Rule>, owner: ID<Account>, starter: String? = nil,
        at now: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO rules (id, owner_id, definition, texts, for_all, starter, created_at, changed_at)
            VALUES (\(id), \(owner), \(rule.definition), \(rule.texts), \(chosen == nil), \(starter), \(now), \(now))
            """)
        try setChosen(chosen ?? [], id: id, connection)
    }

    /// The number of changes of a rule; nil for another owner's as for none.
    static func revision(
        of id: ID<Rule>, owner: ID<Account>, _ connection: borrowing Connection
    ) throws -> Int? {
        try connection.value(
            "SELECT revision FROM rules WHERE id = \(id) AND owner_id = \(owner) AND retired_at IS NULL")
    }

    /// Also of a deleted one.
    static let removal: RevisionOf = { places, owner, connection in
        guard let id = ID<Rule>(uuid: places["rule"]) else { return nil }
        return try connection.revision(
            "SELECT revision, retired_at FROM rules WHERE id = \(id) AND owner_id = \(owner)")
    }

    package static func update(
        _ rule: StoredRule, chosen: [ID<Therapy>]?, id: ID<Rule>, owner: ID<Account>, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE rules SET definition = \(rule.definition), texts = \(rule.texts), for_all = \(chosen == nil), changed_at = \(now),
                revision = revision + 1
            WHERE id = \(id) AND owner_id = \(owner)
            """)
        try setChosen(chosen ?? [], id: id, connection)
    }

    private static func setChosen(
        _ therapies: [ID<Therapy>], id: ID<Rule>, _ connection: borrowing Connection
    ) throws {
        try connection.run("DELETE FROM rule_therapies WHERE rule_id = \(id)")
        for therapy in Set(therapies).sorted() {
            try connection.run(
                "INSERT INTO rule_therapies (therapy_id, rule_id) VALUES (\(therapy), \(id))")
        }
    }

    /// Removes a therapy that was handed over from rules for chosen patients.
    package static func forget(therapy: ID<Therapy>, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM rule_therapies WHERE therapy_id = \(therapy)")
        try connection.run("DELETE FROM rule_protocols WHERE therapy_id = \(therapy)")
    }

    /// Switches a rule on or off; switching on again keeps the first time.
    package static func switchRule(
        _ id: ID<Rule>, owner: ID<Account>, on: Bool, at now: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE rules SET enabled_at = CASE WHEN \(on) THEN coalesce(enabled_at, \(now)) ELSE NULL END,
                revision = revision + 1
            WHERE id = \(id) AND owner_id = \(owner)
            """)
    }

    /// Deletes a rule; its firings stay, with the rule at their time.
    static func retire(
        _ id: ID<Rule>, owner: ID<Account>, at now: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE rules SET retired_at = \(now)
            WHERE id = \(id) AND owner_id = \(owner) AND retired_at IS NULL
            """)
    }

    /// The number of days a deleted rule can be brought back.
    static let returnDays: Int64 = 30

    /// A person's deleted rules that can still be brought back, the latest first.
    static func removed(
        of owner: ID<Account>, at now: Instant, _ connection: borrowing Connection
    ) throws -> [RuleRecord] {
        try connection.all(
            """
            SELECT * FROM rules WHERE owner_id = \(owner) AND retired_at > \(now.adding(days: -returnDays))
            ORDER BY retired_at DESC, id
            """
        ) { row in try RuleRecord(row: row) }
    }

    /// Brings a deleted rule back as it was, on or off.
    /// - Throws: `Problem.gone` after its 30 days, `.conflict` for one that is not deleted.
    static func bringBack(
        _ id: ID<Rule>, owner: ID<Account>, at now: Instant, _ connection: borrowing Connection
    ) throws {
        let changed = try connection.run(
            """
            UPDATE rules SET retired_at = NULL
            WHERE id = \(id) AND owner_id = \(owner) AND retired_at > \(now.adding(days: -returnDays))
            """)
        if changed > 0 { return }
        if try find(id, of: owner, connection) != nil { throw Problem.conflict(Message("rules.not_removed")) }
        let isKnown = try connection.exists("SELECT 1 FROM rules WHERE id = \(id) AND owner_id = \(owner)")
        throw isKnown ? Problem.gone(Message("rules.gone")) : .notFound
    }

    /// The owners of enabled rules.
    static func owners(_ connection: borrowing Connection) throws -> Set<ID<Account>> {
        Set(
            try connection.all(
                "SELECT DISTINCT owner_id FROM rules WHERE enabled_at IS NOT NULL AND retired_at IS NULL"
            ) { row in try row[0] })
    }

    /// Some of the running therapies, in order of their ids.
    package static func running(
        after id: ID<Therapy>, limit: Int, _ connection: borrowing Connection
    ) throws -> [Therapy] {
        try connection.all(
            """
            SELECT * FROM therapies WHERE id > \(id) AND account_id IS NOT NULL AND ended_at IS NULL
            ORDER BY id LIMIT \(limit)
            """
        ) { row in try Therapy(row: row) }
    }

    /// All enabled ones. Engines differ in their syntax for JSON: questionnaires are read from the parsed rule.
    static func enabled(_ connection: borrowing Connection) throws -> [RuleRecord] {
        try connection.all(
            "SELECT * FROM rules WHERE retired_at IS NULL AND enabled_at IS NOT NULL ORDER BY created_at, id"
        ) { row in try RuleRecord(row: row) }
    }
}
