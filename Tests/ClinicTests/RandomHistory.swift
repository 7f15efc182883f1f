import Contributions
import Database
import Delivery
import HTTP
import Identity
import Instruments
import JSON
import Questionnaires
import Records
import Rules
import Scheduling
import Testing
import Therapies
import Web
import Wire
import Wording

@testable import PortalTesting

/// A therapy made up from a seed: sessions that were held, missed, called off and moved, noted ones beside appointments,
/// and answers to everything.
struct RandomHistory {
    /// What the therapist has of a session, as the seed meant it.
    struct Slot: Equatable {
        let start: Instant
        let end: Instant
        var state: String
    }

    let portal: TestPortal
    let zone = Zone("Europe/Vienna")
    /// The earliest first.
    private(set) var slots: [Slot] = []
    private(set) var begin = LocalDate(daysSince1970: 0)
    /// When the newest sheet of each questionnaire was completed.
    private(set) var newest: [String: Instant] = ["between-sessions": Cast.now.adding(days: -3)]
    private var dice: SplitMix64
    private var made = 0

    var therapy: ID<Therapy> { portal.cast.therapies[.pia] ?? "" }
    var patient: String { "/patients/\(therapy)" }
    var now: Instant { portal.now }
    var today: LocalDate { LocalTime(Cast.now, zone).date }

    init(seed: UInt64, _ portal: TestPortal) throws {
        self.portal = portal
        dice = SplitMix64(seed)
        let cast = Cast.now.adding(days: -4)
        slots = [Slot(start: cast, end: cast.adding(seconds: 3000), state: "held")]
        begin = today.adding(days: -3 - number(58))
        let change = portal.change(
            .patch, patient, #"{"therapy_started_on": "\#(begin.text)"}"#, as: .ada)
        #expect(change.status == 200)
        try addSessions()
        try addDailies()
        try addSheets()
    }

    private mutating func number(_ limit: Int) -> Int { dice.number(below: limit) }
    private mutating func chance(_ percent: Int) -> Bool { number(100) < percent }

    private mutating func uuid<Entity>() -> ID<Entity> {
        made += 1
        return ID(DerivedID.of("random", String(dice.next()), made))
    }

    /// Numbered as they should be: those that were held, from the therapy's begin on.
    var numbered: [(slot: Slot, number: Int?)] {
        let from = zone.instant(begin, hour: 0, minute: 0)
        var count = 0
        return slots.map { slot in
            guard slot.state == "held", slot.start >= from else { return (slot, nil) }
            count += 1
            return (slot, count)
        }
    }
    var held: [Slot] { slots.filter { $0.state == "held" } }
    var count: Int { numbered.compactMap(\.number).count }
    /// What the next one will be called; nil where there is none, or it lies before the begin.
    var coming: Int? {
        let next = slots.first { $0.state == "planned" && $0.end > now }
        return next.flatMap { $0.start < zone.instant(begin, hour: 0, minute: 0) ? nil : count + 1 }
    }

    // MARK: Sessions

    private mutating func addSessions() throws {
        var day = -60 + number(8)
        while day < 24 {
            // The cast's own, and the day that these tests run on, are left alone.
            if day != -4, day != 0 { try addSession(day) }
            day += 2 + number(9)
        }
        slots.sort { $0.start < $1.start }
    }

    private func body(_ start: Instant, _ end: Instant) -> String {
        #""starts_at": "\#(start.text)", "ends_at": "\#(end.text)""#
    }

    private mutating func addSession(_ day: Int) throws {
        let date = today.adding(days: day)
        let start = zone.instant(date, hour: 8 + number(8), minute: number(12) * 5)
        let end = start.adding(seconds: 3000)
        let way = number(3)
        var id = ""
        if way != 0 {
            // Noted, half an hour off where there is an appointment as well.
            let shift = way == 1 ? 0 : Int64(number(12) - 6) * 300
            let answer = portal.call(
                .post, patient + "/sessions",
                "{\(body(start.adding(seconds: shift), end.adding(seconds: shift)))}", as: .ada)
            #expect(answer.status == 201)
            id = answer.id
        }
        if way != 1 {
            let path = "/my/appointments/\(uuid() as ID<Session>)"
            let isMoved = chance(30)
            let first = isMoved ? zone.instant(date.adding(days: 1), hour: 20, minute: 0) : start
            enter(path, first)
            if isMoved { enter(path, start) }
            if id.isEmpty { id = found(at: start) }
        }
        var state = end <= now ? "held" : "planned"
        if chance(35) {
            let isPast = end <= now
            state = [isPast ? "missed" : "cancelled", "cancelled", isPast ? "held" : "planned"][number(3)]
            let marked = portal.call(
                .patch, patient + "/sessions/\(id)", #"{"state": "\#(state)"}"#, as: .ada)
            #expect(marked.status == 200, "\(marked.text)")
        }
        slots.append(Slot(start: start, end: end, state: state))
    }

    private func enter(_ path: String, _ start: Instant) {
        let tag = portal.call(.get, path, as: .pia).headers["ETag"]
        let answer = portal.call(
            .put, path, #"{"title": "Sitzung", \#(body(start, start.adding(seconds: 3000)))}"#, as: .pia,
            tag.map { ["If-Match": $0] } ?? [:])
        #expect(answer.status == 200 || answer.status == 201, "\(answer.text)")
        portal.wait(seconds: 1)
    }

    private func found(at start: Instant) -> String {
        let all = portal.call(.get, patient + "/sessions?limit=200", as: .ada).list
        let one = all.first { $0["attributes"]?["starts_at"]?.string == start.text }
        return one?["id"]?.string ?? ""
    }

    // MARK: Answers

    private func account(_ connection: borrowing Connection) throws -> (PersonKey, Therapy)? {
        guard let therapy = try TherapyStore.find(therapy, connection), let id = therapy.accountID,
            let account = try AccountStore.find(id, connection)
        else { return nil }
        return (try account.key(portal.services.keys), therapy)
    }

    private mutating func addDailies() throws {
        let questionnaire = try portal.publish("intersession-daily")
        var planned:
            [(window: DailyPlan.Window, id: ID<Assignment>, mood: Int?, isAnswered: Bool, late: Int64)] = []
        for day in -50...0 {
            for period in 0..<3 where chance(45) {
                let date = today.adding(days: day)
                let opens = zone.instant(date, hour: 8 + period * 4, minute: number(200))
                let window = DailyPlan.Window(
                    day: date, period: period, opens: opens, closes: opens.adding(seconds: 1800))
                let mood = chance(60) ? 1 + number(5) : nil
                planned.append((window, uuid(), mood, chance(70), Int64(30 + number(1700))))
            }
        }
        let dailies = planned.filter { $0.window.opens <= now }
        let sheets = dailies.map { _ in uuid() as ID<ContributionRecord> }
        let therapyID = therapy
        try portal.services.records.writeUnaudited(.madeUp) { [self] connection in
            guard let (key, therapy) = try account(connection),
                let record = try QuestionnaireStore.find(
                    ID(questionnaire), portal.services.questionnaires, connection)
            else { return }
            for (daily, sheet) in zip(dailies, sheets) {
                try DailyStore.insert(
                    daily.window, id: daily.id, therapy: therapyID, questionnaire: record.id,
                    zone: zone.identifier, at: daily.window.opens, connection)
                try AssignmentStore.noteFetched([daily.id], at: daily.window.opens, connection)
                let answers: Answers =
                    daily.mood.map { ["thought": .number(1), "feeling": .number(Double($0))] }
                    ?? ["thought": .number(0)]
                let done = daily.window.opens.adding(seconds: daily.late)
                if daily.isAnswered, done <= now {
                    try answer(daily.id, sheet, record, answers, at: done, therapy, key, connection)
                }
            }
        }
    }

    private mutating func addSheets() throws {
        let questionnaires = [portal.cast.questionnaire, try portal.publish("wellbeing-5")]
        let sheets = (0..<(3 + number(8))).map { _ in
            (
                questionnaire: number(2), at: Cast.now.adding(seconds: -Int64(number(55 * 86_400)) - 60),
                value: number(5), assignment: uuid() as ID<Assignment>,
                sheet: uuid() as ID<ContributionRecord>
            )
        }
        let given = (0..<number(7)).map { _ in
            (
                at: Cast.now.adding(seconds: -Int64(number(50 * 86_400)) - 60), isDone: chance(50),
                id: uuid() as ID<Intervention>
            )
        }
        for sheet in sheets {
            let key = ["between-sessions", "wellbeing-5"][sheet.questionnaire]
            newest[key] = max(newest[key] ?? .distantPast, sheet.at)
        }
        let therapyID = therapy
        try portal.services.records.writeUnaudited(.madeUp) { [self] connection in
            guard let (key, therapy) = try account(connection) else { return }
            for sheet in sheets {
                guard
                    let record = try QuestionnaireStore.find(
                        ID(questionnaires[sheet.questionnaire]), portal.services.questionnaires, connection)
                else { continue }
                try AssignmentStore.insert(
                    sheet.assignment, questionnaire: record.id, therapy: therapyID, source: .therapist,
                    from: sheet.at.adding(days: -1), due: sheet.at.adding(days: 1),
                    at: sheet.at.adding(days: -1), connection)
                let answers = Dictionary(
                    uniqueKeysWithValues: record.definition.questions.map {
                        ($0.key, Answer.number(Double(sheet.value)))
                    })
                try answer(
                    sheet.assignment, sheet.sheet, record, answers, at: sheet.at, therapy, key, connection)
            }
            let own = try therapy.key(portal.services.keys)
            for one in given {
                let text = LocalizedText("Achten Sie auf den Weg.", in: .german)
                try InterventionStore.insert(
                    one.id, .task, try text.sealed(own, for: one.id), library: nil, in: therapyID,
                    at: one.at, connection)
                guard one.isDone else { continue }
                let done = one.at.adding(seconds: 30).text
                let report = try InterventionReport.read(
                    .object([
                        .init("opened_at", .string(done)), .init("completed_at", .string(done)),
                    ]), now: now)
                try InterventionStore.note(report, one.id, in: therapyID, connection)
            }
        }
    }

    private func answer(
        _ assignment: ID<Assignment>, _ id: ID<ContributionRecord>, _ record: QuestionnaireRecord,
        _ answers: Answers, at done: Instant, _ therapy: Therapy, _ key: PersonKey,
        _ connection: borrowing Connection
    ) throws {
        guard let account = therapy.accountID,
            let made = try AssignmentStore.find(assignment, inTherapy: therapy.id, connection)
        else { return }
        let submission = Submission(
            reason: .assignment(assignment), startedAt: done.adding(seconds: -20), completedAt: done,
            timezone: zone.identifier, answers: nil, details: nil)
        let sheet = try NewContribution(
            submission, id: id, account: account, target: TherapyTarget(made, therapy, record),
            answers: answers, receivedAt: done)
        try ContributionStore.insert(sheet, sheet.sealed(key), connection)
    }
}
