import Accounts
import Appointments
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
import Rules
import Scheduling
import Therapies
import Web
import Wire

/// Three months of one demonstration patient: pairing, weekly sessions, the short form before each, prompts
/// three times a day, well-being every four weeks.
struct DemonstrationLife {
    let patient: DemonstrationPatient
    let person: DemonstrationClinic.Person?
    let therapist: ID<Account>
    let questionnaires: [QuestionnaireRecord]
    private let texts: [DemonstrationPractice.Text]
    let services: Services
    let dice: SeededRandom
    let now: Instant
    let zone: Zone
    let today: LocalDate

    init(
        _ patient: DemonstrationPatient, person: DemonstrationClinic.Person?, therapist: ID<Account>,
        questionnaires: [QuestionnaireRecord], texts: [DemonstrationPractice.Text], services: Services,
        dice: SeededRandom, now: Instant, zone: Zone
    ) {
        self.patient = patient
        self.person = person
        self.therapist = therapist
        self.questionnaires = questionnaires
        self.texts = texts
        self.services = services
        self.dice = dice
        self.now = now
        self.zone = zone
        today = LocalTime(now, zone).date
    }

    func id<Entity>() -> ID<Entity> { dice.chance.id() }

    func write(_ connection: borrowing Connection) throws {
        if let person { try PrivacyStore.insert(person.record, connection) }
        switch patient.course {
        case .codeOpen: _ = try begin(daysAgo: 3, connection)
        case .codeExpired: _ = try begin(daysAgo: 20, connection)
        case .running(let weeks, let trend, let diligence):
            try run(weeks: weeks, until: today, trend: trend, diligence: diligence, connection)
        case .ended(let weeks, let trend, let diligence):
            let last = today.adding(days: -14)
            let therapy = try run(weeks: weeks, until: last, trend: trend, diligence: diligence, connection)
            let end = zone.instant(last, hour: 15, minute: 0)
            try DailyStore.clearFuture(in: therapy.id, at: end, connection)
            try TherapyStore.end(therapy.id, on: last, at: end, therapist: therapist, connection)
        }
    }

    /// The therapy with its code, made on a past day.
    private func begin(daysAgo: Int, _ connection: borrowing Connection) throws -> NewTherapy {
        let made = zone.instant(today.adding(days: -daysAgo), hour: 11, minute: 5)
        let own = [("note", patient.note), ("alias", patient.alias)].compactMap { name, words in
            words.map { Form.Field(name, $0) }
        }
        let draft = try PatientDraft.read(InputReader(form: Form(own)))
        let therapy = NewTherapy(
            draft, codename: patient.codename, of: therapist, id: id(), keys: services.keys, now: made)
        try TherapyStore.insert(therapy, connection)
        try PairingStore.make(
            for: therapy.id, with: therapy.key, id: id(), dice.chance, services.keys, now: made, connection)
        return therapy
    }

    @discardableResult
    private func run(
        weeks: Int, until last: LocalDate, trend: Double, diligence: Double,
        _ connection: borrowing Connection
    ) throws -> NewTherapy {
        let first = last.adding(days: -7 * weeks)
        let therapy = try begin(daysAgo: Int(today.daysSince1970 - first.daysSince1970), connection)
        try pair(therapy, on: first, connection)
        let sessions = try sessions(therapy, from: first, until: last, connection)
        if last == today { try rules(therapy, connection) }
        if let days = patient.pause { try pause(therapy, days, connection) }
        let begin = patient.hasTinnitus ? last.adding(days: -365) : first.adding(days: 1)
        try dailies(therapy, from: begin, until: last, trend: trend, diligence: diligence, connection)
        if patient.hasTinnitus {
            try tinnitus(therapy, from: first, until: last, diligence: diligence, connection)
            try profile(therapy, connection)
            try matches(connection)
        }
        try measures(therapy, sessions, trend: trend, connection)
        try interventions(
            therapy, from: first, until: last, trend: trend, diligence: diligence, connection)
        for week in stride(from: 0, through: weeks, by: 4) {
            let day = first.adding(days: week * 7 + 2)
            if day <= last { try wellbeing(therapy, on: day, week: Double(week), trend: trend, connection) }
        }
        try desk(therapy, connection)
        return therapy
    }

    /// The questionnaires before each session. The rule makes the short form before the next one.
    private func measures(
        _ therapy: NewTherapy, _ sessions: [Instant], trend: Double, _ connection: borrowing Connection
    ) throws {
        let hours = WakingHours(zone: zone, dice: dice)
        let asked = sessions.filter { strainOpens(before: $0) <= now }
        for (number, session) in asked.enumerated() {
            let isLast = number == asked.count - 1
            let done = hours.before(session, isEvening: isLast && patient.isWeary)
            if session <= now {
                try beforeSession(therapy, session, done, week: Double(number), trend: trend, connection)
            }
            let share = isLast ? 1 : Double(number) / Double(max(1, asked.count - 1))
            try strain(
                therapy, before: session, at: done.adding(seconds: Int64(dice.number(75...190))),
                share: share, connection)
        }
    }

    private func pair(_ therapy: NewTherapy, on day: LocalDate, _ connection: borrowing Connection) throws {
        guard let person, let code = try PairingStore.current(of: therapy.id, connection) else { return }
        let at = zone.instant(day, hour: 18, minute: dice.number(0...59))
        let birthDate = LocalDate(
            year: dice.number(1965...2002), month: dice.number(1...12), day: dice.number(1...28))
        // A draw that is no longer used: everything after it stays unchanged.
        _ = dice.share()
        let sealed = therapy.key.seal(birthDate?.text ?? "", for: TherapyPlace.birthDate(therapy.id))
        try PairingStore.spend(code.id, at: at, connection)
        try TherapyStore.pair(
            Paired(
                therapy: therapy.id, account: person.record.id, birthDate: sealed,
                gender: patient.gender, at: at, on: day), connection)
    }

    /// Weekly, one missed now and then, and the next one planned.
    private func sessions(
        _ therapy: NewTherapy, from first: LocalDate, until last: LocalDate,
        _ connection: borrowing Connection
    ) throws -> [Instant] {
        var starts: [Instant] = []
        let weekday = today.adding(days: patient.daysAhead).weekday
        let offset = (weekday - first.weekday + 7) % 7
        var day = first.adding(days: offset == 0 ? 7 : offset)
        let end = last == today ? today.adding(days: 7) : last
        while day <= end {
            if isHoliday(day) {
                day = day.adding(days: 7)
                continue
            }
            let start = zone.instant(day, hour: patient.hour, minute: 0)
            let isMissed = day < today && starts.count > 1 && dice.share() < 0.08
            let fields: [JSON.Member] = [
                .init("starts_at", .string(start.text)),
                .init("ends_at", .string(start.adding(seconds: 3000).text)),
            ]
            try appointment(therapy, start, fields, connection)
            if isMissed, let made = try SessionStore.all(of: therapy.id, connection).last {
                try SessionStore.mark(made.id, as: .missed, therapy: therapy.id, at: start, connection)
            }
            if !isMissed { starts.append(start) }
            day = day.adding(days: 7)
        }
        return starts
    }

    /// The patient's own entry, a week before, with the session it makes.
    private func appointment(
        _ therapy: NewTherapy, _ start: Instant, _ times: [JSON.Member], _ connection: borrowing Connection
    ) throws {
        guard let person else { return }
        let fields = InputReader(json: .object(times + [.init("title", .string("Therapie"))]))
        let entered = min(start.adding(days: -7), now)
        let id: ID<Appointment> = id()
        let draft = try AppointmentDraft.read(fields, now: entered)
        try AppointmentStore.save(
            draft, id, of: person.record.id, therapy: therapy.id, person.key, at: entered, connection)
        try SessionStore.reconcile(
            appointment: id, from: draft.startsAt, until: draft.endsAt, newID: self.id(), in: therapy.id,
            at: entered, connection)
    }

    /// Whether therapist or patient was away.
    func isHoliday(_ day: LocalDate) -> Bool {
        let ago = Int(today.daysSince1970 - day.daysSince1970)
        return patient.pause?.contains(ago) == true
            || patient.therapist == 0 && DemonstrationPractice.pastHoliday.contains(ago)
    }

    private func pause(
        _ therapy: NewTherapy, _ daysAgo: ClosedRange<Int>, _ connection: borrowing Connection
    ) throws {
        let first = today.adding(days: -daysAgo.upperBound)
        let last = today.adding(days: -daysAgo.lowerBound)
        let draft = try PauseDraft.read(
            InputReader(form: ["starts_on": first.text, "ends_on": last.text]), today: first)
        try PauseStore.insert(
            draft, id: id(), of: therapist, therapy: therapy.id, cover: nil,
            at: zone.instant(first, hour: 9, minute: 0), connection)
    }

    // MARK: Interventions

    /// From the second week on one a week, opened and completed as diligently as prompts are answered.
    private func interventions(
        _ therapy: NewTherapy, from first: LocalDate, until last: LocalDate, trend: Double, diligence: Double,
        _ connection: borrowing Connection
    ) throws {
        // A patient who does not improve gets no praise.
        let fitting = trend < 0.1 ? texts.filter { $0.kind != .commendation } : texts
        var day = first.adding(days: 10)
        var number = 0
        while day <= last {
            number += 1
            let given = zone.instant(day, hour: 17, minute: dice.number(0...59))
            let text = fitting[dice.number(0...(fitting.count - 1))]
            let isLate = patient.keepsUp && today.daysSince1970 - day.daysSince1970 >= 10
            let opens = dice.share() < diligence + 0.1 || isLate
            let completes = dice.share() < diligence || isLate && number % 12 != 0
            let pause = dice.number(600...60_000)
            let work = dice.number(60...100_000)
            let hours = WakingHours(zone: zone, dice: dice)
            let opened = opens ? hours.awake(given.adding(seconds: Int64(pause))) : nil
            let completed = completes ? opened.map { hours.awake($0.adding(seconds: Int64(work))) } : nil
            if given <= now {
                try DemonstrationPractice.give(
                    text, id: id(), to: therapy.id, therapy.key, at: given,
                    opened: opened.flatMap { $0 <= now ? $0 : nil },
                    completed: completed.flatMap { $0 <= now ? $0 : nil }, connection)
            }
            day = day.adding(days: 7)
        }
    }
}
