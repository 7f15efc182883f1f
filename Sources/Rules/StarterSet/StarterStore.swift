import Database
import Records
import Wire

/// Every statement about the origin in the starter set.
enum StarterStore {
    /// Interventions of the set added so far, removed ones included.
    static func interventions(_ connection: borrowing Connection) throws -> Set<String> {
        Set(
            try connection.all("SELECT starter FROM library_interventions WHERE starter IS NOT NULL") { row in
                try row[0]
            })
    }

    /// A person's reactions of the set, deleted ones included.
    static func reactions(of owner: ID<Account>, _ connection: borrowing Connection) throws -> Set<String> {
        Set(
            try connection.all(
                "SELECT starter FROM rules WHERE owner_id = \(owner) AND starter IS NOT NULL"
            ) { row in try row[0] })
    }
}
