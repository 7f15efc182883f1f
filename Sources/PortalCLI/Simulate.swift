import Dispatch
import Foundation
import Locks
import Records

/// Patients as programs, against a server of its own: their actions and its data must agree.
enum Simulate: Command {
    static let name = "simulate"
    static let summary = "Lets simulated patients live through days in fast motion and compares both sides"
    static let options = [
        Option("patients", "N", "how many (default 10)"), Option("days", "N", "how long (default 30)"),
        Option("seed", "N", "the same seed, the same decisions (default 1)"),
        Option("faults", nil, "requests and answers are lost, late, refused by mistake"),
        Option("kills", "N", "how often the server is killed and started again (default 0)"),
        Option("at-once", "N", "so many use their phones at the same time (default 8)"),
        Option(
            "data", "DIR", "an empty folder that is kept (default a temporary one that is not)", kind: .folder
        ),
        Option.database,
        Option("portals", "N", "how many serve from that database, in turn (default 1)"),
        Option("first-port", "N", "where the first portal listens, the next ones behind it (default any)"),
        Option("through", "URL", "a proxy of yours before them, which everyone asks instead"),
        Option("kill-every", "SECONDS", "one of them is killed and started again each time they have passed"),
        Option("minutes", "N", "ends with the first day after so many, however many are left"),
        Option.resources,
    ]

    static func run(_ arguments: Arguments) throws {
        guard arguments.operands.isEmpty else { throw UsageError("simulate takes no operands") }
        let plan = try plan(arguments)
        var settings = try arguments.settings()
        settings.timezone = "Europe/Vienna"
        let kept = arguments["data"]
        settings.data = kept ?? FileManager.default.temporaryDirectory.path + "/simulate-\(UUID().uuidString)"
        if let kept, (try? FileManager.default.contentsOfDirectory(atPath: kept))?.isEmpty == false {
            throw UsageError("--data wants an empty folder")
        }
        if settings.server != nil, try settings.hasDatabase() {
            throw UsageError("--database wants an empty database")
        }
        guard plan.portals == 1 || settings.server != nil else {
            throw UsageError("several portals need --database")
        }
        defer { if kept == nil { try? FileManager.default.removeItem(atPath: settings.data) } }
        guard try wait({ [settings] in try await Simulation(plan, settings, say: Output.line).run() }) else {
            throw StartError("phones and portal do not agree")
        }
    }

    static func plan(_ arguments: Arguments) throws -> Simulation.Plan {
        var plan = Simulation.Plan()
        plan.patients = try arguments.number("patients", 1...100_000) ?? plan.patients
        plan.days = try arguments.number("days", 1...3650) ?? plan.days
        plan.seed = UInt64(try arguments.number("seed", 0...Int.max) ?? 1)
        plan.kills = try arguments.number("kills", 0...1000) ?? 0
        plan.atOnce = try arguments.number("at-once", 1...1000) ?? plan.atOnce
        plan.portals = try arguments.number("portals", 1...16) ?? 1
        plan.firstPort = try arguments.number("first-port", 1...65_000)
        plan.killEvery = try arguments.number("kill-every", 1...86_400)
        plan.minutes = try arguments.number("minutes", 1...100_000)
        plan.through = arguments["through"]
        if let through = plan.through {
            // It has to know where they listen.
            guard plan.firstPort != nil else { throw UsageError("--through needs --first-port") }
            guard URL(string: through)?.host != nil else {
                throw arguments.wrong("through", "wants something like http://127.0.0.1:8080")
            }
        }
        if arguments.has("faults") { plan.climate = .stormy }
        return plan
    }

    /// Waits on the main thread, which has nothing else to do.
    private static func wait(_ body: @escaping @Sendable () async throws -> Bool) throws -> Bool {
        let done = DispatchSemaphore(value: 0)
        let outcome = Outcome()
        Task {
            do { outcome.set(.success(try await body())) } catch { outcome.set(.failure(error)) }
            done.signal()
        }
        done.wait()
        return try outcome.get()
    }

    private final class Outcome: Sendable {
        private let result = Lock<Result<Bool, any Error>>(.success(false))
        func set(_ value: Result<Bool, any Error>) { result.withLock { $0 = value } }
        func get() throws -> Bool { try result.withLock { try $0.get() } }
    }
}
