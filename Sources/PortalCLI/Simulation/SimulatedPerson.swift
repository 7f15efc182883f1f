import Demonstration
import Portal
import PortalClient
import Scheduling
import Wire

/// A person with one or two phones who lives through the days: answers prompts, forgets some, is late, offline, on a
/// journey, makes appointments and moves them.
actor SimulatedPerson {
    nonisolated let name: String
    let phones: [SimulatedPhone]
    /// Nil for people who use phones alone.
    let browser: SimulatedBrowser?
    var diary = Diary()
    /// Of the study that they take part in.
    var buttons: [SimulatedButton] = []
    private let temperament: AnswerModel
    let dice: SeededRandom
    private let time: SimulatedTime
    private let begin: Instant

    /// A planned use of the phone.
    struct Use: Sendable {
        enum Cause: Sendable { case daily, evening, double }
        let at: Instant
        let cause: Cause
    }

    init(
        _ name: String, _ phones: [SimulatedPhone], _ browser: SimulatedBrowser?, _ temperament: AnswerModel,
        seed: UInt64, _ time: SimulatedTime
    ) {
        self.browser = browser
        self.name = name
        self.phones = phones
        self.temperament = temperament
        self.time = time
        dice = SeededRandom(seed)
        begin = time.now
    }

    private var week: Double { Double(time.now.seconds - begin.seconds) / 604_800 }

    func chance(_ share: Double) -> Bool { dice.share() < share }

    // MARK: The day

    /// The day's plan, made in the morning.
    func morning() async throws -> [Use] {
        await wander()
        let now = time.now
        var uses = [Use(at: now.adding(seconds: Int64(dice.number(43_000...57_000))), cause: .evening)]
        let end = now.adding(days: 1)
        let prompts = try await phones[0].use { app -> [LocalAssignment] in
            await app.sync(.periodic)
            return try app.store.assignments().filter {
                $0.source == "daily" && $0.availableFrom > now && $0.availableFrom < end
            }
        }
        for prompt in prompts {
            // Most answers come soon, some too late.
            guard chance(temperament.diligence) else {
                diary.forgotten += 1
                continue
            }
            let delay = chance(0.06) ? dice.number(1900...5000) : dice.number(20...1500)
            let isDouble = phones.count > 1 && chance(0.1)
            uses.append(
                Use(
                    at: prompt.availableFrom.adding(seconds: Int64(delay)), cause: isDouble ? .double : .daily
                ))
        }
        return uses
    }

    /// Journeys and days offline.
    private func wander() async {
        if chance(0.03) {
            let zone = ["Europe/London", "America/New_York", "Asia/Kathmandu"][dice.number(0...2)]
            for phone in phones { phone.travel(to: Zone(chance(0.5) ? "Europe/Vienna" : zone)) }
        }
        for phone in phones where chance(0.04) {
            let days = chance(0.2) ? dice.number(8...12) : dice.number(1...3)
            diary.daysOffline += days
            phone.goOffline(until: time.now.adding(days: Int64(days)))
        }
        if let browser, chance(0.1) {
            let days = dice.number(1...9)
            diary.daysOffline += days
            await browser.goOffline(until: time.now.adding(days: Int64(days)))
        }
    }

    func use(_ cause: Use.Cause) async throws {
        let isSecond = phones.count > 1 && chance(0.3)
        switch cause {
        case .double:
            // Both phones offline, the same questionnaire on both.
            for phone in phones { phone.goOffline(until: time.now.adding(seconds: 60)) }
            for number in phones.indices { try await answer(on: number, all: false) }
        case .daily:
            if chance(0.1) { phones[0].goOffline(until: time.now.adding(seconds: 300)) }
            try await answer(on: isSecond ? 1 : 0, all: false)
        case .evening:
            try await answer(on: isSecond ? 1 : 0, all: true)
        }
    }

    // MARK: The app

    private func answer(on number: Int, all: Bool) async throws {
        if let browser, chance(0.5) { try await answer(in: browser, all: all) }
        let phone = phones[number]
        try await phone.use { app in
            await app.sync(.periodic)
            if all { try await tellZone(app) }
            for assignment in try app.store.assignments() where assignment.isOpen(at: phone.now) {
                guard all || assignment.source == "daily" else { continue }
                if assignment.source != "daily", !chance(temperament.diligence * 0.5) {
                    try halfFill(assignment, app)
                    continue
                }
                try fillIn(assignment, on: number, app)
            }
            if all {
                try interventions(app)
                try appointments(app)
                try await listen(app)
                try measure(app, on: number)
                try press(app, on: number)
            }
            await app.sync(.changed)
            try decide(app)
            await app.sync(.changed)
        }
    }

    /// Whole forms, filled in on the device and sent once online.
    private func answer(in browser: SimulatedBrowser, all: Bool) async throws {
        for entry in await browser.open() {
            let known = try await phones[0].use { try $0.store.questionnaire(entry.version) }
            guard let questionnaire = known, all || questionnaire.key == "intersession-daily",
                let answers = answers(questionnaire)
            else { continue }
            let at = await browser.now
            let id = await browser.fillIn(entry, questionnaire.sendable(answers))
            diary.sheets.append(
                Diary.Contribution(
                    id: id, phone: nil, assignment: entry.key, answers: questionnaire.sendable(answers),
                    completedAt: at))
        }
        if all { await press(in: browser) }
        await browser.synchronise()
    }

    /// The portal learns of a journey as soon as the phone is online.
    private func tellZone(_ app: SimulatedPhone.App) async throws {
        guard chance(0.3) else { return }
        _ = try? await app.client.changeProfile(ProfileChange(timezone: app.phone.zone.identifier))
    }

    func answers(_ questionnaire: Questionnaire) -> Answers? {
        let questions = questionnaire.sections.flatMap(\.questions).map(\.key)
        switch questionnaire.key {
        case "intersession-daily": return temperament.daily(week: week, dice)
        case "between-sessions": return temperament.betweenSessions(questions, week: week, dice)
        case "wellbeing-5": return temperament.wellbeing(questions, week: week, dice)
        default: return nil
        }
    }

    private func halfFill(_ assignment: LocalAssignment, _ app: SimulatedPhone.App) throws {
        guard let questionnaire = try app.store.questionnaire(assignment.questionnaireID ?? ""),
            let answers = answers(questionnaire), let first = answers.keys.sorted().first
        else { return }
        try app.store.openAssignment(assignment.id, at: app.phone.now)
        try app.store.keepDraft([first: answers[first] ?? .number(0)], of: assignment.id)
    }

    private func fillIn(
        _ assignment: LocalAssignment, on number: Int, _ app: SimulatedPhone.App
    ) throws {
        guard let questionnaire = try app.store.questionnaire(assignment.questionnaireID ?? ""),
            let answers = answers(questionnaire)
        else { return }
        let now = app.phone.now
        try app.store.openAssignment(assignment.id, at: now)
        let id = try app.store.submit(
            assignment.id, answers, started: now.adding(seconds: -15), at: now, zone: app.phone.zone)
        diary.sheets.append(
            Diary.Contribution(
                id: id, phone: number, assignment: assignment.id,
                answers: questionnaire.sendable(answers), completedAt: now))
    }

    private func interventions(_ app: SimulatedPhone.App) throws {
        for intervention in try app.store.interventions() where intervention.completedAt == nil {
            if intervention.isGone { continue }
            if intervention.openedAt == nil, !chance(temperament.diligence) { continue }
            if chance(0.5) {
                try app.store.completeIntervention(
                    intervention.id, answer: chance(0.5) ? "Ein Gedanke." : nil, isDone: chance(0.7),
                    at: app.phone.now)
                diary.completed.insert(intervention.id)
            } else {
                try app.store.openIntervention(intervention.id, at: app.phone.now)
            }
        }
    }

    private func appointments(_ app: SimulatedPhone.App) throws {
        let now = time.now
        let coming = try app.store.appointments().filter { $0.appointment.startsAt > now }
        if coming.isEmpty {
            // Between ten and one in London, so that it is one day in any zone of the journey.
            let day = LocalDate(daysSince1970: now.seconds / 86_400).adding(days: dice.number(3...8))
            let start = Instant(
                milliseconds: (day.daysSince1970 * 86_400 + Int64(dice.number(20...26)) * 1800) * 1000)
            let appointment = Appointment(
                title: "Sitzung", startsAt: start, endsAt: start.adding(seconds: 3000), comment: nil)
            diary.appointments[try app.store.keepAppointment(nil, appointment)] = appointment
            return
        }
        for appointment in coming {
            if chance(0.08) {
                var moved = appointment.appointment
                moved.startsAt = moved.startsAt.adding(seconds: 86_400)
                moved.endsAt = moved.endsAt.adding(seconds: 86_400)
                moved.comment = chance(0.3) ? "verschoben" : nil
                try app.store.keepAppointment(appointment.id, moved)
                diary.appointments[appointment.id] = moved
            } else if chance(0.05) {
                try app.store.deleteAppointment(appointment.id)
                diary.appointments[appointment.id] = nil
            }
        }
    }

    /// The person decides, and the last decision is what the person wants.
    func decide(_ app: SimulatedPhone.App) throws {
        for conflict in try app.store.conflicts() {
            diary.conflicts += 1
            let choice: LocalStore.Choice = chance(0.5) ? .mine : .theirs
            let kept = try app.store.resolve(conflict.id, choice)
            diary.appointments[conflict.id] = nil
            if let kept { diary.appointments[kept] = choice == .mine ? conflict.mine : conflict.theirs }
        }
    }
}
