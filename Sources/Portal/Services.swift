import Database
import Dispatch
import Foundation
import HTTP
import Secrets
import Synchronization
import Templates
import Wire

/// Everything a request may need, made once at the start.
final class Services: Sendable {
    let settings: Settings
    let records: Records
    let keys: Keyring
    let clock: Clock
    let chance: Chance
    let gate: PasswordGate
    let limiter = Limiter()
    let logins = LoginThrottle()
    let flashes = Flashes()
    let interrupted = Interrupted()
    let slips = CodeSlips()
    let visits: Visits
    let postman: Postman
    let backups: BackupKeeper
    let library: Library
    let assets: Assets
    let questionnaires = QuestionnaireCache()
    let clinic: ClinicDesk
    let startedAt: Instant
    let readiness = Readiness()
    let largeBodies = DispatchSemaphore(value: 2)
    let exports: ExportDesk
    /// Dry runs of rules read much: one at a time.
    let dryRuns = DispatchSemaphore(value: 1)
    let log: Log
    private let texts: [Language: Texts]
    private let austrian: Texts
    private let database: SQLiteDatabase
    private let address = Mutex("")

    /// Opens the data folder, brings the database up to date and reads templates and texts.
    /// - Parameters:
    ///   - library: the templates where they were read already; nil reads them.
    ///   - interleave: what happens between what a request looked at and what it writes; for tests.
    /// - Throws: a clear word for the operator when something does not fit.
    init(
        _ settings: Settings, clock: Clock = .system, chance: Chance = .system,
        gate: PasswordGate = PasswordGate(), library: Library? = nil,
        log: Log = .standardError, interleave: @escaping @Sendable () -> Void = {}
    ) throws {
        self.settings = settings
        (self.clock, self.chance, self.gate, self.log) = (clock, chance, gate, log)
        startedAt = clock.now
        self.library = try library ?? Library(folder: settings.resources + "/templates")
        assets = try Assets(folder: settings.resources + "/static")
        texts = try Dictionary(
            uniqueKeysWithValues: Language.allCases.map { language in
                (language, try Texts(language, folder: settings.resources + "/templates/texts"))
            })
        austrian = try Texts(.german, as: .austria, folder: settings.resources + "/templates/texts")
        try DataFolder.prepare(settings)
        exports = ExportDesk(path: settings.exportPath)
        let master = try DataFolder.masterKey(settings)
        try Migrator(Migrations.all).migrate(path: settings.databasePath)
        database = try SQLiteDatabase(path: settings.databasePath)
        keys = try Installation.keyring(master, database, settings)
        records = Records(database, AuditChain(key: keys.audit), interleave: interleave)
        clinic = try ClinicDesk(records, settings)
        visits = Visits(records: records, limiter: limiter, log: log)
        backups = BackupKeeper(settings, records, log)
        postman = Postman(settings, records, keys, chance, log)
        try Installation.check(keys, records)
        try Installation.tellRepairs(records, log, at: clock.now)
        if AuditAnchor.read(settings) == nil { try AuditAnchor.set(records, settings) }
    }

    func texts(_ language: Language) -> Texts {
        if language == .german, clinic.now.variant == .austria { return austrian }
        // Both languages are read at the start.
        return texts[language] ?? texts.values.first.unsafelyUnwrapped
    }

    /// What links begin with, without a slash at the end.
    var origin: String { settings.publicURL ?? address.withLock { $0 } }

    /// A mail ready to be put into the queue by the transaction that gives cause for it.
    func envelope(_ mail: Mail, to account: PersonKey, at now: Instant) throws -> QueuedMail {
        try postman.envelope(mail, to: account, at: now)
    }

    /// Told after that transaction.
    func deliver(at now: Instant) { postman.deliver(from: origin, at: now) }

    /// Told once the server listens.
    func listens(on address: String) { self.address.withLock { $0 = address } }

    /// Holds a request up. The clock is real: it slows whoever waits for the answer.
    func delay(seconds: Double) { Thread.sleep(forTimeInterval: seconds) }

    /// Holds an answer up until a time has passed, so that its length tells nothing.
    func hold(since began: DispatchTime, milliseconds: Double) {
        let passed = Double(DispatchTime.now().uptimeNanoseconds - began.uptimeNanoseconds) / 1e6
        if passed < milliseconds { delay(seconds: (milliseconds - passed) / 1000) }
    }

    func close() {
        exports.close()
        database.close()
    }
}

/// The data folder with what belongs in it, readable by its owner only.
enum DataFolder {
    static func prepareFolders(_ settings: Settings) throws {
        for path in [settings.data, settings.outboxPath, settings.data + "/keys", settings.data + "/sounds"] {
            try DataAccess.makeFolder(path, settings)
        }
    }

    static func prepare(_ settings: Settings) throws {
        try prepareFolders(settings)
        // SQLite makes its files with the mode of the database.
        if !FileManager.default.fileExists(atPath: settings.databasePath) {
            _ = FileManager.default.createFile(
                atPath: settings.databasePath, contents: nil, attributes: [.posixPermissions: 0o600])
        }
    }
}

extension DataFolder {
    /// - Throws: `StartError` when there is a database but no key: a new one could not read it, and would hide
    ///   that the right one is missing.
    static func masterKey(_ settings: Settings) throws -> SecretKey {
        let attributes = try? FileManager.default.attributesOfItem(atPath: settings.databasePath)
        let hasData = ((attributes?[.size] as? NSNumber)?.intValue ?? 0) > 0
        if hasData && !FileManager.default.fileExists(atPath: settings.keyPath) {
            throw StartError("\(settings.keyPath) is missing; without it the database cannot be read")
        }
        return try KeyFile.loadOrCreate(settings.keyPath)
    }
}

/// Ties a database to its keys: with others nothing in it could be read.
enum Installation {
    /// The keys of this database. A change of the master key that was cut short is finished, or forgotten when the
    /// database never took it.
    /// - Throws: `StartError` when the keys in the database were wrapped for another master key.
    static func keyring(
        _ master: SecretKey, _ database: SQLiteDatabase, _ settings: Settings
    ) throws -> Keyring {
        let (kept, stored) = try database.read { connection in
            (try InstallationStore.keptKeys(connection), try InstallationStore.keyFingerprint(connection))
        }
        if FileManager.default.fileExists(atPath: settings.nextKeyPath) {
            let next = try KeyFile.load(settings.nextKeyPath)
            if let keys = try? Keyring(master: next, kept: kept), keys.fingerprint == stored {
                try settings.promoteNextKey()
                return keys
            }
            try? FileManager.default.removeItem(atPath: settings.nextKeyPath)
        }
        guard let keys = try? Keyring(master: master, kept: kept) else {
            throw StartError("the keys do not belong to this database")
        }
        return keys
    }

    /// Says in the audit log and in the log what migrations have mended in the data.
    static func tellRepairs(_ records: Records, _ log: Log, at now: Instant) throws {
        for repair in try records.read({ try InstallationStore.untoldRepairs($0) }) {
            let words = "\(repair.count) \(repair.what)"
            try records.write(.dataRepaired, by: nil, about: nil, object: words, at: now) { connection in
                try InstallationStore.noteTold(repair, at: now, connection)
            }
            log.line("warning", "data repaired", [("removed", words)], at: now)
        }
    }

    static func check(_ keys: Keyring, _ records: Records) throws {
        let stored = try records.read { connection in try InstallationStore.keyFingerprint(connection) }
        if let stored {
            guard equalInConstantTime(stored, keys.fingerprint) else {
                throw StartError("the keys do not belong to this database")
            }
            return
        }
        let fingerprint = keys.fingerprint
        try records.keepHouse { connection in
            try InstallationStore.setKeyFingerprint(fingerprint, connection)
        }
    }
}

extension AuditAction {
    /// A migration removed what a defect had left behind; the object says what.
    static let dataRepaired = AuditAction(name: "installation.repaired")
}
