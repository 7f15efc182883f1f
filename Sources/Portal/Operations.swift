import Accounts
import Database
import Foundation
import Identity
import Instruments
import JSON
import Questionnaires
import Records
import Sounds
import Studies
import Web
import Wire
import Wording

/// What an operator does from the command line, beside serving.
public enum Operations {
    // MARK: Sounds

    /// Adds the sounds of a folder to the library.
    /// - Parameter besideServer: then the server takes them, which alone may write.
    /// - Throws: `StartError`, and `SoundManifest.Failure` for a list that cannot be read.
    public static func importSounds(
        _ settings: Settings, from folder: String, besideServer: Bool = false
    ) throws -> (added: Int, known: Int, refused: [String]) {
        if besideServer { return words(try SoundInbox(settings).hand(over: folder)) }
        let services = try Services(settings)
        defer { services.close() }
        return words(try SoundImport(folder: folder, services).run())
    }

    private static func words(_ outcome: SoundImport.Outcome) -> (added: Int, known: Int, refused: [String]) {
        (outcome.added, outcome.known, outcome.refused)
    }

    // MARK: Accounts

    /// Makes a staff account; its address counts as confirmed.
    /// - Parameter roles: `therapist`, `lead`, `admin`.
    /// - Throws: `StartError` with what is wrong, in English.
    public static func createAccount(
        _ settings: Settings, email: String, name: String, roles: [String], password: String
    ) throws {
        let services = try Services(settings)
        defer { services.close() }
        let texts = services.texts(.english)
        let json = JSON.object([
            .init("email", .string(email)), .init("name", .string(name)),
            .init("password", .string(password)),
        ])
        let fields = InputReader(json: json)
        let address = fields.email("email")
        let fullName = fields.text("name", required: true, limit: 120)
        let secret = fields.secret("password")
        if let secret, let problem = PasswordRules.problem(of: secret, context: [email, name]) {
            fields.refuse("password", problem, ["minimum": String(PasswordRules.minimum)])
        }
        let known = roles.compactMap(Role.init(rawValue:))
        if known.isEmpty || known.count != roles.count { fields.refuse("role", "errors.choice") }
        do {
            try fields.finish()
            guard let address, let fullName, let secret else { throw Problem.invalid(fields.errors) }
            try create(address, fullName, Set(known), secret, services)
        } catch let problem as Problem {
            let lines = problem.errors.list.map { "\($0.field): \(texts[$0.message])" }
            throw StartError(lines.joined(separator: "\n"))
        }
    }

    private static func create(
        _ email: String, _ name: String, _ roles: Set<Role>, _ password: String, _ services: Services
    ) throws {
        let account = NewAccount(
            staff: name, email: email, roles: roles, passwordHash: try services.gate.hash(password),
            language: .german,
            timezone: services.timezone, id: services.chance.id(), keys: services.keys,
            now: services.clock.now)
        try services.records.write(.accountCreated, by: nil, about: account.id, at: services.clock.now) {
            connection in
            try AccountStore.insert(account, connection)
        }
    }

    // MARK: Questionnaires

    /// Imports questionnaire files, all or none.
    /// - Returns: a line for each.
    /// - Throws: `StartError` with the file and place of every error.
    public static func importQuestionnaires(_ settings: Settings, files: [String]) throws -> [String] {
        let services = try Services(settings)
        defer { services.close() }
        let read = try files.map { try QuestionnaireFiles.read($0, services.texts(.english)) }
        let now = services.clock.now
        let ids: [ID<QuestionnaireVersion>] = read.map { _ in services.chance.id() }
        return try services.records.write(.questionnaireImported, by: nil, about: nil, at: now) {
            connection in
            var lines: [String] = []
            for (file, id) in zip(read, ids) {
                let version = try QuestionnaireStore.insert(
                    file.json, file.definition, id: id, at: now, connection)
                lines.append("\(file.definition.key), version \(version)")
            }
            return lines
        }
    }

    /// Writes a study to a file, beside a server.
    /// - Returns: what is in it, in a line.
    /// - Throws: `StartError` for a name or a format there is none of.
    public static func export(
        _ settings: Settings, study name: String, format: String, to path: String
    ) throws -> String {
        try requireDatabase(settings)
        guard let format = StudyExport.Format(rawValue: format) else {
            let known = StudyExport.Format.allCases.map(\.rawValue).joined(separator: ", ")
            throw StartError("\(format) is no format; there are \(known)")
        }
        guard try Migrator(Migrations.all).isCurrent(path: settings.databasePath) else {
            throw StartError("the schema is older than this program; serve brings it up to date")
        }
        let texts = try Texts(.german, folder: settings.resources + "/templates/texts")
        let database = try SQLiteDatabase(path: settings.databasePath, readers: 2)
        defer { database.close() }
        let keys = try Installation.keyring(try DataFolder.masterKey(settings), database, settings)
        let manifest = try database.read { connection in
            guard let study = try StudyStore.find(name: name, connection) else {
                throw StartError("there is no study \(name)")
            }
            let export = StudyExport(
                study: study, keys: keys, cache: QuestionnaireCache(), now: Clock.system.now, texts: texts,
                key: nil, more: Feature.all.flatMap(\.studyFiles))
            do {
                return try export.write(format, to: path, connection)
            } catch {
                try? FileManager.default.removeItem(atPath: path)
                throw error
            }
        }
        let counts = [
            "\(manifest.participants) participants", "\(manifest.sheets) sheets",
            "\(manifest.missed_prompts) prompts without an answer", "\(manifest.withheld) withheld",
        ]
        return "\(path): " + counts.joined(separator: ", ")
    }

    // MARK: Backup

    /// - Throws: `StartError` when there is none, or the operating system does not let this program read it.
    private static func requireDatabase(_ settings: Settings) throws {
        try DataAccess.require(settings, writing: false)
        guard FileManager.default.fileExists(atPath: settings.databasePath) else {
            throw StartError("there is no database in \(settings.data)")
        }
    }

    /// Writes a consistent copy of the database, also while a server runs on it. The keys are not in it.
    public static func backUp(_ settings: Settings, to file: String) throws {
        try requireDatabase(settings)
        do {
            try Backup.copy(from: settings.databasePath, to: file)
        } catch  where error is CocoaError || error is POSIXError {
            throw StartError("\(file) cannot be written")
        }
        let problems = try Backup.problems(in: file)
        if !problems.isEmpty { throw StartError("the copy is damaged: \(problems.joined(separator: "; "))") }
    }

    /// Puts a backup in the place of the database, and erases again whoever was erased since.
    /// - Throws: `StartError`; then nothing was changed.
    public static func restore(_ settings: Settings, from file: String, replaces: Bool) throws {
        try Restore.run(settings, from: file, replaces: replaces)
    }

    /// Changes the master key; backups made before need the old one, which is kept beside.
    public static func rotateKeys(_ settings: Settings) throws { try KeyRotation.run(settings) }

    /// What is wrong with a database; empty when it is sound.
    public static func verify(_ settings: Settings, file: String?) throws -> [String] {
        let path = file ?? settings.databasePath
        if file == nil { try DataAccess.require(settings, writing: false) }
        guard FileManager.default.fileExists(atPath: path) else {
            throw StartError("there is no file \(path)")
        }
        let problems = try Backup.problems(in: path)
        let migrator = Migrator(Migrations.all)
        guard try migrator.isCurrent(path: path) else {
            return problems + ["the schema is older than this program; serve brings it up to date"]
        }
        let differences = try migrator.differences(path: path)
        do {
            return problems + differences + (try AuditProof.problems(in: path, settings))
        } catch  where !differences.isEmpty {
            // What it looks at may be what is missing.
            return problems + differences + ["the audit log cannot be looked at"]
        }
    }

    /// What is lost or changed in a copy of the database; a schema that is not as it should be is the original's fault, and
    /// no reason to have no copy.
    static func damage(_ settings: Settings, copy: String) throws -> [String] {
        try Backup.problems(in: copy) + AuditProof.problems(in: copy, settings)
    }

    // MARK: For developers

    public static var routes: String { Routes.all.table }

    public static var openAPI: String { String(decoding: OpenAPI.document, as: UTF8.self) }

    /// The current schema, readable.
    public static func schema() throws -> String { try SchemaText.current() }

    /// Every table with its owner and who reads it besides, as the source of a checkout says.
    public static func tables(in folder: String) throws -> String {
        try TableOwners(folder: folder, schema: SchemaText.current()).table
    }

    /// Draws every page from its example into a folder.
    /// - Returns: how many files.
    public static func gallery(_ settings: Settings, to folder: String) throws -> Int {
        try Gallery(resources: settings.resources).write(to: folder)
    }

    /// What breaks the rules of the house in a checkout; a line each.
    public static func brokenRules(in folder: String) throws -> [String] {
        try SourceRules(folder: folder).broken()
    }
}

/// The schema as SQLite tells it after all migrations.
package enum SchemaText {
    static func current() throws -> String {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
        try Migrator(Migrations.all).migrate(path: path)
        let database = try SQLiteDatabase(path: path, readers: 1)
        defer { database.close() }
        let statements = try database.schema()
        return statements.map { $0 + ";\n" }.joined(separator: "\n")
    }
}
