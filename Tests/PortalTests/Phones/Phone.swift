import Foundation
import HTTP
import Scheduling
import Synchronization
import Testing
import Wire

@testable import PortalClient
@testable import PortalTesting

/// The client library on the portal of a test: the whole way but for the socket, with faults that the test asks for.
final class Line: Transport {
    /// What happens to a request.
    enum Fault: Sendable {
        /// Lost on its way: the portal never hears of it.
        case lost
        /// The portal does what was asked, and the answer is lost.
        case answerLost
        /// Something else answers in its place.
        case answered(Int, [String: String])
    }

    private let portal: TestPortal
    private let state = Mutex(
        (isDown: false, isOlder: false, faults: [Fault?](), asked: [String](), active: 0, mostActive: 0))
    private let meanwhile = Mutex<(@Sendable (String) -> Void)?>(nil)

    init(_ portal: TestPortal) { self.portal = portal }

    var isDown: Bool {
        get { state.withLock { $0.isDown } }
        set { state.withLock { $0.isDown = newValue } }
    }

    /// Whether the portal is of a time before it told all changes at once.
    var isOlder: Bool {
        get { state.withLock { $0.isOlder } }
        set { state.withLock { $0.isOlder = newValue } }
    }

    /// What happens to the next requests, one by one; nil lets one pass.
    func next(_ faults: Fault?...) { next(faults) }
    func next(_ faults: [Fault?]) { state.withLock { $0.faults = faults } }

    /// Runs after the portal has answered and before the phone hears of it.
    func during(_ body: (@Sendable (String) -> Void)?) { meanwhile.withLock { $0 = body } }

    /// Method and path of every request since the last time this was asked.
    func asked() -> [String] {
        state.withLock { state in
            defer { state.asked = [] }
            return state.asked
        }
    }

    var mostActive: Int { state.withLock { $0.mostActive } }

    func send(_ ask: Ask) async throws -> ServerReply {
        let target = String(ask.url.absoluteString.dropFirst("http://portal".count))
        let (isDown, fault) = state.withLock { state -> (Bool, Fault?) in
            state.asked.append("\(ask.method) \(target.dropFirst("/api/v1".count))")
            state.active += 1
            state.mostActive = max(state.mostActive, state.active)
            return (state.isDown, state.faults.isEmpty ? nil : state.faults.removeFirst())
        }
        defer { state.withLock { $0.active -= 1 } }
        await Task.yield()
        if isDown { throw URLError(.notConnectedToInternet) }
        switch fault {
        case .lost: throw URLError(.networkConnectionLost)
        case .answered(let status, let headers): return ServerReply(status: status, headers: headers)
        case .answerLost:
            _ = pass(ask, target)
            throw URLError(.networkConnectionLost)
        case nil:
            let reply = pass(ask, target)
            meanwhile.withLock { $0 }?(target)
            return reply
        }
    }

    private func pass(_ ask: Ask, _ target: String) -> ServerReply {
        var headers = Headers()
        for field in ask.headers { headers.append(field.key, field.value) }
        guard let method = HTTP.Method(rawValue: ask.method) else { return ServerReply(status: 501) }
        let known = isOlder ? target.replacing("/my/changes", with: "/my/nothing-known") : target
        let response = portal.send(method, known, headers, body: Array(ask.body ?? Data()))
        let fields = response.headers.fields.map { ($0.name, $0.value) }
        return ServerReply(
            status: response.status, headers: Dictionary(fields, uniquingKeysWith: { first, _ in first }),
            body: Self.bytes(of: response))
    }

    /// What libmicrohttpd would send of a file.
    private static func bytes(of response: Response) -> Data {
        guard case .file(let path, let offset, let count) = response.body else { return Data(response.bytes) }
        return FileManager.default.contents(atPath: path)?.dropFirst(offset).prefix(count) ?? Data()
    }
}

/// One phone of one person.
final class Phone: Sendable {
    let portal: TestPortal
    let line: Line
    let store: LocalStore
    let client: Client
    let engine: SyncEngine
    let tokens: TokenInMemory
    private let path: String

    init(_ portal: TestPortal, of person: Person = .pia) throws {
        self.portal = portal
        line = Line(portal)
        path =
            FileManager.default.temporaryDirectory.appendingPathComponent("phone-\(UUID().uuidString)").path
        store = try LocalStore(path: path, person: person.rawValue)
        tokens = TokenInMemory(portal.cast.tokens[person])
        client = Client(URL(string: "http://portal")!, transport: line, tokens: tokens)
        engine = try SyncEngine(
            client, store, zone: { Zone("Europe/Vienna") }, now: { [portal] in portal.now },
            chance: { 0.5 })
    }

    deinit {
        store.close()
        for end in ["", "-wal", "-shm", ".sounds"] { try? FileManager.default.removeItem(atPath: path + end) }
    }

    var soundFolder: URL { URL(fileURLWithPath: path + ".sounds") }

    func keptSounds(piece: Int = 1 << 20) throws -> KeptSounds {
        try KeptSounds(soundFolder, store, piece: piece)
    }

    var now: Instant { portal.now }
    static let zone = Zone("Europe/Vienna")

    @discardableResult
    func sync(_ occasion: SyncEngine.Occasion = .asked) async -> SyncEngine.Summary {
        await engine.synchronise(occasion)
    }

    /// Fills in whatever is open under an id, the same everywhere.
    @discardableResult
    func fillIn(_ id: String, with value: Double = 2) throws -> String {
        let assignment = try #require(try store.assignment(id))
        let questionnaire = try #require(try store.questionnaire(assignment.questionnaireID ?? ""))
        let questions = questionnaire.sections.flatMap(\.questions)
        let answers = Dictionary(uniqueKeysWithValues: questions.map { ($0.key, Answer.number(value)) })
        return try store.submit(id, answers, started: now, at: now, zone: Phone.zone)
    }

    func states() throws -> [String: LocalAssignment.State] {
        Dictionary(uniqueKeysWithValues: try store.assignments().map { ($0.id, $0.state) })
    }
}
