import Accounts
import Database
import Foundation
import Identity
import Instruments
import JSON
import Questionnaires
import Records
import Research
import Sounds
import Studies
import Web
import Wire
import Wording

/// An operator's actions on the command line, beside serving.
public enum Operations {
    // MARK: Sounds

    /// Adds the sounds of a folder to the library.
    /// - Parameter besideServer: has the running server take them, as only it may write.
    /// - Throws: `StartError`, and `SoundManifest.Failure` for an unreadable list.
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
    /// - Throws: `StartError` with the fault, in English.
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

    /// Writes a study to a file, while a server may be running.
    /// - Returns: a line about its content.
    /// - Throws: `StartError` for an unknown name or format.
    public static func export(
        _ settings: Settings, study name: String, format: String, to path: String,
        written: () -> Void = {}
    ) throws -> String {
        try requireDatabase(settings)
        guard let format = StudyExport.Format(rawValue: format) else {
            let known = StudyExport.Format.allCases.map(\.rawValue).joined(separator: ", ")
            throw StartError("\(format) is no format; there are \(known)")
        }
        guard try Migrator(Migrations.all).isCurrent(settings.database) else {
            throw StartError("the schema is older than this program; serve brings it up to date")
        }
        let texts = try InstalledTexts(folder: settings.resources + "/templates/texts")
        let database = try OpenDatabase(settings.database, readers: 2)
        defer { database.close() }
        let keys = try Installation.keyring(try DataFolder.masterKey(settings), database, settings)
        let (manifest, study) = try database.read { connection in
            guard let study = try StudyStore.find(name: name, connection) else {
                throw StartError("there is no study \(name)")
            }
            let export = StudyExport(
                study: study, keys: keys, cache: QuestionnaireCache(), now: Clock.system.now,
                texts: texts.texts(.german), installed: texts.languages.map { texts.texts($0) }, key: nil,
                more: Feature.all.flatMap(\.studyFiles))
            do {
                return (try export.write(format, to: path, connection), study.id)
            } catch {
                try? FileManager.default.removeItem(atPath: path)
                throw error
            }
        }
        written()
        // Withdrawn while it was made: the next one goes without.
        guard try database.read({ try manifest.basis.holds(in: study, $0) }) else {
            try? FileManager.default.removeItem(atPath: path)
            throw StartError("what the file stands on was withdrawn while it was made; export once more")
        }
        let counts = [
            "\(manifest.participants) participants", "\(manifest.sheets) sheets",
            "\(manifest.missed_prompts) prompts without an answer", "\(manifest.withheld) withheld",
        ]
        return "\(path): " + counts.joined(separator: ", ")
    }

    // MARK: Backup

    /// - Throws: `StartError` when there is none, or it may not be read.
    static func requireDatabase(_ settings: Settings) throws {
        try DataAccess.require(settings, writing: false)
        guard try settings.hasDatabase() else {
            throw StartError("there is no database \(settings.databaseName)")
        }
        try requireTables(in: settings.database, named: "the database \(settings.databaseName)")
    }

    /// Writes a consistent copy of the database, also of one in use. The keys are not in it.
    public static func backUp(_ settings: Settings, to file: String) throws {
        try requireDatabase(settings)
        do {
            let erased = try ErasedList.note(settings, at: Clock.system.now)
            try DatabaseCopy(Migrator(Migrations.all)).write(settings.database, to: file, adding: [erased])
        } catch  where error is CocoaError || error is POSIXError {
            throw StartError("\(file) cannot be written")
        }
        let problems = try Backup.problems(in: file)
        if !problems.isEmpty { throw StartError("the copy is damaged: \(problems.joined(separator: "; "))") }
    }

    /// Replaces the database by a backup, and erases everything again that was erased since.
    /// - Returns: which lists of the erased were used, and what they cannot know; a line each.
    /// - Throws: `StartError`; then nothing was changed.
    @discardableResult
    public static func restore(_ settings: Settings, from file: String, replaces: Bool) throws -> [String] {
        try Restore.run(settings, from: file, replaces: replaces)
    }

    /// Copies the database to the other engine, into an empty place there, and proves it.
    /// - Parameter target: `postgresql://…`, or a folder for one of SQLite.
    /// - Returns: a line for each table, and one for them all.
    /// - Throws: `StartError`; then nothing was changed.
    public static func migrateEngine(_ settings: Settings, to target: String) throws -> [String] {
        try EngineMigration(settings, to: target).run()
    }

    /// Changes the master key; earlier backups need the old one, which is kept.
    public static func rotateKeys(_ settings: Settings) throws { try KeyRotation.run(settings) }

    /// Losses and changes in a copy of the database. A wrong schema is the original's, no reason against a copy.
    static func damage(_ settings: Settings, copy: String) throws -> [String] {
        try Backup.problems(in: copy) + AuditProof.problems(in: .file(copy), settings)
    }

    // MARK: For developers

    public static var routes: String { Routes.all.table }

    public static var openAPI: String { String(decoding: OpenAPI.document, as: UTF8.self) }

    /// The current schema, readable.
    public static func schema() throws -> String { try SchemaText.current() }

    /// Every table with its owner and its other readers, from the source of a checkout.
    public static func tables(in folder: String) throws -> String {
        try TableOwners(folder: folder, schema: SchemaText.current()).table
    }

    /// What breaks the rules of the house in a checkout; a line each.
    public static func brokenRules(in folder: String) throws -> [String] {
        try SourceRules(folder: folder).broken()
    }
}

/// The schema as SQLite tells it after all migrations.
package enum SchemaText {
    static func current() throws -> String {
        let statements = try Migrator(Migrations.all).schema()
        return statements.map { $0 + ";\n" }.joined(separator: "\n")
    }
}
