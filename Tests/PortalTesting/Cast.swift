import Foundation
import HTTP
import JSON
import Pairing
import Secrets
import Synchronization
import Wire

@testable import Accounts
@testable import Contributions
@testable import Delivery
@testable import EngineTesting
@testable import Identity
@testable import Instruments
@testable import Intake
@testable import Portal
@testable import Questionnaires
@testable import Records
@testable import Rules
@testable import Scheduling
@testable import Studies
@testable import Therapies
@testable import Web
@testable import Wording

/// The people every test knows: Ada is Pia's therapist, Ben is Quinn's; Uma administers, Lena and Leo lead studies of
/// their own.
/// Nora is a patient without a therapist, Rex a device that was signed out, Tess is still registering.
enum Person: String, CaseIterable, Sendable {
    case ada, ben, uma, lena, leo, pia, quinn, nora, rex, tess
    /// Ada's session from yesterday.
    case yesterday
    /// Ada's, after her password and before the second factor.
    case half
    case nobody
}

/// The cast, built once for the whole process into a folder that each test copies.
struct Cast: Sendable {
    static let password = "correct horse battery staple"
    /// Friday, 20 November 2026, 10:00 in Vienna.
    static let now = Instant("2026-11-20T09:00:00Z")!

    let folder: String
    /// Its database, where tests run on PostgreSQL.
    let server: String?
    /// Sessions in browsers; Tess's stands for her registration.
    var sessions: [Person: String] = [:]
    /// API tokens.
    var tokens: [Person: String] = [:]
    var accounts: [Person: ID<Account>] = [:]
    /// The therapies of Pia and Quinn.
    var therapies: [Person: ID<Therapy>] = [:]
    /// An unpaired therapy of Ada's, and its code.
    var openTherapy: ID<Therapy> = ""
    var openCode = ""
    /// The short form, and Pia's open assignment of it.
    var questionnaire = ""
    var assignment = ""
    /// An answered sheet of Pia's, and a session of hers.
    var contribution = "0e7b2c44-52b0-4a4c-8a5e-7d3d1f0a9b01"
    var session = ""
    /// A rule of delivery of Pia's that waits for an impossible score, and a refused sheet of hers.
    var rule = ""
    var quarantined = ""
    /// A task of Pia's that she has not opened.
    var intervention = ""
    /// A holiday of hers, far ahead.
    var pause = ""
    /// Lena's running study with one questionnaire; Nora has asked to take part.
    var study = ""
    var studyItem = ""

    static let shared: Cast = {
        do { return try build() } catch { preconditionFailure("the cast cannot be built: \(error)") }
    }()

    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
    /// Shared by all portals of the process: on a machine with many cores more of them wait at once than real
    /// requests would.
    static let gate = PasswordHasher(queue: 10_000)
    /// Read once: hundreds of portals draw from the same templates and texts.
    static let resources: Resources = {
        do { return try Resources(folder: root) } catch {
            preconditionFailure("templates, texts and assets cannot be read: \(error)")
        }
    }()

    static func settings(_ folder: String) -> Settings {
        var settings = Settings()
        settings.data = folder
        settings.resources = root
        settings.timezone = "Europe/Vienna"
        settings.requestsPerMinute = 0
        settings.secondFactor = .optional
        return settings
    }

    private static func build() throws -> Cast {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "cast-\(UUID().uuidString)"
        ).path
        var settings = settings(folder)
        settings.server = try TestEngine.asked()
        let services = try Services(
            settings, clock: Clock { now }, gate: gate, resources: resources, log: .silent)
        defer { services.close() }
        var cast = Cast(folder: folder, server: settings.server)
        let hash = try gate.hash(password)
        try cast.addStaff(hash, services)
        try cast.addPatients(hash, services)
        try cast.addTherapies(services)
        try cast.addAnswers(services)
        try cast.addStudy(services)
        return cast
    }

    private mutating func addStaff(_ hash: String, _ services: Services) throws {
        let staff: [(Person, String, Set<Role>)] = [
            (.ada, "Ada Lindner", [.therapist]), (.ben, "Ben Steiner", [.therapist]),
            (.uma, "Uma Berger", [.admin, .clinicLead]),
            (.lena, "Lena Hofer", [.lead]), (.leo, "Leo Maier", [.lead]),
        ]
        for (person, name, roles) in staff {
            let account = NewAccount(
                staff: name, email: "\(person.rawValue)@example.org", roles: roles, passwordHash: hash,
                language: .german, timezone: "Europe/Vienna", id: services.chance.id(), keys: services.keys,
                now: Self.now)
            try services.records.writeUnaudited(.madeUp) { try PrivacyStore.insert(account, $0) }
            accounts[person] = account.id
            sessions[person] = try credential(.session, of: account.id, at: Self.now, services)
            tokens[person] = try credential(.token, of: account.id, at: Self.now, services)
        }
        guard let ada = accounts[.ada] else { return }
        sessions[.yesterday] = try credential(
            .session, of: ada, at: Self.now.adding(seconds: -13 * 3600), services)
        sessions[.half] = try credential(.halfway, of: ada, at: Self.now, services)
    }

    private mutating func addPatients(_ hash: String, _ services: Services) throws {
        for person in [Person.pia, .quinn, .nora] {
            let account = NewAccount(
                verifiedPatient: "\(person.rawValue)@example.org", passwordHash: hash, language: .german,
                timezone: "Europe/Vienna", id: services.chance.id(), keys: services.keys, now: Self.now)
            try services.records.writeUnaudited(.madeUp) { try PrivacyStore.insert(account, $0) }
            accounts[person] = account.id
            sessions[person] = try credential(.session, of: account.id, at: Self.now, services)
            tokens[person] = try credential(.token, of: account.id, at: Self.now, services)
        }
        let tess = NewAccount(
            patient: "tess@example.org", researchConsent: false, passwordHash: hash, language: .german,
            timezone: "Europe/Vienna", id: services.chance.id(), keys: services.keys, now: Self.now)
        try services.records.writeUnaudited(.madeUp) { try PrivacyStore.insert(tess, $0) }
        accounts[.tess] = tess.id
        tokens[.tess] = try credential(.registration, of: tess.id, at: Self.now, services)
        sessions[.tess] = tokens[.tess]
        tokens[.rex] = Token().text
    }

    private func credential(
        _ kind: Credential.Kind, of account: ID<Account>, at time: Instant, _ services: Services
    ) throws -> String {
        let credential = NewCredential(kind, of: account, id: services.chance.id(), now: time)
        try services.records.writeUnaudited(.madeUp) { try CredentialStore.insert(credential, $0) }
        return credential.token.text
    }

    private mutating func addTherapies(_ services: Services) throws {
        for (patient, therapist) in [(Person.pia, Person.ada), (.quinn, .ben)] {
            therapies[patient] = try therapy(
                of: therapist, codename: patient == .pia ? "C000001" : "C000002", services)
            try pair(patient, services)
        }
        openTherapy = try therapy(of: .ada, codename: "C000003", services)
        let id = openTherapy
        let keys = services.keys
        openCode = try services.records.read { connection in
            let key = try PairingStore.key(of: id, keys, connection)
            return try PairingStore.current(of: id, connection)?.code(key) ?? ""
        }
    }

    private func therapy(of therapist: Person, codename: String, _ services: Services) throws -> ID<Therapy> {
        let draft = try PatientDraft.read(InputReader(form: ["note": "Notiz zu \(codename)"]))
        let therapy = NewTherapy(
            draft, codename: codename, of: accounts[therapist] ?? "", id: services.chance.id(),
            keys: services.keys,
            now: Self.now.adding(days: -30))
        let keys = services.keys
        let chance = services.chance
        let code: ID<PairingCode> = services.chance.id()
        try services.records.writeUnaudited(.madeUp) { connection in
            try TherapyStore.insert(therapy, connection)
            try PairingStore.make(
                for: therapy.id, with: therapy.key, id: code, days: 60, chance, keys, now: therapy.createdAt,
                connection)
        }
        return therapy.id
    }

    private func pair(_ patient: Person, _ services: Services) throws {
        let id = therapies[patient] ?? ""
        let account = accounts[patient] ?? ""
        let keys = services.keys
        let at = Self.now.adding(days: -28)
        try services.records.writeUnaudited(.madeUp) { connection in
            let key = try PairingStore.key(of: id, keys, connection)
            let birthDate = key.seal("1990-05-17", for: TherapyPlace.birthDate(id))
            guard let code = try PairingStore.current(of: id, connection) else { return }
            try PairingStore.spend(code.id, at: at, connection)
            let day = LocalTime(at, Zone("Europe/Vienna")).date
            try TherapyStore.pair(
                Paired(therapy: id, account: account, birthDate: birthDate, gender: .female, at: at, on: day),
                connection)
        }
    }

    private mutating func addStudy(_ services: Services) throws {
        let fields = InputReader(
            json: try JSON.parse(
                Array(
                    """
                    {"name": "alltag", "title": {"de": "Alltag"}, "consent_text": {"de": "Ich nehme teil."},
                     "access": "request", "is_hidden": true, "running": true}
                    """.utf8)))
        let draft = try StudyDraft.read(fields, over: nil)
        let id: ID<Study> = services.chance.id()
        let item: ID<StudyItem> = services.chance.id()
        let enrolment: ID<Enrolment> = services.chance.id()
        let lena = accounts[.lena] ?? ""
        let nora = accounts[.nora] ?? ""
        try services.records.writeUnaudited(.madeUp) { connection in
            try StudyStore.insert(
                draft, id: id, code: "13572468", passwordHash: nil, lead: lena, at: Self.now, connection)
            try StudyItemStore.insert(
                StudyItemDraft(nil), id: item, key: "between-sessions", in: id, at: Self.now, connection)
            _ = try EnrolmentStore.insert(
                id: enrolment, in: id, account: nora, codename: "S123456", isPending: true, consent: 1,
                way: .app,
                timezone: "Europe/Vienna", at: Self.now, connection)
        }
        study = id.text
        studyItem = item.text
    }

    private mutating func addAnswers(_ services: Services) throws {
        let path = "\(Self.root)/templates/instruments/between-sessions.json"
        let file = try QuestionnaireFiles.read(path, services.texts(.english))
        let questionnaire: ID<QuestionnaireVersion> = services.chance.id()
        let assignment: ID<Assignment> = services.chance.id()
        let session: ID<Session> = services.chance.id()
        let rule: ID<DeliveryRule> = services.chance.id()
        let quarantined: ID<QuarantinedRecord> = services.chance.id()
        let intervention: ID<Intervention> = services.chance.id()
        let pause: ID<PauseRecord> = services.chance.id()
        let answered: ID<Assignment> = services.chance.id()
        let contribution = ID<ContributionRecord>(contribution)
        self.questionnaire = questionnaire.text
        self.assignment = assignment.text
        self.session = session.text
        self.rule = rule.text
        self.quarantined = quarantined.text
        self.intervention = intervention.text
        self.pause = pause.text
        let therapy = therapies[.pia] ?? ""
        let account = accounts[.pia] ?? ""
        let keys = services.keys
        let record = QuestionnaireRecord(
            id: questionnaire, key: file.definition.key, version: 1, publishedAt: Self.now,
            definition: file.definition)
        try services.records.writeUnaudited(.madeUp) { connection in
            _ = try QuestionnaireStore.insert(
                file.json, file.definition, id: questionnaire, at: Self.now, connection)
            for (id, offset) in [(assignment, Int64(-1)), (answered, -8)] {
                let from = Self.now.adding(days: offset)
                try AssignmentStore.insert(
                    id, questionnaire: questionnaire, therapy: therapy, source: .therapist, from: from,
                    due: from.adding(days: 7),
                    at: from, connection)
            }
            let completed = Self.now.adding(days: -3)
            let answers = Dictionary(
                uniqueKeysWithValues: file.definition.questions.map { ($0.key, Answer.number(2)) })
            let submission = Submission(
                reason: .assignment(answered), startedAt: completed.adding(seconds: -60),
                completedAt: completed,
                timezone: "Europe/Vienna", answers: nil, details: nil)
            guard let stored = try TherapyStore.running(of: account, connection),
                let made = try AssignmentStore.find(answered, of: account, connection)
            else { return }
            let sheet = try NewContribution(
                submission, id: contribution, account: account, target: TherapyTarget(made, stored, record),
                answers: answers, receivedAt: completed)
            guard let pia = try AccountStore.find(account, connection) else { return }
            try ContributionStore.insert(sheet, sheet.sealed(try pia.key(keys)), connection)
            let held = Self.now.adding(days: -4)
            let fields: [JSON.Member] = [
                .init("starts_at", .string(held.text)),
                .init("ends_at", .string(held.adding(seconds: 3000).text)),
            ]
            let away = try PauseDraft.read(
                InputReader(form: ["starts_on": "2027-08-02", "ends_on": "2027-08-06"]),
                today: LocalTime(Self.now, Zone("UTC")).date)
            try PauseStore.insert(
                away, id: pause, of: stored.therapistID, therapy: therapy, cover: nil, at: held, connection)
            let text = LocalizedText("Achten Sie auf den Weg.", in: .german)
            try InterventionStore.insert(
                intervention, .task, try text.sealed(try stored.key(keys), for: intervention), library: nil,
                in: therapy,
                at: Self.now.adding(days: -1), connection)
            let draft = try SessionDraft.read(InputReader(json: .object(fields)), now: Self.now)
            try DeliveryRuleStore.insert(
                try Self.sleepingRule(), id: rule, in: therapy, at: held, connection)
            let refused = JSON.object([.init("answers", .object([]))])
            try QuarantineStore.insert(
                NewQuarantined(
                    id: quarantined, account: account, contribution: contribution, owner: .therapy(therapy),
                    reason: .clock,
                    fingerprint: [1],
                    sheet: try pia.key(keys).seal(
                        bytes: try JSONWriter.bytes(of: refused), for: QuarantinePlace.sheet(quarantined)),
                    receivedAt: held), connection)
            try SessionStore.insert(draft, id: session, therapy: therapy, mark: nil, at: held, connection)
        }
    }

    private static func sleepingRule() throws -> DeliveryRuleDraft {
        let form: Form = [
            "occasion": "result", "questionnaire_key": "between-sessions", "watched_key": "none",
            "watched_scale": "none", "threshold": "1",
        ]
        return try DeliveryRuleDraft.read(InputReader(form: form), today: LocalTime(now, Zone("UTC")).date)
    }
}
