import Database
import Records
import Wire

/// Every statement about what came from the starter set.
enum StarterStore {
    /// Interventions of the set that somebody has taken, removed ones among them.
    static func interventions(_ connection: borrowing Connection) throws -> Set<String> {
        Set(
            try connection.all("SELECT starter FROM library_interventions WHERE starter IS NOT NULL") { row in
                try row[0]
            })
    }

    /// A person's reactions of the set, deleted ones among them.
    static func reactions(of owner: ID<Account>, _ connection: borrowing Connection) throws -> Set<String> {
        Set(
            try connection.all(
                "SELECT starter FROM rules WHERE owner_id = \(owner) AND starter IS NOT NULL"
            ) { row in try row[0] })
    }
}
