import Foundation
import Locks
import Portal
import PortalClient
import Scheduling
import Wire

/// One phone of a simulated person: a file with the store, and a slightly wrong clock. The app is started for every
/// use and ended after it, so everything that lasts must be in the file.
final class SimulatedPhone: Sendable {
    private let path: String
    private let address: URL
    private let time: SimulatedTime
    /// The error of its clock, in seconds.
    private let skew: Int64
    private let weather: Weather
    private let tokens = TokenInMemory()
    private let credentials: (email: String, password: String)
    private let away = Lock<(until: Instant, zone: Zone)>(
        (Instant(milliseconds: 0), Zone("Europe/Vienna")))

    init(
        _ path: String, _ address: URL, _ time: SimulatedTime, _ weather: Weather, skew: Int64,
        credentials: (email: String, password: String)
    ) {
        self.path = path
        self.address = address
        self.time = time
        self.weather = weather
        self.skew = skew
        self.credentials = credentials
    }

    var soundFolder: URL { URL(fileURLWithPath: path + ".sounds") }

    /// The time on its own clock.
    var now: Instant { time.now.adding(seconds: skew) }

    var zone: Zone { away.withLock { $0.zone } }
    func travel(to zone: Zone) { away.withLock { $0.zone = zone } }

    var isOffline: Bool { away.withLock { $0.until } > time.now }
    func goOffline(until: Instant) { away.withLock { $0.until = max($0.until, until) } }
    func comeBack() { away.withLock { $0.until = Instant(milliseconds: 0) } }

    private struct NoNetwork: Transport {
        func send(_ ask: Ask) async throws -> ServerReply { throw URLError(.notConnectedToInternet) }
    }

    func client() -> Client {
        Client(address, transport: isOffline ? NoNetwork() : weather, tokens: tokens)
    }

    func signIn() async throws {
        let device = DeviceInformation(platform: "other", osVersion: "1", appVersion: "simulate")
        _ = try await client().signIn(
            email: credentials.email, password: credentials.password, deviceName: "Telefon", device: device)
    }

    /// The app while it runs.
    struct App: Sendable {
        let phone: SimulatedPhone
        let store: LocalStore
        let engine: SyncEngine
        let client: Client

        /// Signs in again when the token has expired.
        @discardableResult
        func sync(_ occasion: SyncEngine.Occasion) async -> SyncEngine.Summary {
            let summary = await engine.synchronise(occasion)
            guard summary.outcome == .signInNeeded else { return summary }
            do { try await phone.signIn() } catch { return summary }
            return await engine.synchronise(.asked)
        }
    }

    /// Starts the app, lets it do something, and ends it.
    func use<T: Sendable>(
        isolation: isolated (any Actor)? = #isolation, _ body: (App) async throws -> T
    ) async throws -> T {
        let store = try LocalStore(path: path, person: credentials.email)
        defer { store.close() }
        let client = client()
        let engine = try SyncEngine(client, store, zone: { self.zone }, now: { self.now })
        return try await body(App(phone: self, store: store, engine: engine, client: client))
    }
}
