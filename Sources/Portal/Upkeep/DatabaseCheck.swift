import Database
import Foundation
import Records

/// What the command line says of a database, sound or not.
extension Operations {
    /// The faults of a database; empty when it is sound.
    public static func verify(_ settings: Settings, file: String?) throws -> [String] {
        if file == nil { try DataAccess.require(settings, writing: false) }
        let path = file ?? (settings.server == nil ? settings.databasePath : nil)
        if let path, !FileManager.default.fileExists(atPath: path) {
            throw StartError("there is no file \(path)")
        }
        if path == nil { try requireDatabase(settings) }
        let place = file.map(DatabasePlace.file) ?? settings.database
        let name = path ?? "the database \(settings.databaseName)"
        try requireTables(in: place, named: name)
        do {
            return try problems(in: place, settings)
        } catch let error as DatabaseError where error.isDamage {
            return ["\(name) is damaged: it cannot be read to its end"]
        }
    }

    private static func problems(in place: DatabasePlace, _ settings: Settings) throws -> [String] {
        let problems = try place.problems()
        let migrator = Migrator(Migrations.all)
        guard try migrator.isCurrent(place) else {
            return problems + ["the schema is older than this program; serve brings it up to date"]
        }
        let differences = try migrator.differences(place)
        do {
            return problems + differences + (try AuditProof.problems(in: place, settings))
        } catch  where !differences.isEmpty {
            // The tables that this check reads may be the missing ones.
            return problems + differences + ["the audit log cannot be looked at"]
        }
    }

    /// - Throws: `StartError` where a database was lost, or is none of this program: then there is nothing to look at.
    static func requireTables(in place: DatabasePlace, named name: String) throws {
        switch try place.contents() {
        case .missing: throw StartError("\(name) is missing")
        case .empty: throw StartError("\(name) is empty (0 bytes)")
        case .damaged: throw StartError("\(name) is damaged, or no database")
        case .tables(let names):
            guard names.contains("migrations") else {
                throw StartError("\(name) holds none of the tables of this program")
            }
        }
    }
}
