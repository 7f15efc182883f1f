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
    /// Protects people, by all portals together.
    package let limiter: Limiter
    /// Protects this portal from load.
    let load = Limiter()
    package let memory: ShortMemory
    package let logins: LoginThrottle
    let flashes: FlashMessages
    package let interrupted: InterruptedForms
    let sentForms: SentForms
    package let slips: ShownOnceCodes
    package let visits: AccessTrail
    package let postman: MailSender
    private let resources: Resources
    package let clinic: ClinicCache
    package let startedAt: Instant
    let largeBodies = DispatchSemaphore(value: 2)
    package let log: Log
    /// Every way in, of all features.
    package let routes: Routes
    package let features: [Feature]
    private let parts: [ObjectIdentifier: any Part]
    private let database: OpenDatabase
    private let listener = Lock<DatabaseNews?>(nil)
    let address = Lock("")

    /// Opens the data folder and brings the database up to date.
    /// - Parameters:
    ///   - migrations: the steps that bring a database up to date, in order.
    ///   - features: every area of the portal.
    ///   - routes: those of the features.
    ///   - resources: templates, texts and assets, read before anything is written.
    ///   - interleave: runs between what a request has read and what it writes; for tests.
    /// - Throws: a message for the operator when something does not fit.
    package init(
        _ settings: Settings, migrations: [Migration], features: [Feature], routes: Routes, clock: Clock,
        chance: Randomness, gate: PasswordHasher, resources: Resources, log: Log,
        interleave: @escaping @Sendable () -> Void
    ) throws {
        self.settings = settings
        self.clock = clock
        self.chance = chance
        self.gate = gate
        self.log = log
        startedAt = clock.now
        self.resources = resources
        let migrator = Migrator(migrations)
        let master = try DataFolder.open(settings, migrator, log, at: startedAt) {
            try AccountStore.hasAny($0)
        }
        try migrator.migrate(settings.database, settings.programLock)
        database = try OpenDatabase(settings.database, settings.programLock)
        keys = try Installation.keyring(master, database, settings)
        records = Records(database, AuditChain(key: keys.audit), interleave: interleave)
        try ZoneHistory.begin(records, at: startedAt)
        clinic = try ClinicCache(records, settings)
        memory = ShortMemory(records, keys)
        limiter = Limiter(memory)
        logins = LoginThrottle(memory)
        flashes = FlashMessages(memory)
        interrupted = InterruptedForms(memory)
        sentForms = SentForms(records, keys, flashes, log)
        slips = ShownOnceCodes(memory)
        visits = AccessTrail(records: records, here: load, everywhere: limiter, log: log)
        postman = MailSender(settings, records, keys, chance, log) { account, connection in
            try AccountStore.wrappedKey(of: account, connection)
        }
        self.features = features
        self.routes = routes
        let made = try features.flatMap { [records, memory] in
            try $0.makeParts(settings, records, log, memory)
        }
        parts = Dictionary(uniqueKeysWithValues: made.map { (ObjectIdentifier(type(of: $0)), $0) })
        try Installation.check(keys, records)
        try DataFolder.noteKeyInUse(settings)
        try Installation.tellRepairs(records, log, at: clock.now)
        if AuditAnchor.read(settings) == nil { try AuditAnchor.set(records, settings) }
        listener.withLock { $0 = listen() }
    }

    /// Hears what other portals on the same database tell; nil where there can be none.
    private func listen() -> DatabaseNews? {
        DatabaseNews(of: settings.database) { [weak self] in
            // What was told before this may have been missed.
            self?.hear(.zonesRead)
            self?.hear(.clinicChanged)
            self?.hear(.consentEnded)
        } heard: { [weak self] text in
            if let news = News(text) { self?.hear(news) }
        }
    }

    package var library: Library { resources.library }
    package var assets: Assets { resources.assets }

    /// A text that the program comes with, by its path below `templates/`: `letters/gp.de.md`; nil for an unknown path.
    package func shipped(_ path: String) -> [UInt8]? { resources.file(path) }

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

    /// A language's name for a reader.
    package func name(of language: Language, for reader: Texts) -> String {
        resources.texts.name(of: language, for: reader)
    }

    /// One sentence in every language there is.
    package func sentence(_ key: String, _ values: [String: String] = [:]) -> LocalizedText {
        LocalizedText(translations: languages.map { ($0.rawValue, texts($0)[key, values]) })
    }

    /// A feature's part. Asking for a part that no feature has made is a defect.
    package func part<P: Part>(_ type: P.Type) -> P {
        guard let part = parts[ObjectIdentifier(type)] as? P else {
            preconditionFailure("no feature keeps a \(type)")
        }
        return part
    }

    /// Called after the transaction that made the news.
    package func spread(_ news: News) {
        hear(news)
        do {
            try records.tell(news.text)
        } catch {
            log.line("warning", "news not told", [("detail", Log.detail(of: error))], at: clock.now)
        }
    }

    /// - Parameter news: told to the other portals already, by their transaction.
    package func hear(_ news: News) {
        do {
            switch news {
            case .zonesRead: try ZoneHistory.load(records)
            case .clinicChanged: try clinic.reload(records)
            case .consentEnded, .studiesChanged: break
            }
        } catch {
            log.line(
                "warning", "news not read", [("news", news.text), ("detail", Log.detail(of: error))],
                at: clock.now)
        }
        for part in parts.values { part.hear(news, records) }
    }

    /// Whether this portal does what one of several does for all; also false while the database is away.
    package var leads: Bool { (try? records.leads()) ?? false }

    /// The origin of links, without a slash at the end.
    package var origin: String { settings.publicURL ?? address.withLock { $0 } }

    /// A mail ready for the queue, for the transaction that causes it.
    package func envelope(_ mail: Mail, to account: PersonKey, at now: Instant) throws -> QueuedMail {
        try postman.envelope(mail, to: account, at: now)
    }

    /// Sends queued mails; called after that transaction.
    package func deliver(at now: Instant) { postman.deliver(from: origin, at: now) }

    /// Called once the server listens.
    package func listens(on address: String) { self.address.withLock { $0 = address } }

    /// Delays a request in real time, which slows its client.
    package func delay(seconds: Double) { Thread.sleep(forTimeInterval: seconds) }

    /// Delays an answer until a given time has passed, so that its duration discloses nothing.
    package func hold(since began: DispatchTime, milliseconds: Double) {
        let passed = Double(DispatchTime.now().uptimeNanoseconds - began.uptimeNanoseconds) / 1e6
        if passed < milliseconds { delay(seconds: (milliseconds - passed) / 1000) }
    }

    package func close() {
        listener.withLock { $0?.stop() }
        for part in parts.values { part.close() }
        database.close()
    }
}

extension TemplateError: LoggedError {}
