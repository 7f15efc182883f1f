import Accounts
import Database
import Delivery
import Foundation
import HTTP
import Identity
import Instruments
import Protocols
import Questionnaires
import Records
import Scheduling
import Web
import Wire
import Wording

/// A clinic for trying out: staff, patients in several states, three months of sessions and answers. The same seed
/// gives the same people and answers, counted back from today.
package struct DemonstrationClinic {
    package static let password = "zwischen den Sitzungen"
    package static let lead = "lena@example.org"
    /// Its practice's, as the first page, pairing sheets and mails show it.
    package static let name = "Praxis Lindner"
    private let services: Services
    let dice: SeededRandom
    let now: Instant
    let zone: Zone

    package init(_ services: Services, seed: UInt64 = 1) {
        self.services = services
        dice = SeededRandom(seed)
        now = services.clock.now
        zone = Zone(services.timezone)
    }

    /// - Returns: the logins, a line each.
    /// - Throws: `StartError` when the folder holds real accounts.
    package func build() throws -> [String] {
        if try isSeeded() { return Self.logins }
        let staff = try Self.staff.map { try account($0.email, name: $0.name, roles: $0.roles) }
        let hash = try services.gate.hash(Self.password)
        let files = try questionnaireFiles()
        let profiles = try zip(staff, Self.staff).compactMap { account, person in
            try person.profile.map {
                (account.record.id, try $0.seal(for: account.record.id, with: account.key))
            }
        }
        let people = try DemonstrationPatient.all.map { patient in (patient, try self.person(patient)) }
        // Later additions have a seed of their own, so that everything else stays unchanged.
        let spare = SeededRandom(27)
        let questionnaires = files.enumerated().map { index, file in
            QuestionnaireRecord(
                id: index < Self.first ? id() : spare.chance.id(), key: file.definition.key, version: 1,
                publishedAt: start, definition: file.definition)
        }
        try services.records.write(.clinicSeeded, by: nil, about: nil, at: now) { [self] connection in
            try InstallationStore.markDemonstration(connection)
            try describeClinic(connection)
            for account in staff { try AccountStore.insert(account.record, connection) }
            for profile in profiles { try TherapistStore.save(profile.1, of: profile.0, connection) }
            for (file, record) in zip(files, questionnaires) {
                _ = try QuestionnaireStore.insert(
                    file.json, file.definition, id: record.id, at: start, connection)
            }
            let battery = try BatteryDraft.read(
                form: ["name": "Beginn und Ende", "questionnaire_key": "wellbeing-5"],
                known: Set(questionnaires.map(\.key)))
            try BatteryStore.save(battery, id: id(), at: start, connection)
            for questionnaire in questionnaires {
                var card = InstrumentCard()
                card.licence = .own
                card.source = questionnaire.definition.origin
                if questionnaire.definition.scales.contains(where: { $0.cutoff != nil }) {
                    card.cutoffSource = "Frei erfunden, nur zur Vorführung · Invented, for demonstration only"
                }
                try InstrumentStore.save(card, of: questionnaire.key, connection)
            }
            let practice = DemonstrationPractice(services: services, dice: dice, now: now)
            let texts = try practice.addLibrary(staff.map(\.record.id), at: start, connection)
            for (patient, person) in people {
                let life = DemonstrationLife(
                    patient, person: person, therapist: staff[patient.therapist].record.id,
                    questionnaires: questionnaires, texts: texts,
                    services: services, dice: dice, now: now, zone: zone)
                try life.write(connection)
            }
            try practice.addRules(of: staff[0], standIn: staff[1], texts: texts, connection)
            let study = DemonstrationStudy(services: services, dice: dice, now: now, zone: zone)
            try study.write(lead: staff[2].record.id, people.compactMap(\.1), questionnaires, connection)
            try DemonstrationTrial(study).write(
                lead: staff[2].record.id, password: hash, questionnaires, connection)
            try StarterProtocol.adopt(
                named: services.texts(.german)["starter.protocol_name"], id: id(), by: staff[0].record.id,
                at: start, connection)
        }
        return Self.logins
    }

    /// Its people live in Vienna, regardless of the machine's zone: the numbers are those of their country.
    private func describeClinic(_ connection: borrowing Connection) throws {
        var record = ClinicRecord(name: Self.name, crisis: services.crisisNumbers(of: .austria))
        // As in every new installation.
        record.unseenMailHours = 24
        _ = try ClinicStore.save(record, over: 0, at: start, connection)
    }

    /// Whether the folder holds the demonstration already.
    /// - Throws: `StartError` when it holds real accounts.
    private func isSeeded() throws -> Bool {
        let found = try services.records.read { connection in
            (
                isSeeded: try InstallationStore.isDemonstration(connection),
                accounts: try AccountStore.count(connection), hasAny: try AccountStore.hasAny(connection)
            )
        }
        if found.isSeeded {
            let patients = DemonstrationPatient.all.count(where: { $0.email != nil })
            let own = Self.staff.count + patients + DemonstrationTrial.people
            guard found.accounts == own else {
                throw StartError(
                    "this data folder holds real accounts beside the demonstration; seed an empty one")
            }
            return true
        }
        if found.hasAny { throw StartError("this data folder holds real accounts; seed an empty one") }
        return false
    }

    private func questionnaireFiles() throws -> [QuestionnaireFiles.Read] {
        try Self.questionnaires.map { try QuestionnaireFiles.shipped($0, services) }
    }

    /// In the order in which the rest of the demonstration names them.
    private static let questionnaires = [
        "between-sessions", "intersession-daily", "wellbeing-5", "tinnitus-moment", "strain-week",
        "tinnitus-profile", "tinnitus-person", "tinnitus-history", "tinnitus-hearing",
    ]

    /// How many there were at first.
    private static let first = 5

    /// The begin, thirteen weeks ago.
    private var start: Instant { now.adding(days: -91) }

    func id<Entity>() -> ID<Entity> { dice.chance.id() }

    package struct Person: Sendable {
        package let record: NewAccount
        package let key: PersonKey
    }

    private func account(_ email: String, name: String, roles: Set<Role>) throws -> Person {
        let hash = try services.gate.hash(Self.password)
        let record = NewAccount(
            staff: name, email: email, roles: roles, passwordHash: hash, language: .german,
            timezone: zone.identifier,
            id: id(), keys: services.keys, now: start)
        return Person(record: record, key: try services.keys.unwrap(record.wrappedKey, owner: record.id))
    }

    func person(_ patient: DemonstrationPatient) throws -> Person? {
        guard let email = patient.email else { return nil }
        let hash = try services.gate.hash(Self.password)
        let record = NewAccount(
            verifiedPatient: email, passwordHash: hash, language: .german, timezone: zone.identifier,
            id: id(), keys: services.keys, now: start)
        return Person(record: record, key: try services.keys.unwrap(record.wrappedKey, owner: record.id))
    }

    // MARK: Staff

    private struct Member: Sendable {
        let email: String
        let name: String
        let roles: Set<Role>
        var profile: TherapistProfile?
    }

    private static let staff: [Member] = [
        Member(
            email: "ada@example.org", name: "Ada Lindner", roles: [.therapist],
            profile: profile("Dr.", .female, "Lindengasse 4", "+43 1 5550 100")),
        Member(
            email: "ben@example.org", name: "Ben Steiner", roles: [.therapist],
            profile: profile("Mag.", .male, "Bachweg 12", "+43 1 5550 200")),
        Member(email: lead, name: "Lena Hofer", roles: [.lead]),
        Member(email: "uma@example.org", name: "Uma Berger", roles: [.admin]),
    ]

    private static func profile(_ degree: String, _ gender: Gender, _ street: String, _ phone: String)
        -> TherapistProfile
    {
        var profile = TherapistProfile()
        profile.degree = degree
        profile.gender = gender
        profile.street = street
        profile.phone = phone
        profile.postalCode = "1070"
        profile.city = "Wien"
        profile.country = "AT"
        return profile
    }

    static let logins =
        staff.map { member in
            let roles = Role.allCases.filter(member.roles.contains).map(\.rawValue).joined(separator: ", ")
            return "\(member.email) / \(password) (\(roles))"
        } + ["nina@example.org / \(password) (patient, two years, at /my)"]
}

extension AuditAction {
    static let clinicSeeded = AuditAction(name: "demonstration.seeded")
}
