import Database
import Foundation
import Records

/// Copies the database to the other engine, while no server runs on either.
struct EngineMigration {
    private let source: Settings
    private let target: Settings
    private let migrator = Migrator(Migrations.all)

    /// - Parameter place: `postgresql://…`, or a folder for a database of SQLite.
    init(_ settings: Settings, to place: String) throws {
        source = settings
        var target = settings
        let isServer = DatabasePlace.isServer(place)
        guard isServer == (settings.server == nil) else {
            throw StartError("the database is \(isServer ? "on PostgreSQL" : "a file of SQLite") already")
        }
        target.server = isServer ? place : nil
        if !isServer { target.data = place }
        self.target = target
    }

    /// - Returns: a line for each table, and what to do next.
    func run() throws -> [String] {
        try DataFolder.requireClinic(source, migrator)
        guard try migrator.isCurrent(source.database) else {
            throw StartError("the schema is older than this program; serve brings it up to date")
        }
        try requireEmpty()
        try prove(source)
        // No other program writes to the source meanwhile: what it wrote would be missing.
        let holder = try source.server.map { try OpenDatabase(.server($0), readers: 1, .exclusive) }
        defer { holder?.close() }
        if target.server == nil {
            for folder in ["keys", "sounds"] {
                try FileManager.default.copyItem(
                    atPath: "\(source.data)/\(folder)", toPath: "\(target.data)/\(folder)")
            }
            try DataFolder.prepare(target)
        }
        let contents = try DatabaseCopy(migrator).run(from: source.database, to: target.database)
        try prove(target)
        if target.server != nil { try leaveFile() }
        let rows = contents.map { "\($0.table): \($0.rows) rows, \(String($0.sum, radix: 16))" }
        return rows + ["\(contents.count) tables are the same there, and the audit log is whole"] + [advice]
    }

    private var advice: String {
        target.server == nil
            ? "serve --data \(target.data) without --database goes on; the server still holds everything, too"
            : "serve with --database goes on; what was in \(source.data) is kept with the backups"
    }

    private func requireEmpty() throws {
        if target.server == nil {
            try DataAccess.makeFolder(target.data, target)
            let names = try FileManager.default.contentsOfDirectory(atPath: target.data)
            guard names.isEmpty else { throw StartError("\(target.data) is not empty") }
        } else if try target.hasDatabase() {
            throw StartError("there is a database at that address already")
        }
    }

    private func prove(_ settings: Settings) throws {
        let problems = try settings.database.problems() + AuditProof.problems(in: settings.database, settings)
        if let first = problems.first { throw StartError("the database is not sound: \(first)") }
    }

    /// The file goes to the backups, and with them one day: a copy must not outlive those who are erased.
    private func leaveFile() throws {
        try DataFolder.noteEngine(target)
        try Restore.keepOld(source)
        try DurableFile.remove(["", "-wal", "-shm"].map { source.databasePath + $0 })
    }
}
