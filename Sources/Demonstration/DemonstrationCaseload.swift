import Accounts
import Contributions
import Database
import Delivery
import Foundation
import HTTP
import Identity
import Instruments
import JSON
import Pairing
import Questionnaires
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// A full practice beside the demonstration clinic, for measuring the list of patients and Today: one therapist, many
/// patients, years of weekly questionnaires and dailies. The same numbers give the same people and answers.
package struct DemonstrationCaseload {
    package static let therapist = "tess@example.org"

    let services: Services
    let patients: Int
    let years: Int
    private let dice = SeededRandom(3)
    private let now: Instant
    private let zone: Zone
    private let today: LocalDate

    package init(_ services: Services, patients: Int, years: Int) {
        self.services = services
        self.patients = patients
        self.years = years
        now = services.clock.now
        zone = Zone(services.timezone)
        today = LocalTime(now, zone).date
    }

    /// Dailies of the last weeks were asked for by the portal; earlier ones the phones planned themselves.
    private static let askedDays: Int64 = 42
    /// So many patients have a session every week; more of them come less often.
    private static let weekly = 40
    private static let names = [
        "Adler", "Berg", "Cerny", "Dorn", "Eder", "Feld", "Gruber", "Haas", "Igler", "Jung", "Kern", "Lang",
        "Moor", "Neumann", "Ott", "Pichler", "Quendt", "Rieder", "Sommer", "Tal", "Urban", "Vogt", "Winter",
        "Zeller",
    ]

    /// What the sheets of one patient need.
    private struct Life {
        let number: Int
        let therapy: NewTherapy
        let account: NewAccount
        let key: PersonKey
        let first: LocalDate
        /// The share of answered dailies.
        let diligence: Double
        /// The sum of strain at the begin and now.
        let strain: (first: Double, last: Double)
        let quietDays: Int64
    }

    /// - Returns: the number of sheets.
    package func build() throws -> Int {
        let hash = try services.gate.hash(DemonstrationClinic.password)
        let begin = now.adding(days: -Int64(years) * 365 - 1)
        let staff = NewAccount(
            staff: "Tess Moser", email: Self.therapist, roles: [.therapist], passwordHash: hash,
            language: .german, timezone: zone.identifier, id: dice.chance.id(), keys: services.keys,
            now: begin)
        let known = try services.records.writeUnaudited(.madeUp) { [services] connection in
            try AccountStore.insert(staff, connection)
            return try ["strain-week", DailyPlan.questionnaireKey, "wellbeing-5"].map { key in
                guard let record = try QuestionnaireStore.newest(key, services.questionnaires, connection)
                else { throw StartError("seed the demonstration clinic first") }
                return record
            }
        }
        return try (0..<patients).reduce(0) { sum, number in
            try sum
                + services.records.writeUnaudited(.madeUp) { [self] connection in
                    try add(number, of: staff.id, hash, known, connection)
                }
        }
    }

    private func add(
        _ number: Int, of therapist: ID<Account>, _ hash: String, _ known: [QuestionnaireRecord],
        _ connection: borrowing Connection
    ) throws -> Int {
        let first = today.adding(days: -years * 365 + number % 7)
        let made = zone.instant(first, hour: 9, minute: 0)
        let account = NewAccount(
            verifiedPatient: "patient-\(number)@example.org", passwordHash: hash, language: .german,
            timezone: zone.identifier, id: dice.chance.id(), keys: services.keys, now: made)
        try PrivacyStore.insert(account, connection)
        let alias = "\(number % 2 == 0 ? "Frau" : "Herr") \(Self.names[number % Self.names.count])"
        let draft = try PatientDraft.read(InputReader(form: ["alias": alias]))
        let codename = "P" + String(repeating: "0", count: 6 - String(number).count) + String(number)
        let therapy = NewTherapy(
            draft, codename: codename, of: therapist, id: dice.chance.id(), keys: services.keys, now: made)
        try TherapyStore.insert(therapy, connection)
        try TherapyStore.pair(
            Paired(
                therapy: therapy.id, account: account.id,
                birthDate: therapy.key.seal("1980-05-01", for: TherapyPlace.birthDate(therapy.id)),
                gender: .notStated, at: made, on: first), connection)
        let courses = [(9.0, 20.0), (20, 6), (12, 12), (17, 13), (8, 11)]
        let life = Life(
            number: number, therapy: therapy, account: account,
            key: try services.keys.unwrap(account.wrappedKey, owner: account.id), first: first,
            diligence: 0.4 + 0.1 * Double(number % 6), strain: courses[number % courses.count],
            quietDays: number % 9 == 8 ? 9 : 0)
        try sessions(of: life, connection)
        var sheets = 0
        for days in 0...Int64(today.daysSince1970 - first.daysSince1970) {
            let day = first.adding(days: Int(days))
            let isQuiet = today.daysSince1970 - day.daysSince1970 < life.quietDays
            sheets += try dailies(of: life, on: day, isQuiet: isQuiet, known[1], connection)
            guard days % 7 == 3, !isQuiet else { continue }
            sheets += try weekly(of: life, on: day, known[0], connection)
            if days % 28 == 3 { sheets += try weekly(of: life, on: day, known[2], connection) }
        }
        return sheets
    }

    /// At the same time of the same weekday, the next one planned but for every tenth patient.
    private func sessions(of life: Life, _ connection: borrowing Connection) throws {
        let step = 7 * max(1, (patients + Self.weekly - 1) / Self.weekly)
        let place = life.number / 5
        let monday = life.first.adding(days: 8 - life.first.weekday)
        var day = monday.adding(days: life.number % 5 + 7 * (place / 9 % (step / 7)))
        let end = life.number % 10 == 9 ? today : today.adding(days: step)
        while day <= end {
            let start = zone.instant(day, hour: 8 + place % 9, minute: 0)
            let fields: [JSON.Member] = [
                .init("starts_at", .string(start.text)),
                .init("ends_at", .string(start.adding(seconds: SessionDraft.usualSeconds).text)),
            ]
            let draft = try SessionDraft.read(InputReader(json: .object(fields)), now: now)
            try SessionStore.insert(
                draft, id: dice.chance.id(), therapy: life.therapy.id,
                mark: start < now && dice.share() < 0.07 ? .missed : nil, at: start.adding(days: -7),
                connection)
            day = day.adding(days: step)
        }
    }

    private func dailies(
        of life: Life, on day: LocalDate, isQuiet: Bool, _ questionnaire: QuestionnaireRecord,
        _ connection: borrowing Connection
    ) throws -> Int {
        let isAsked = today.daysSince1970 - day.daysSince1970 < Self.askedDays
        var sheets = 0
        for period in 0..<DailyPlan.periods {
            let opens = zone.instant(day, hour: 8 + period * 4, minute: dice.number(0...209))
            let isAnswered = dice.share() < life.diligence && !isQuiet
            let completed = opens.adding(seconds: Int64(dice.number(30...1500)))
            guard opens <= now else { continue }
            let window = DailyPlan.Window(
                day: day, period: period, opens: opens, closes: opens.adding(seconds: DailyPlan.openSeconds))
            var assignment: ID<Assignment>?
            if isAsked {
                let id: ID<Assignment> = dice.chance.id()
                try DailyStore.insert(
                    window, id: id, therapy: life.therapy.id, questionnaire: questionnaire.id,
                    zone: zone.identifier, at: opens, connection)
                try AssignmentStore.noteFetched([id], at: opens, connection)
                assignment = id
            }
            guard isAnswered, completed <= now else { continue }
            let week = Double(day.daysSince1970 - life.first.daysSince1970) / 7
            let model = AnswerModel(trend: 0.002, diligence: life.diligence)
            try store(
                model.daily(week: week, dice), to: questionnaire, assignment, window,
                slot: DailySlot(day: day, period: period), at: completed, of: life, connection)
            sheets += 1
        }
        return sheets
    }

    private func weekly(
        of life: Life, on day: LocalDate, _ questionnaire: QuestionnaireRecord,
        _ connection: borrowing Connection
    ) throws -> Int {
        let opens = zone.instant(day, hour: 7, minute: 0)
        let completed = opens.adding(seconds: Int64(dice.number(3600...40_000)))
        guard opens <= now else { return 0 }
        let window = DailyPlan.Window(day: day, period: 0, opens: opens, closes: opens.adding(days: 2))
        let id: ID<Assignment> = dice.chance.id()
        try AssignmentStore.insert(
            id, questionnaire: questionnaire.id, therapy: life.therapy.id, source: .therapist, from: opens,
            due: window.closes, at: opens, connection)
        try AssignmentStore.noteFetched([id], at: opens, connection)
        guard completed <= now, dice.share() < 0.9 else { return 0 }
        let share =
            Double(day.daysSince1970 - life.first.daysSince1970)
            / Double(max(1, today.daysSince1970 - life.first.daysSince1970))
        let sum = life.strain.first + (life.strain.last - life.strain.first) * share
        let questions = questionnaire.definition.questions.map(\.key)
        var answers = AnswerModel.items(questions, sum: sum, dice)
        if answers["weary"] != nil { answers["weary"] = .number(0) }
        try store(answers, to: questionnaire, id, window, slot: nil, at: completed, of: life, connection)
        return 1
    }

    private func store(
        _ answers: Answers, to questionnaire: QuestionnaireRecord, _ assignment: ID<Assignment>?,
        _ window: DailyPlan.Window, slot: DailySlot?, at completed: Instant, of life: Life,
        _ connection: borrowing Connection
    ) throws {
        let reason: Submission.Reason =
            assignment.map { .assignment($0) }
            ?? .daily(
                questionnaire: questionnaire.id, from: window.opens, due: window.closes, zone: nil)
        let submission = Submission(
            reason: reason, startedAt: completed.adding(seconds: -40), completedAt: completed,
            timezone: zone.identifier, answers: nil, details: nil)
        let sheet = try NewContribution(
            submission, id: dice.chance.id(), account: life.account.id, questionnaire, answers,
            receivedAt: completed.adding(seconds: 2), device: nil, therapy: life.therapy.id,
            assignment: assignment, slot: slot, window: (window.opens, window.closes))
        try ContributionStore.insert(sheet, sheet.sealed(life.key), connection)
        try TherapyStore.noteActivity(in: life.therapy.id, at: completed, connection)
    }
}
