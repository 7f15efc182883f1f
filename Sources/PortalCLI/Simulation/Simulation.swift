import Demonstration
import Foundation
import Locks
import Portal
import PortalClient
import Records
import SoundFiles
import Wire

/// Lets people live through days against a real server, and compares their actions with its data.
struct Simulation {
    struct Plan: Sendable {
        var patients = 10
        var days = 30
        var seed: UInt64 = 1
        var climate = Weather.Climate.clear
        var kills = 0
        /// How many portals serve from the database.
        var portals = 1
        /// The port of the first of them; any where there is none.
        var firstPort: Int?
        /// The address of a proxy before the portals.
        var through: String?
        /// Seconds between two kills, besides `kills`.
        var killEvery: Int?
        /// The minutes after which no new day begins.
        var minutes: Int?
        /// The number of people who use their phones at the same time.
        var atOnce = 8
    }

    let plan: Plan
    let folder: String
    let time: SimulatedTime
    let servers: [SimulatedServer]
    let therapist: SimulatedTherapist
    let network: any Transport
    /// The address for phones and browsers.
    let address: String
    let dice: SeededRandom
    let say: @Sendable (String) -> Void

    struct Patient: Sendable {
        let person: SimulatedPerson
        let weathers: [Weather]
        let therapy: String
    }

    /// - Parameter settings: an empty data folder.
    init(_ plan: Plan, _ settings: Settings, say: @escaping @Sendable (String) -> Void) async throws {
        self.plan = plan
        folder = settings.data
        self.say = say
        dice = SeededRandom(plan.seed)
        try Operations.createAccount(
            settings, email: SimulatedTherapist.email, name: "Ada Lindner", roles: ["therapist", "lead"],
            password: SimulatedTherapist.password)
        let files = ["between-sessions", "intersession-daily", "wellbeing-5"].map {
            "\(settings.resources)/templates/instruments/\($0).json"
        }
        _ = try Operations.importQuestionnaires(settings, files: files)
        // Two seconds each: the content of the sounds does not matter.
        let sounds = settings.data + "/starter"
        _ = try StarterSounds(seed: 1, seconds: 2).write(to: sounds)
        _ = try Operations.importSounds(settings, from: sounds)
        try FileManager.default.createDirectory(
            atPath: settings.data + "/phones", withIntermediateDirectories: true)
        time = try SimulatedTime(file: settings.data + "/clock")
        let servers = try (0..<plan.portals).map { number in
            try SimulatedServer(
                settings, clock: settings.data + "/clock", log: "\(settings.data)/log\(number)",
                port: plan.firstPort.map { $0 + number } ?? 0, isBehindProxy: plan.through != nil)
        }
        self.servers = servers
        let direct = Network(connections: 32)
        if plan.through == nil {
            network = Balancer(direct) { servers.map(\.address) }
        } else {
            network = direct
        }
        address = plan.through ?? servers[0].address
        therapist = SimulatedTherapist(address, network, seed: plan.seed &+ 1)
    }

    /// - Returns: whether both sides agree at the end.
    func run() async throws -> Bool {
        defer { for server in servers { server.stop() } }
        try await therapist.signIn()
        try await therapist.beginStudy()
        let patients = try await signUp()
        for weather in patients.flatMap(\.weathers) { weather.forget() }
        for server in servers { try server.forgetLog() }
        let began = ContinuousClock.now
        let end = plan.minutes.map { began + .seconds(60 * $0) }
        var killed = 0
        var days = 0
        var nextKill = plan.killEvery.map { began + .seconds($0) }
        while days < plan.days, end.map({ ContinuousClock.now < $0 }) ?? true {
            killed += try await live(days, patients, &nextKill)
            days += 1
        }
        let requests = patients.flatMap(\.weathers).reduce(0) { $0 + $1.counts.requests }
        let rate = Double(requests) / ((ContinuousClock.now - began) / .seconds(1))
        try await settle(patients)
        let agreement = try await compare(patients)
        report(patients, agreement, days: days, killed: killed, rate: rate)
        return agreement.differences.isEmpty
    }

    // MARK: Living

    private struct Step: Sendable {
        let at: Instant
        let patient: Patient
        let cause: SimulatedPerson.Use.Cause
    }

    /// - Parameter nextKill: the moment of the next kill, where they come by the clock on the wall.
    /// - Returns: how often the server was killed.
    private func live(
        _ day: Int, _ patients: [Patient], _ nextKill: inout ContinuousClock.Instant?
    ) async throws -> Int {
        let morning = SimulatedTime.begin.adding(days: Int64(day))
        try time.advance(to: morning)
        let steps = Lock<[Step]>([])
        try await atOnce(patients) { patient in
            try await therapist.attend(patient.therapy, day: day)
            let uses = try await patient.person.morning()
            steps.withLock { steps in
                steps += uses.map { Step(at: $0.at, patient: patient, cause: $0.cause) }
            }
        }
        // Ten minutes are simulated together.
        let buckets = Dictionary(grouping: steps.withLock { $0 }) { $0.at.seconds / 600 }
        let fatal = killTimes(day, among: buckets.count)
        var killed = 0
        for (index, bucket) in buckets.keys.sorted().enumerated() {
            try time.advance(to: Instant(milliseconds: (bucket + 1) * 600_000))
            let together = buckets[bucket] ?? []
            let isDue = nextKill.map { $0 <= ContinuousClock.now } ?? false
            if isDue || fatal.contains(index) {
                if isDue { nextKill = plan.killEvery.map { ContinuousClock.now + .seconds($0) } }
                killed += 1
                async let using: Void = atOnce(together) { try await $0.patient.person.use($0.cause) }
                try await Task.sleep(for: .milliseconds(dice.number(1...60)))
                let server = servers[dice.number(0...(servers.count - 1))]
                server.kill()
                try server.start()
                try await using
            } else {
                try await atOnce(together) { try await $0.patient.person.use($0.cause) }
            }
        }
        return killed
    }

    /// The day's buckets in which the server is killed: as often as planned, evenly over the days.
    private func killTimes(_ day: Int, among count: Int) -> Set<Int> {
        let before = plan.kills * day / plan.days
        let after = plan.kills * (day + 1) / plan.days
        guard after > before, count > 0 else { return [] }
        return Set((before..<after).map { _ in dice.number(0...(count - 1)) })
    }

    private func atOnce<Element: Sendable>(
        _ elements: [Element], _ body: @escaping @Sendable (Element) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, element) in elements.enumerated() {
                if index >= plan.atOnce { try await group.next() }
                group.addTask { try await body(element) }
            }
            try await group.waitForAll()
        }
    }

    // MARK: The end

    /// After the storm time continues until everything was sent.
    private func settle(_ patients: [Patient]) async throws {
        for weather in patients.flatMap(\.weathers) { weather.clear() }
        var left = patients
        for _ in 0..<60 where !left.isEmpty {
            try time.advance(to: time.now.adding(seconds: 1200))
            let unsettled = Lock<[Patient]>([])
            try await atOnce(left) { patient in
                if try await !patient.person.settle() { unsettled.withLock { $0.append(patient) } }
            }
            left = unsettled.withLock { $0 }
        }
        // Once more for all: the other phone may have sent something after this one had asked.
        for _ in 0..<2 {
            try time.advance(to: time.now.adding(seconds: 60))
            try await atOnce(patients) { _ = try await $0.person.settle() }
        }
    }

    private func compare(_ patients: [Patient]) async throws -> Agreement {
        var agreement = Agreement()
        for patient in patients {
            let (diary, phones, browser, portal) = try await patient.person.states()
            agreement.add(patient.person.name, diary, phones, browser, portal)
        }
        return agreement
    }
}
