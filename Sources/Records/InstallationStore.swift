import Database
import Wire

/// Facts about this installation: which key belongs to it, and whether it is a demonstration.
package enum InstallationStore {
    package static func keyFingerprint(_ connection: borrowing Connection) throws -> [UInt8]? {
        try connection.value("SELECT value FROM installation WHERE name = 'key'")
    }

    static func setKeyFingerprint(_ fingerprint: [UInt8], _ connection: borrowing Connection) throws {
        try connection.run("INSERT INTO installation (name, value) VALUES ('key', \(fingerprint))")
    }

    /// Rewrites an existing value, to see whether the disk takes a write.
    package static func touch(_ connection: borrowing Connection) throws {
        try connection.run("UPDATE installation SET value = value WHERE name = 'key'")
    }

    /// The latest moment that housekeeping has seen, and since when the clock has run without a jump.
    package static func clock(
        _ connection: borrowing Connection
    ) throws -> (seen: Instant, steadySince: Instant)? {
        let value: [UInt8]? = try connection.value("SELECT value FROM installation WHERE name = 'clock'")
        let parts = String(decoding: value ?? [], as: UTF8.self).split(separator: " ").compactMap {
            Int64($0)
        }
        guard parts.count == 2 else { return nil }
        return (Instant(milliseconds: parts[0]), Instant(milliseconds: parts[1]))
    }

    package static func setClock(
        seen: Instant, steadySince: Instant, _ connection: borrowing Connection
    ) throws {
        let value = Array("\(seen.milliseconds) \(steadySince.milliseconds)".utf8)
        try connection.run(
            """
            INSERT INTO installation (name, value) VALUES ('clock', \(value))
            ON CONFLICT (name) DO UPDATE SET value = excluded.value
            """)
    }

    /// Keys that outlived a change of the master key, wrapped.
    package static func keptKeys(_ connection: borrowing Connection) throws -> [UInt8]? {
        try connection.value("SELECT value FROM installation WHERE name = 'kept keys'")
    }

    /// Stores the kept keys and the fingerprint for a new master key.
    package static func replaceKeys(
        fingerprint: [UInt8], kept: [UInt8], _ connection: borrowing Connection
    ) throws {
        try connection.run("UPDATE installation SET value = \(fingerprint) WHERE name = 'key'")
        try connection.run(
            """
            INSERT INTO installation (name, value) VALUES ('kept keys', \(kept))
            ON CONFLICT (name) DO UPDATE SET value = excluded.value
            """)
    }

    /// The mail server that has taken a mail, as host and port.
    static func provedRelay(_ connection: borrowing Connection) throws -> [UInt8]? {
        try connection.value("SELECT value FROM installation WHERE name = 'mail server'")
    }

    static func setProvedRelay(_ place: [UInt8], _ connection: borrowing Connection) throws {
        try connection.run(
            """
            INSERT INTO installation (name, value) VALUES ('mail server', \(place))
            ON CONFLICT (name) DO UPDATE SET value = excluded.value
            """)
    }

    /// The name of the data folder that belongs to this database.
    static func folder(_ connection: borrowing Connection) throws -> [UInt8]? {
        try connection.value("SELECT value FROM installation WHERE name = 'folder'")
    }

    static func setFolder(_ name: [UInt8], _ connection: borrowing Connection) throws {
        try connection.run("INSERT INTO installation (name, value) VALUES ('folder', \(name))")
    }

    /// A restored database belongs to the folder in which it is.
    package static func forgetFolder(_ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM installation WHERE name = 'folder'")
    }

    /// Puts the list of the erased into a copy.
    package static func noteErased(_ list: [UInt8]) -> SQL {
        """
        INSERT INTO installation (name, value) VALUES ('erased', \(list))
        ON CONFLICT (name) DO UPDATE SET value = excluded.value
        """
    }

    /// The list of the erased that came with a copy; nil in a database in use.
    package static func erased(_ connection: borrowing Connection) throws -> [UInt8]? {
        try connection.value("SELECT value FROM installation WHERE name = 'erased'")
    }

    /// A restored database has the list in `keys/`.
    package static func forgetErased(_ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM installation WHERE name = 'erased'")
    }

    /// A repair by a migration that was not reported yet.
    struct Repair: Sendable, FromRow {
        let what: String
        /// The number of rows removed.
        let count: Int

        init(row: borrowing Row) throws {
            what = try row["what"]
            count = try row["count"]
        }
    }

    static func untoldRepairs(_ connection: borrowing Connection) throws -> [Repair] {
        try connection.all("SELECT what, count FROM repairs WHERE told_at IS NULL ORDER BY what")
    }

    static func noteTold(_ repair: Repair, at now: Instant, _ connection: borrowing Connection) throws {
        try connection.run("UPDATE repairs SET told_at = \(now) WHERE what = \(repair.what)")
    }

    /// Whether the pictures from before pictures were drawn anew have been drawn.
    package static func hasDrawnPictures(_ connection: borrowing Connection) throws -> Bool {
        try connection.exists("SELECT 1 FROM installation WHERE name = 'pictures drawn'")
    }

    package static func markPicturesDrawn(_ connection: borrowing Connection) throws {
        let nothing: [UInt8] = []
        try connection.run("INSERT INTO installation (name, value) VALUES ('pictures drawn', \(nothing))")
    }

    package static func isDemonstration(_ connection: borrowing Connection) throws -> Bool {
        try connection.exists("SELECT 1 FROM installation WHERE name = 'demonstration'")
    }

    package static func markDemonstration(_ connection: borrowing Connection) throws {
        let nothing: [UInt8] = []
        try connection.run("INSERT INTO installation (name, value) VALUES ('demonstration', \(nothing))")
    }
}
