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
        /// The number of people who use their phones at the same time.
        var atOnce = 8
    }

    let plan: Plan
    let folder: String
    let time: SimulatedTime
    let servers: [SimulatedServer]
    let therapist: SimulatedTherapist
    let network: any Transport
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
                settings, clock: settings.data + "/clock", log: "\(settings.data)/log\(number)")
        }
        self.servers = servers
        network = Balancer(Network(connections: 32)) { servers.map(\.address) }
        therapist = SimulatedTherapist(servers[0].address, network, seed: plan.seed &+ 1)
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
        var killed = 0
        for day in 0..<plan.days { killed += try await live(day, patients) }
        let requests = patients.flatMap(\.weathers).reduce(0) { $0 + $1.counts.requests }
        let rate = Double(requests) / ((ContinuousClock.now - began) / .seconds(1))
        try await settle(patients)
        let agreement = try await compare(patients)
        report(patients, agreement, killed: killed, rate: rate)
        return agreement.differences.isEmpty
    }

    // MARK: Living

    private struct Step: Sendable {
        let at: Instant
        let patient: Patient
        let cause: SimulatedPerson.Use.Cause
    }

    /// - Returns: how often the server was killed.
    private func live(_ day: Int, _ patients: [Patient]) async throws -> Int {
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
        for (index, bucket) in buckets.keys.sorted().enumerated() {
            try time.advance(to: Instant(milliseconds: (bucket + 1) * 600_000))
            let together = buckets[bucket] ?? []
            if fatal.contains(index) {
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
        return fatal.count
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

    private func report(_ patients: [Patient], _ agreement: Agreement, killed: Int, rate: Double) {
        let counts = patients.flatMap(\.weathers).map(\.counts)
        let sum = { (part: KeyPath<Weather.Counts, Int>) in counts.reduce(0) { $0 + $1[keyPath: part] } }
        let phones = patients.reduce(0) { $0 + $1.person.phones.count }
        let browsers = patients.count { $0.person.browser != nil }
        say(
            "people \(plan.patients), phones \(phones), browsers \(browsers), days \(plan.days), seed \(plan.seed)"
        )
        say(
            "requests \(sum(\.requests)): lost \(sum(\.lost)), answers lost \(sum(\.answersLost)), "
                + "late \(sum(\.late)), faults \(sum(\.faults)), busy \(sum(\.busy)), "
                + "server away \(sum(\.unreachable)); server killed \(killed)")
        let refused = agreement.refused.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        let refusals = agreement.refused.values.reduce(0, +)
        say(
            "sheets sent \(agreement.acknowledged + refusals): acknowledged \(agreement.acknowledged) "
                + "(\(agreement.inBrowsers) from browsers), "
                + "refused \(refusals)" + (refused.isEmpty ? "" : " (\(refused.joined(separator: ", ")))"))
        say(
            "prompts left alone \(agreement.forgotten), days without a network \(agreement.daysOffline), "
                + "conflicts decided \(agreement.conflicts), sessions of listening \(agreement.heard)")
        let events = agreement.events
        say("events noted \(events.noted), answered \(events.answered)")
        let measured = agreement.measured
        say(
            "days measured \(measured.days), single values filed \(measured.values), "
                + "refused \(measured.refused)")
        for (number, server) in servers.enumerated() {
            let (waits, faults) = server.requests()
            let name = servers.count == 1 ? "server" : "portal \(number + 1)"
            say("\(name): \(Self.quantiles(waits)), faults \(faults)")
        }
        say("phones: \(Self.quantiles(counts.flatMap(\.waits)))")
        say(String(format: "%.0f requests a second while they lived", rate))
        for line in agreement.differences.prefix(20) { say(line) }
        if agreement.differences.count > 20 { say("and \(agreement.differences.count - 20) more") }
        say(
            agreement.differences.isEmpty
                ? "phones and portal agree" : "differences \(agreement.differences.count)")
    }

    private static func quantiles(_ values: [Double]) -> String {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return "no requests" }
        let at = { (share: Double) in sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))] }
        return String(
            format: "%d answered, median %.1f ms, p99 %.1f ms, longest %.1f ms", sorted.count, at(0.5),
            at(0.99), sorted[sorted.count - 1])
    }
}
