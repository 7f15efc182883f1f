import Database

/// Every statement that wraps people's keys anew.
enum KeyRotationStore {
    static func accounts(_ connection: borrowing Connection) throws -> [(id: String, wrapped: [UInt8])] {
        try connection.all("SELECT id, wrapped_key FROM accounts") { row in (try row[0], try row[1]) }
    }

    static func therapies(_ connection: borrowing Connection) throws -> [(id: String, wrapped: [UInt8])] {
        try connection.all("SELECT id, wrapped_key FROM therapies") { row in (try row[0], try row[1]) }
    }

    static func setKey(_ key: [UInt8], ofAccount id: String, _ connection: borrowing Connection) throws {
        try connection.run("UPDATE accounts SET wrapped_key = \(key) WHERE id = \(id)")
    }

    static func setKey(_ key: [UInt8], ofTherapy id: String, _ connection: borrowing Connection) throws {
        try connection.run("UPDATE therapies SET wrapped_key = \(key) WHERE id = \(id)")
    }
}
