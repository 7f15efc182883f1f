import Database
import Foundation

/// What lies in a data folder before a program writes to it, and the one table of what follows: the first start, serving, or
/// a refusal. An empty database in the place of a lost one would hide the loss until the good backups are gone.
package struct FolderState: Sendable, Equatable {
    /// The keys of the folder.
    package enum Keys: Sendable, Equatable, CaseIterable {
        /// No master key, and no trace of one.
        case none
        /// No master key, but traces of one: retired keys, the anchor of the audit log, the list of the erased.
        case lost
        /// A master key without any data: the first start ended early.
        case unused
        case used
    }

    /// What lies at the place of the database.
    package enum Stored: Sendable, Equatable {
        case missing
        /// A file of 0 bytes.
        case empty
        /// A database without the tables of this program.
        case bare
        /// A file that is no database, or a damaged one.
        case damaged
        case tables
        /// Tables, but without these, which its migrations have made: a part of a copy.
        case partial([String])
        /// Tables with which this program cannot go on, and why.
        case unfit(String)
    }

    package enum Reason: Sendable, Equatable {
        /// Root on the folder of another user.
        case belongsTo(FolderOwner.User)
        case keyMissing
        case databaseLost
        case databaseDamaged
        case databasePartial
        case unfit(String)
    }

    package enum Decision: Sendable, Equatable {
        /// The first start, or its rest.
        case begin
        case serve
        case refuse(Reason)
    }

    package var keys: Keys
    package var stored: Stored
    /// The newest backup made with the keys of this folder; nil where there is none, and where nothing depends on it.
    package var backup: String?
    /// The owner of the folder where root acts on it and is not; else nil.
    package var owner: FolderOwner.User?

    package init(keys: Keys, stored: Stored, backup: String? = nil, owner: FolderOwner.User? = nil) {
        self.keys = keys
        self.stored = stored
        self.backup = backup
        self.owner = owner
    }

    package var decision: Decision {
        if let owner { return .refuse(.belongsTo(owner)) }
        return switch (keys, stored) {
        case (_, .unfit(let words)): .refuse(.unfit(words))
        case (.none, .missing), (.none, .empty): .begin
        case (.none, _), (.lost, .tables), (.lost, .partial): .refuse(.keyMissing)
        case (_, .partial): .refuse(.databasePartial)
        case (_, .damaged): .refuse(.databaseDamaged)
        case (.unused, .tables): .begin
        // A key with backups has been in use, whatever the mark says. Backups of other keys are another clinic's.
        case (.unused, _): backup == nil ? .begin : .refuse(.databaseLost)
        case (.used, .tables): .serve
        case (.used, _), (.lost, _): .refuse(.databaseLost)
        }
    }

    /// Whether a clinic may be begun anew here on purpose: its database is lost.
    package var isLost: Bool {
        switch decision {
        case .refuse(.databaseLost), .refuse(.databaseDamaged): true
        default: false
        }
    }
}

extension FolderState {
    /// Looks at a folder and changes nothing.
    /// - Throws: `DatabaseError` when a database on PostgreSQL cannot be reached.
    package static func look(_ settings: Settings, _ migrator: Migrator) throws -> FolderState {
        // The keys first: another portal that begins here meanwhile removes the mark after it has stored the tables.
        let keys = keys(settings)
        var state = FolderState(keys: keys, stored: try stored(settings, migrator))
        let isPartial = state.decision == .refuse(.databasePartial)
        if state.isLost || isPartial || state == FolderState(keys: .unused, stored: state.stored) {
            state.backup = newestBackup(settings)
        }
        state.owner = FolderOwner.other(of: settings)
        return state
    }

    private static func keys(_ settings: Settings) -> Keys {
        if FileManager.default.fileExists(atPath: settings.keyPath) {
            return FileManager.default.fileExists(atPath: settings.unusedKeyPath) ? .unused : .used
        }
        let traces = [settings.anchorPath, settings.erasedPath].filter {
            FileManager.default.fileExists(atPath: $0)
        }
        return traces.isEmpty && settings.retiredKeyPaths.isEmpty ? .none : .lost
    }

    private static func stored(_ settings: Settings, _ migrator: Migrator) throws -> Stored {
        let contents: DatabasePlace.Contents
        do {
            contents = try settings.database.contents()
        } catch let error as DatabaseError where settings.server == nil && error.isStorageFailure {
            // In use or not readable here; opening it says more.
            return .tables
        }
        switch contents {
        case .missing: return .missing
        case .empty: return .empty
        case .damaged: return .damaged
        case .tables(let names):
            // A database on PostgreSQL is made by its operator, without tables.
            let bare = settings.server == nil ? Stored.bare : .missing
            guard names.contains("migrations") else { return bare }
            do {
                guard let missing = try migrator.missingTables(settings.database, among: names) else {
                    return bare
                }
                return missing.isEmpty ? .tables : .partial(missing)
            } catch let error as MigrationError {
                return .unfit(error.description)
            } catch let error as DatabaseError where error.isDamage {
                return .damaged
            } catch let error as DatabaseError where error.isForbidden {
                return .unfit(
                    "the user in --database has no right to the tables of that database: they belong to another user"
                )
            }
        }
    }

    private static func newestBackup(_ settings: Settings) -> String? {
        let folders = [settings.backupPath, settings.data + "/backups"]
        let files = folders.flatMap { folder in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return names.filter { $0.hasPrefix("intersession-") && $0.hasSuffix(".sqlite") }.map {
                (name: $0, path: "\(folder)/\($0)")
            }
        }
        let newest = files.sorted { $0.name > $1.name }.first { file in
            let keys = try? DatabasePlace.file(file.path).look { try Installation.keyring(of: $0, settings) }
            return keys != nil
        }
        return newest?.path
    }
}

extension FolderState {
    /// Why nothing is begun here, and what to do; in English, for the operator.
    package func sentence(_ reason: Reason, _ settings: Settings) -> String {
        switch reason {
        case .keyMissing: "\(settings.keyPath) is missing; without it the database cannot be read"
        case .unfit(let words): words
        case .databasePartial:
            """
            \(fault(settings)): it is a part of a copy.
            \(Self.advice(backup, replacing: true, settings))
            """
        case .belongsTo(let owner): FolderOwner.sentence(owner, settings)
        case .databaseLost, .databaseDamaged:
            """
            \(fault(settings)), and \(settings.data)/keys shows that there was a clinic here. Its database is lost, and no \
            new one is begun in its place.
            \(keys == .lost ? "\(settings.keyPath) is missing as well: put the keys back first.\n" : "")\
            \(Self.advice(backup, replacing: stored == .bare || stored == .damaged, settings))
            To begin anew on purpose, once: intersession serve --new-clinic, which lays the old keys aside and deletes nothing
            """
        }
    }

    private func fault(_ settings: Settings) -> String {
        let path =
            settings.server == nil ? settings.databasePath : "the database at the address of --database"
        return switch stored {
        case .missing where settings.server != nil: "\(path) is empty"
        case .missing: "\(path) is missing"
        case .empty: "\(path) is empty (0 bytes)"
        case .bare: "\(path) holds none of the tables of this program"
        case .damaged: "\(path) is damaged, or no database"
        case .partial(let missing):
            "the database \(settings.databaseName) lacks \(missing.count) of its tables (\(missing[0]))"
        case .tables, .unfit: path
        }
    }

    /// How a backup is brought back.
    /// - Parameters:
    ///   - backup: the newest of this folder's keys; nil where none was found.
    ///   - isThere: whether a file is in its place.
    package static func advice(_ backup: String?, replacing isThere: Bool, _ settings: Settings) -> String {
        let words = "\(backup ?? "FILE") --data \(settings.data)\(isThere ? " --replace" : "")"
        let found = backup == nil ? " (no backup of these keys is in \(settings.backupPath))" : ""
        return "Put the database back, or bring back a backup: intersession restore \(words)\(found)"
    }
}
