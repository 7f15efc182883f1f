import Demonstration
import Foundation
import Portal
import PortalClient
import Records
import Synchronization
import Wire

/// Lets people live through days against a real server, and compares what they did with what it holds.
struct Simulation {
    struct Plan: Sendable {
        var patients = 10
        var days = 30
        var seed: UInt64 = 1
        var climate = Weather.Climate.clear
        var kills = 0
        /// So many people use their phones at the same time.
        var atOnce = 8
    }

    private let plan: Plan
    private let folder: String
    private let time: SimulatedTime
    private let server: SimulatedServer
    private let therapist: SimulatedTherapist
    private let network = Network(connections: 32)
    private let dice: Dice
    private let say: @Sendable (String) -> Void

    private struct Patient: Sendable {
        let person: SimulatedPerson
        let weathers: [Weather]
        let therapy: String
    }

    /// - Parameter settings: an empty data folder.
    init(_ plan: Plan, _ settings: Settings, say: @escaping @Sendable (String) -> Void) async throws {
        (self.plan, folder, self.say, dice) = (plan, settings.data, say, Dice(plan.seed))
        try Operations.createAccount(
            settings, email: SimulatedTherapist.email, name: "Ada Lindner", roles: ["therapist"],
            password: SimulatedTherapist.password)
        let files = ["between-sessions", "intersession-daily", "wellbeing-5"].map {
            "\(settings.resources)/templates/instruments/\($0).json"
        }
        _ = try Operations.importQuestionnaires(settings, files: files)
        try FileManager.default.createDirectory(
            atPath: settings.data + "/phones", withIntermediateDirectories: true)
        time = try SimulatedTime(file: settings.data + "/clock")
        server = try SimulatedServer(settings, clock: settings.data + "/clock", log: settings.data + "/log")
        therapist = SimulatedTherapist(server.address, seed: plan.seed &+ 1)
    }

    /// - Returns: whether both sides agree at the end.
    func run() async throws -> Bool {
        defer { server.stop() }
        try await therapist.signIn()
        let patients = try await signUp()
        for weather in patients.flatMap(\.weathers) { weather.forget() }
        try server.forgetLog()
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

    // MARK: Signing up

    private func signUp() async throws -> [Patient] {
        var patients: [Patient] = []
        // Hashing passwords is slow by intention, and two at a time.
        for first in stride(from: 0, to: plan.patients, by: 4) {
            let numbers = first..<min(first + 4, plan.patients)
            patients += try await withThrowingTaskGroup(of: (Int, Patient).self) { group in
                for number in numbers { group.addTask { (number, try await signUp(number)) } }
                return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
            }
        }
        return patients
    }

    private func signUp(_ number: Int) async throws -> Patient {
        let own = Dice(plan.seed &* 1_000_003 &+ UInt64(number))
        let (email, password) = ("patient\(number)@example.org", "zwischen den Sitzungen \(number)")
        guard let address = URL(string: server.address) else { throw CocoaError(.fileReadUnknown) }
        let client = Client(address, transport: network)
        _ = try await client.register(
            Registration(
                email: email, password: password, passwordConfirmation: password, privacyAccepted: true,
                timezone: "Europe/Vienna"))
        _ = try await client.verifyEmail(try link(to: email))
        let (therapy, code) = try await therapist.admit()
        var (phones, weathers): ([SimulatedPhone], [Weather]) = ([], [])
        for index in 0..<(own.share() < 0.3 ? 2 : 1) {
            let weather = Weather(network, plan.climate, seed: own.next())
            let phone = SimulatedPhone(
                "\(folder)/phones/\(number)-\(index).sqlite", address, time, weather,
                skew: Int64(own.number(-120...120)), credentials: (email, password))
            phones.append(phone)
            weathers.append(weather)
        }
        _ = try await client.signIn(email: email, password: password)
        let born = LocalDate(
            year: own.number(1960...2004), month: own.number(1...12), day: own.number(1...28))
        _ = try await client.pair(
            code: code, birthDate: born ?? LocalDate(daysSince1970: 0), gender: .notStated)
        let kinds = Temperament.all
        let person = SimulatedPerson(
            "patient \(number)", phones, kinds[number % kinds.count], seed: own.next(), time)
        return Patient(person: person, weathers: weathers, therapy: therapy)
    }

    /// The token out of the mail that confirms an address.
    private func link(to email: String) throws -> String {
        let outbox = folder + "/outbox"
        for name in try FileManager.default.contentsOfDirectory(atPath: outbox) where name.hasSuffix(".eml") {
            let path = outbox + "/" + name
            guard let text = try? String(contentsOfFile: path, encoding: .utf8), text.contains(email),
                let found = text.firstMatch(of: /verify-email\?token=([A-Za-z0-9_-]+)/)
            else { continue }
            try? FileManager.default.removeItem(atPath: path)
            return String(found.1)
        }
        throw StartError("no mail came for \(email)")
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
        let steps = Mutex<[Step]>([])
        try await atOnce(patients) { patient in
            try await therapist.attend(patient.therapy, day: day)
            let uses = try await patient.person.morning()
            steps.withLock { steps in
                steps += uses.map { Step(at: $0.at, patient: patient, cause: $0.cause) }
            }
        }
        // Ten minutes are lived through together.
        let buckets = Dictionary(grouping: steps.withLock { $0 }) { $0.at.seconds / 600 }
        let fatal = killTimes(day, among: buckets.count)
        for (index, bucket) in buckets.keys.sorted().enumerated() {
            try time.advance(to: Instant(milliseconds: (bucket + 1) * 600_000))
            let together = buckets[bucket] ?? []
            if fatal.contains(index) {
                async let using: Void = atOnce(together) { try await $0.patient.person.use($0.cause) }
                try await Task.sleep(for: .milliseconds(dice.number(1...60)))
                server.kill()
                try server.start()
                try await using
            } else {
                try await atOnce(together) { try await $0.patient.person.use($0.cause) }
            }
        }
        return fatal.count
    }

    /// In which of the day's buckets the server is killed: as often as planned, evenly over the days.
    private func killTimes(_ day: Int, among count: Int) -> Set<Int> {
        let (before, after) = (plan.kills * day / plan.days, plan.kills * (day + 1) / plan.days)
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

    /// The storm is over, everybody is back, and time goes on until all is told.
    private func settle(_ patients: [Patient]) async throws {
        for weather in patients.flatMap(\.weathers) { weather.clear() }
        var left = patients
        for _ in 0..<60 where !left.isEmpty {
            try time.advance(to: time.now.adding(seconds: 1200))
            let unsettled = Mutex<[Patient]>([])
            try await atOnce(left) { patient in
                if try await !patient.person.settle() { unsettled.withLock { $0.append(patient) } }
            }
            left = unsettled.withLock { $0 }
        }
        // Once more for everybody: the other phone may have told something after this one had asked.
        for _ in 0..<2 {
            try time.advance(to: time.now.adding(seconds: 60))
            try await atOnce(patients) { _ = try await $0.person.settle() }
        }
    }

    private func compare(_ patients: [Patient]) async throws -> Agreement {
        var agreement = Agreement()
        for patient in patients {
            let (diary, phones, portal) = try await patient.person.states()
            agreement.add(patient.person.name, diary, phones, portal)
        }
        return agreement
    }

    private func report(_ patients: [Patient], _ agreement: Agreement, killed: Int, rate: Double) {
        let counts = patients.flatMap(\.weathers).map(\.counts)
        let sum = { (part: KeyPath<Weather.Counts, Int>) in counts.reduce(0) { $0 + $1[keyPath: part] } }
        let phones = patients.reduce(0) { $0 + $1.weathers.count }
        say("people \(plan.patients), phones \(phones), days \(plan.days), seed \(plan.seed)")
        say(
            "requests \(sum(\.requests)): lost \(sum(\.lost)), answers lost \(sum(\.answersLost)), "
                + "late \(sum(\.late)), faults \(sum(\.faults)), busy \(sum(\.busy)), "
                + "server away \(sum(\.unreachable)); server killed \(killed)")
        let refused = agreement.refused.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        let refusals = agreement.refused.values.reduce(0, +)
        say(
            "sheets sent \(agreement.acknowledged + refusals): acknowledged \(agreement.acknowledged), "
                + "refused \(refusals)" + (refused.isEmpty ? "" : " (\(refused.joined(separator: ", ")))"))
        say(
            "prompts left alone \(agreement.forgotten), days without a network \(agreement.daysOffline), "
                + "conflicts decided \(agreement.conflicts)")
        let (waits, faults) = server.requests()
        say("server: \(Self.quantiles(waits)), faults \(faults)")
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
