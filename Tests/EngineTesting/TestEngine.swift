import Foundation

@testable import Database

/// The engines that a test can have.
enum TestEngine: Sendable {
    case sqlite, postgreSQL

    /// The server that `Tests/PostgreSQL/run` has started.
    static let server = ProcessInfo.processInfo.environment["TEST_SERVER"]

    /// Both where there is a server.
    static let available: [TestEngine] = server == nil ? [.sqlite] : [.sqlite, .postgreSQL]

    /// Whether whole portals run on PostgreSQL: TEST_ENGINE=postgresql, and a server for it.
    static let isPostgreSQLAsked =
        server != nil && ProcessInfo.processInfo.environment["TEST_ENGINE"] == "postgresql"

    /// An empty database for a portal; nil where it has a file in its folder.
    static func asked() throws -> String? {
        guard isPostgreSQLAsked, case .server(let address) = try postgreSQL.made() else { return nil }
        return address
    }

    /// An empty database of its own, gone afterwards.
    func withPlace<T>(_ body: (DatabasePlace) throws -> T) throws -> T {
        let place = try made()
        defer { remove(place) }
        return try body(place)
    }

    /// An empty database; the caller removes it.
    /// - Parameter template: of which database it is a copy, by its name on the server.
    func made(from template: String = "template0") throws -> DatabasePlace {
        let name = "test_" + UUID().uuidString.lowercased().replacing("-", with: "")
        guard self == .postgreSQL, let server = Self.server else {
            return .file(FileManager.default.temporaryDirectory.appendingPathComponent(name).path)
        }
        try Self.command(
            "CREATE DATABASE \(name) TEMPLATE \(template) ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'")
        return .server(server.replacing("///postgres?", with: "///\(name)?"))
    }

    func remove(_ place: DatabasePlace) {
        switch place {
        case .file(let path):
            for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
        case .server: try? Self.command("DROP DATABASE IF EXISTS \(Self.name(of: place)) WITH (FORCE)")
        }
    }

    /// The name of a database on the server.
    static func name(of place: DatabasePlace) -> String {
        guard case .server(let address) = place else { return "" }
        return address.firstMatch(of: /\/\/\/(\w+)\?/).map { String($0.1) } ?? ""
    }

    static func command(_ text: String) throws {
        let session = try PostgreSQLSession(server ?? "", role: .reader)
        defer { session.close() }
        try session.script(text)
    }

    /// Ends the other sessions of this database, as a server does that stops.
    static func endSessions(_ place: DatabasePlace) throws {
        let session = try place.open(.reader)
        defer { session.close() }
        try session.run(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
            """)
    }
}
