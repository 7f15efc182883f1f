import Database
import Dispatch
import Foundation
import Identity
import Locks
import Records
import Templates
import Wire
import Wording

/// Everything a request may need, made once at the start.
package final class Services: Sendable {
    package let settings: Settings
    package let records: Records
    package let keys: Keyring
    package let clock: Clock
    package let chance: Randomness
    package let gate: PasswordHasher
    package let limiter = Limiter()
    package let logins = LoginThrottle()
    let flashes = FlashMessages()
    package let interrupted = InterruptedForms()
    package let slips = ShownOnceCodes()
    package let visits: AccessTrail
    package let postman: MailSender
    private let resources: Resources
    package let clinic: ClinicDesk
    package let startedAt: Instant
    let largeBodies = DispatchSemaphore(value: 2)
    package let log: Log
    /// Every way in, of all features.
    package let routes: Routes
    package let features: [Feature]
    private let parts: [ObjectIdentifier: any Part]
    private let database: SQLiteDatabase
    let address = Lock("")

    /// Opens the data folder, brings the database up to date and reads templates and texts.
    /// - Parameters:
    ///   - migrations: what brings a database up to date, in order.
    ///   - features: every area of the portal.
    ///   - routes: those of the features.
    ///   - resources: templates, texts and assets where they were read already; nil reads them.
    ///   - interleave: what happens between what a request looked at and what it writes; for tests.
    /// - Throws: a clear word for the operator when something does not fit.
    package init(
        _ settings: Settings, migrations: [Migration], features: [Feature], routes: Routes, clock: Clock,
        chance: Randomness, gate: PasswordHasher, resources: Resources?, log: Log,
        interleave: @escaping @Sendable () -> Void
    ) throws {
        self.settings = settings
        self.clock = clock
        self.chance = chance
        self.gate = gate
        self.log = log
        startedAt = clock.now
        self.resources = try resources ?? Resources(folder: settings.resources)
        try DataFolder.prepare(settings)
        let master = try DataFolder.masterKey(settings)
        try Migrator(migrations).migrate(path: settings.databasePath)
        database = try SQLiteDatabase(path: settings.databasePath)
        keys = try Installation.keyring(master, database, settings)
        records = Records(database, AuditChain(key: keys.audit), interleave: interleave)
        clinic = try ClinicDesk(records, settings)
        visits = AccessTrail(records: records, limiter: limiter, log: log)
        postman = MailSender(settings, records, keys, chance, log) { account, connection in
            try AccountStore.wrappedKey(of: account, connection)
        }
        self.features = features
        self.routes = routes
        let made = try features.flatMap { [records] in try $0.makeParts(settings, records, log) }
        parts = Dictionary(uniqueKeysWithValues: made.map { (ObjectIdentifier(type(of: $0)), $0) })
        try Installation.check(keys, records)
        try Installation.tellRepairs(records, log, at: clock.now)
        if AuditAnchor.read(settings) == nil { try AuditAnchor.set(records, settings) }
    }

    package var library: Library { resources.library }
    package var assets: Assets { resources.assets }

    /// Every sentence in a language, German as the clinic writes it; in English for a language that is not installed.
    package func texts(_ language: Language) -> Texts {
        resources.texts.texts(language, as: clinic.now.variant)
    }

    /// The languages this installation speaks: German and English, then the others by their codes.
    package var languages: [Language] { resources.texts.languages }

    /// The language of a code, where it is installed.
    package func language(_ code: String?) -> Language? { resources.texts.language(code) }

    /// The first of these that is installed, else English.
    package func language(of readers: [Language]) -> Language { resources.texts.first(of: readers) }

    /// What a language is called for a reader.
    package func name(of language: Language, for reader: Texts) -> String {
        resources.texts.name(of: language, for: reader)
    }

    /// One sentence in every language there is.
    package func sentence(_ key: String, _ values: [String: String] = [:]) -> LocalizedText {
        LocalizedText(translations: languages.map { ($0.rawValue, texts($0)[key, values]) })
    }

    /// What a feature keeps. Asking for what none has made is a mistake of this program.
    package func part<P: Part>(_ type: P.Type) -> P {
        guard let part = parts[ObjectIdentifier(type)] as? P else {
            preconditionFailure("no feature keeps a \(type)")
        }
        return part
    }

    /// Told after the transaction in which somebody was erased or withdrew.
    package func consentEnded() {
        for part in parts.values { part.consentEnded(records) }
    }

    /// Told after the transaction that changed what studies ask of somebody.
    package func studiesChanged(of account: ID<Account>) {
        for part in parts.values { part.studiesChanged(of: account) }
    }

    /// What links begin with, without a slash at the end.
    package var origin: String { settings.publicURL ?? address.withLock { $0 } }

    /// A mail ready to be put into the queue by the transaction that gives cause for it.
    package func envelope(_ mail: Mail, to account: PersonKey, at now: Instant) throws -> QueuedMail {
        try postman.envelope(mail, to: account, at: now)
    }

    /// Told after that transaction.
    package func deliver(at now: Instant) { postman.deliver(from: origin, at: now) }

    /// Told once the server listens.
    package func listens(on address: String) { self.address.withLock { $0 = address } }

    /// Holds a request up. The clock is real: it slows whoever waits for the answer.
    package func delay(seconds: Double) { Thread.sleep(forTimeInterval: seconds) }

    /// Holds an answer up until a time has passed, so that its length tells nothing.
    package func hold(since began: DispatchTime, milliseconds: Double) {
        let passed = Double(DispatchTime.now().uptimeNanoseconds - began.uptimeNanoseconds) / 1e6
        if passed < milliseconds { delay(seconds: (milliseconds - passed) / 1000) }
    }

    package func close() {
        for part in parts.values { part.close() }
        database.close()
    }
}

extension TemplateError: LoggedError {}
