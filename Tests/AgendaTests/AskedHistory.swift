import Database
import HTTP
import JSON
import NetworkTesting
import Records
import Scheduling
import Secrets
import Testing
import Therapies
import WebPush
import Wire
import Wording

@testable import Contributions
@testable import Delivery
@testable import PortalTesting
@testable import Push
@testable import Rules
@testable import Web

/// Three people made up from a seed: two in therapies, all of them perhaps in a study, each with one or two devices that are
/// called; in some seeds in the nights in which clocks change.
struct AskedHistory {
    /// Those that are there still: an account may be erased.
    private(set) var people: [Person] = [.pia, .quinn, .nora]
    private static let answers = [
        "between-sessions": "{\(SheetSample.all)}", "wellbeing-5": StudyDesk.wellbeing,
        "intersession-daily": #"{"thought": 0}"#,
    ]

    let portal: TestPortal
    let desk: StudyDesk
    private let relay: LocalServer
    private var began = Cast.now
    private var dice: SplitMix64
    private var made = 0
    /// A study, while it takes people in; and those that have left it.
    private var study: String?
    private var enrolled: [Person: Bool] = [:]

    init(seed: UInt64) throws {
        dice = SplitMix64(seed)
        let relay = try LocalServer(
            LocalServer.serving { _, connection in
                LocalServer.write("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n", to: connection)
            })
        self.relay = relay
        portal = try TestPortal { $0.pushHosts = ["127.0.0.1:\(relay.port)"] }
        desk = StudyDesk(portal: portal)
        try run("UPDATE credentials SET stays_until = 4000000000000 WHERE kind = 'session'")
        began = try Self.goToChangeOfClocks(dice.number(below: 6), portal)
        try portal.publish("wellbeing-5")
        if chance(75) { try portal.publish("intersession-daily") }
        for person in people {
            subscribe(person, portal.cast.tokens[person] ?? "")
            if chance(40) { subscribe(person, anotherToken(of: person)) }
        }
        for person in [Person.pia, .quinn] { try addTherapy(of: person) }
        try addStudy()
        for person in people { try addChoices(of: person) }
    }

    /// Evenings before a day of 23 hours and one of 25; other numbers stay on an ordinary day.
    private static func goToChangeOfClocks(_ number: Int, _ portal: TestPortal) throws -> Instant {
        let evenings = ["2027-03-27T18:00:00Z", "2027-10-30T18:00:00Z"]
        if number < evenings.count, let evening = Instant(evenings[number]) {
            portal.wait(seconds: evening.seconds - portal.now.seconds)
            try portal.wait(awake: 0)
        }
        return portal.now
    }

    func end() { relay.stop() }

    mutating func number(_ limit: Int) -> Int { dice.number(below: limit) }
    mutating func chance(_ percent: Int) -> Bool { number(100) < percent }

    private mutating func uuid<Entity>() -> ID<Entity> {
        made += 1
        return ID(DerivedID.of("asked", String(dice.next()), made))
    }

    func run(_ sql: SQL) throws {
        try portal.services.records.writeUnaudited(.madeUp) { _ = try $0.run(sql) }
    }

    private func anotherToken(of person: Person) -> String {
        let device = portal.call(
            .post, "/auth/login",
            #"{"email": "\#(person)@example.org", "password": "\#(Cast.password)", "device_name": "Tablet"}"#)
        #expect(device.status == 200, "\(device.text)")
        return device.attributes["token"]?.string ?? ""
    }

    private func subscribe(_ person: Person, _ token: String) {
        let own: Headers = ["Authorization": "Bearer \(token)", "Content-Type": "application/json"]
        let device =
            portal.send(.get, "/api/v1/my/devices", own).list
            .first { $0["attributes"]?["current"] == .bool(true) }?["id"]?.string ?? ""
        let key = Base64URL.text(EllipticKey.random().publicPoint)
        let secret = Base64URL.text(SecureRandom.bytes(16))
        let body = #"""
            {"endpoint": "http://127.0.0.1:\#(relay.port)/\#(device)", "wants": ["prompts", "changes"],
             "keys": {"p256dh": "\#(key)", "auth": "\#(secret)"}}
            """#
        let answer = portal.send(.put, "/api/v1/my/devices/\(device)/push", own, body: Array(body.utf8))
        #expect(answer.status == 200, "\(answer.text)")
    }

    // MARK: Of a therapy

    private mutating func addTherapy(of person: Person) throws {
        guard let therapy = portal.cast.therapies[person] else { return }
        let arms: [Therapy.Arm?] = [nil, nil, .full, .noInterventions, .noApp]
        let arm = arms[number(arms.count)]
        let isOff = chance(25)
        try run("UPDATE therapies SET arm = \(arm) WHERE id = \(therapy)")
        if isOff { try run("UPDATE therapies SET dailies_off_at = \(portal.now) WHERE id = \(therapy)") }
        if chance(20) { try addPause(to: therapy) }
        for _ in 0..<number(7) { try addAssignment(to: therapy) }
        for _ in 0..<number(4) { try addIntervention(to: therapy) }
        for _ in 0..<number(4) { addAppointment(of: person) }
    }

    private mutating func addPause(to therapy: ID<Therapy>) throws {
        let today = LocalTime(portal.now, Zone("Europe/Vienna")).date
        let first = today.adding(days: 1 + number(4))
        let last = first.adding(days: number(5))
        let draft = try PauseDraft.read(
            InputReader(form: ["starts_on": first.text, "ends_on": last.text]), today: today)
        let id: ID<PauseRecord> = uuid()
        let therapist = portal.cast.accounts[.ada] ?? ""
        try portal.services.records.writeUnaudited(.madeUp) { [now = portal.now] connection in
            try PauseStore.insert(
                draft, id: id, of: therapist, therapy: therapy, cover: nil, at: now, connection)
        }
    }

    private mutating func addAssignment(to therapy: ID<Therapy>) throws {
        let now = portal.now
        let from = now.adding(seconds: Int64(number(15 * 24) - 8 * 24) * 3600 + Int64(number(3600)))
        let due = from.adding(seconds: Int64(1 + number(12 * 24)) * 3600)
        let id: ID<Assignment> = uuid()
        let questionnaire = ID<QuestionnaireVersion>(portal.cast.questionnaire)
        let assigned = min(from, now)
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            try AssignmentStore.insert(
                id, questionnaire: questionnaire, therapy: therapy, source: .therapist, from: from,
                due: due, at: assigned, connection)
        }
        if chance(15) { try run("UPDATE assignments SET withdrawn_at = \(now) WHERE id = \(id)") }
        if chance(20) { try run("UPDATE assignments SET notified_at = \(from) WHERE id = \(id)") }
        if chance(15) { try run("UPDATE assignments SET opened_at = \(from) WHERE id = \(id)") }
    }

    private mutating func addIntervention(to therapy: ID<Therapy>) throws {
        let at = portal.now.adding(seconds: -Int64(number(3 * 86_400)))
        let id: ID<Intervention> = uuid()
        try portal.services.records.writeUnaudited(.madeUp) { [keys = portal.services.keys] connection in
            guard let key = try TherapyStore.find(therapy, connection)?.key(keys) else { return }
            let text = try LocalizedText("Achten Sie auf den Weg.", in: .german).sealed(key, for: id)
            try InterventionStore.insert(
                id, .task, text, library: nil, in: therapy, at: at, connection)
        }
        switch number(6) {
        case 0: try run("UPDATE interventions SET opened_at = \(at) WHERE id = \(id)")
        case 1: try run("UPDATE interventions SET completed_at = \(at) WHERE id = \(id)")
        case 2: try run("UPDATE interventions SET withdrawn_at = \(at) WHERE id = \(id)")
        default: break
        }
    }

    private mutating func addAppointment(of person: Person) {
        let path = "/my/appointments/\(uuid() as ID<Appointment>)"
        let start = portal.now.adding(seconds: Int64(number(6 * 24 * 12) - 24 * 12) * 300)
        let body =
            #"{"title": "Therapie", "starts_at": "\#(start.text)", "ends_at": "\#(start.adding(seconds: 3000).text)"}"#
        let made = portal.call(.put, path, body, as: person)
        #expect(made.status == 201, "\(made.text)")
        if chance(20) { #expect(portal.change(.delete, path, as: person).status == 204) }
    }

    // MARK: Of a study

    private mutating func addStudy() throws {
        let study = desk.begin()
        let baselines = [
            #", "is_onetime": true, "baseline": "required""#, #", "baseline": "required""#,
            #", "is_onetime": true, "baseline": "recommended""#, #", "is_onetime": true"#, "",
        ]
        _ = desk.add("wellbeing-5", to: study, baselines[number(baselines.count)])
        let clocks = ["08:10", "10:20", "11:05", "14:00", "20:30"]
        let daily =
            chance(30)
            ? StudyDesk.daily(clocks[number(3)], clocks[3 + number(2)], startDay: number(3))
            : StudyDesk.daily(clocks[number(clocks.count)])
        let item = desk.add("between-sessions", to: study, #", "is_schedule_changeable": true"# + daily)
        for person in people where chance(65) {
            #expect(desk.enrol(person, in: study).status == 201)
            enrolled[person] = true
            if chance(30) { #expect(desk.answer("wellbeing-5", in: study, as: person).status == 201) }
            if chance(25) {
                let plan = portal.change(
                    .put, "/my/questionnaires/\(item)/notification-plan",
                    #"{"option": "custom", "times": [{"at": "09:40"}, {"at": "17:15"}]}"#, as: person)
                #expect(plan.status == 200, "\(plan.text)")
            }
            if chance(12) {
                let account = portal.cast.accounts[person] ?? ""
                try run("UPDATE enrolments SET arm = 'no_app' WHERE account_id = \(account)")
            }
        }
        if chance(10) {
            #expect(
                portal.change(.patch, "/studies/\(study)", #"{"running": false}"#, as: .lena).status == 200)
        } else {
            self.study = study
        }
    }

    // MARK: And otherwise

    private mutating func addChoices(of person: Person) throws {
        let all = ["questionnaires", "interventions", "appointments"].map { "\"\($0)\": \(chance(80))" }
        let body = "{\(all.joined(separator: ", "))}"
        #expect(portal.change(.put, "/my/notification-settings", body, as: person).status == 200)
        if chance(15) {
            let zone = #"{"timezone": "Asia/Tokyo"}"#
            #expect(portal.change(.patch, "/my/profile", zone, as: person).status == 200)
        }
        if chance(12), let therapy = portal.cast.therapies[person] {
            try endTherapy(therapy)
        }
    }

    private func endTherapy(_ therapy: ID<Therapy>) throws {
        let day = LocalTime(portal.now, Zone("Europe/Vienna")).date.text
        try run("UPDATE therapies SET ended_at = \(portal.now), ended_on = \(day) WHERE id = \(therapy)")
    }

    /// A therapy ends in the middle of what it asks, a study is left, and entered again.
    private mutating func change(_ person: Person) throws {
        if chance(5), let therapy = portal.cast.therapies[person] { try endTherapy(therapy) }
        guard let study, let isIn = enrolled[person], chance(isIn ? 12 : 60) else { return }
        let path = "/studies/\(study)/enrolment"
        let answer = isIn ? portal.call(.delete, path, as: person) : desk.enrol(person, in: study)
        #expect(answer.status == (isIn ? 204 : 201), "\(answer.text)")
        enrolled[person] = !isIn
    }

    /// One of the people erases the account, now and then.
    mutating func perhapsErase() -> Person? {
        guard chance(8), !people.isEmpty else { return nil }
        let person = people[number(people.count)]
        erase(person)
        return person
    }

    mutating func erase(_ person: Person) {
        people.removeAll { $0 == person }
        let gone = portal.call(.delete, "/my/account", #"{"password": "\#(Cast.password)"}"#, as: person)
        #expect(gone.status == 204, "\(gone.text)")
    }

    /// Time goes by, now and then backwards, and of what is open some is answered or looked at.
    mutating func goOn() throws {
        let seconds = [Int64(30 + number(600)), Int64(number(4 * 3600)), Int64(number(20 * 3600))]
        let isBack = number(10) == 0 && portal.now.adding(seconds: -3600) >= began
        portal.wait(seconds: isBack ? -3600 : seconds[number(3)])
        try portal.wait(awake: 0)
        for person in people { try change(person) }
        for person in people where chance(40) {
            let open = portal.call(.get, "/my/assignments?limit=200", as: person).list
            guard !open.isEmpty else { continue }
            let one = open[number(open.count)]
            let from = Instant(one["attributes"]?["available_from"]?.string ?? "") ?? .distantFuture
            guard from <= portal.now, let key = one["attributes"]?["questionnaire_key"]?.string else {
                continue
            }
            let path = "/my/contributions/\(uuid() as ID<ContributionRecord>)"
            let sheet = """
                {"assignment_id": "\(one["id"]?.string ?? "")", "started_at": "\(portal.now.text)",
                 "completed_at": "\(portal.now.text)", "timezone": "Europe/Vienna",
                 "answers": \(Self.answers[key] ?? "{}")}
                """
            let taken = portal.call(.put, path, sheet, as: person)
            #expect(taken.status == 201, "\(taken.text)")
        }
    }
}
