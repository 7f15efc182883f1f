import Database
import Foundation
import HTTP
import JSON
import Synchronization
import Testing
import Wire

@testable import EngineTesting
@testable import Instruments
@testable import Portal
@testable import Records
@testable import Web

/// A portal of its own for one test: a copy of the cast's folder, a clock that the test sets, no network.
final class TestPortal: Sendable {
    let services: Services
    let pipeline: Pipeline
    let cast = Cast.shared
    private let folder: String
    private let surroundings: Surroundings
    /// Another portal's folder and database are removed by that one.
    private let isGuest: Bool

    /// On the same database, in the same folder, by the same clock.
    /// - Parameter seconds: by how much its clock is ahead.
    init(beside other: TestPortal, ahead seconds: Int64 = 0) throws {
        folder = other.folder
        surroundings = other.surroundings
        isGuest = true
        services = try Self.services(other.services.settings, surroundings, ahead: seconds)
        pipeline = Pipeline(services)
        services.listens(on: "http://127.0.0.1:8081")
    }

    private static func services(
        _ settings: Settings, _ surroundings: Surroundings, ahead seconds: Int64 = 0
    ) throws -> Services {
        try Services(
            settings, clock: Clock { surroundings.time.withLock { $0 }.adding(seconds: seconds) },
            gate: Cast.gate,
            // Read once for all, unless a test brings a folder of its own.
            resources: settings.resources == Cast.root ? Cast.resources : nil,
            log: Log { line in
                surroundings.logged.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
            }, interleave: { surroundings.comeBetween() })
    }

    init(_ change: (inout Settings) -> Void = { _ in }) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "portal-\(UUID().uuidString)"
        ).path
        try FileManager.default.copyItem(atPath: Cast.shared.folder, toPath: folder)
        self.folder = folder
        var settings = Cast.settings(folder)
        settings.server = try Cast.shared.server.map { try TestEngine.copy(of: $0) }
        change(&settings)
        surroundings = Surroundings()
        isGuest = false
        services = try Self.services(settings, surroundings)
        pipeline = Pipeline(services)
        services.listens(on: "http://127.0.0.1:8080")
    }

    deinit {
        services.close()
        if isGuest { return }
        services.settings.server.map { TestEngine.remove($0) }
        try? FileManager.default.removeItem(atPath: folder)
    }

    private final class Surroundings: Sendable {
        let time = Mutex(Cast.now)
        let logged = Mutex<[String]>([])
        let between = Mutex<Between?>(nil)

        /// Runs the other request once, between reading and writing.
        func comeBetween() {
            let act = between.withLock { between -> (@Sendable () -> Void)? in
                guard let (left, act) = between else { return nil }
                between = left > 0 ? (left - 1, act) : nil
                return left > 0 ? nil : act
            }
            act?()
        }
    }

    /// Another request, and how many writes come before it.
    private typealias Between = (left: Int, act: @Sendable () -> Void)

    /// Another request between reading and writing of the next one.
    /// - Parameter writes: of the next one, that come before the other request.
    /// - Returns: the answer, and whether it came as far as that write.
    func interleaving<Answer>(
        after writes: Int = 0, _ act: @escaping @Sendable () -> Void, _ request: () throws -> Answer
    ) rethrows -> (response: Answer, hasComeToWrite: Bool) {
        surroundings.between.withLock { $0 = (writes, act) }
        let response = try request()
        let isLeft = surroundings.between.withLock { between in
            defer { between = nil }
            return between != nil
        }
        return (response, !isLeft)
    }

    var now: Instant { surroundings.time.withLock { $0 } }
    var logged: [String] { surroundings.logged.withLock { $0 } }
    func wait(milliseconds: Int64) {
        surroundings.time.withLock { $0 = Instant(milliseconds: $0.milliseconds + milliseconds) }
    }
    func wait(seconds: Int64) { wait(milliseconds: seconds * 1000) }
    func wait(days: Int64) { wait(seconds: days * 86_400) }

    /// The same, with all sessions still open.
    func wait(awake days: Int64) throws {
        wait(days: days)
        try services.records.writeUnaudited(.madeUp) { [now] connection in
            try connection.run(
                "UPDATE credentials SET last_used_at = \(now), expires_at = \(now.adding(days: 1))")
        }
    }

    // MARK: Requests

    func send(
        _ method: HTTP.Method, _ target: String, _ headers: Headers = [:], body: [UInt8] = [],
        isAwaited: @escaping @Sendable () -> Bool = { true }
    ) -> Response {
        guard let parsed = Target(target) else {
            Issue.record("\(target) is no target")
            return Response(status: 0)
        }
        return pipeline.respond(
            to: Request(
                method: method, target: parsed, headers: headers, body: body, peer: "192.0.2.1",
                isAwaited: isAwaited))
    }

    /// A page, with the person's cookie.
    func get(
        _ target: String, as person: Person, _ headers: Headers = [:],
        isAwaited: @escaping @Sendable () -> Bool = { true }
    ) -> Response {
        send(.get, target, browser(person, headers), isAwaited: isAwaited)
    }

    /// A form as a browser sends it: with cookie, token, and the site it comes from.
    func post(_ target: String, _ form: [(String, String)] = [], as person: Person, _ headers: Headers = [:])
        -> Response
    {
        let cookie = cast.sessions[person] ?? TestPortal.anonymous
        let fields = form + [("form_token", services.keys.formToken(for: cookie))]
        var all = browser(person, headers)
        all.append("Content-Type", "application/x-www-form-urlencoded")
        let body = fields.map { "\(percentEncoded($0.0))=\(percentEncoded($0.1))" }.joined(separator: "&")
        return send(.post, target, all, body: Array(body.utf8))
    }

    /// A file in a field of a form.
    struct Attached {
        var field = "file"
        var name = "plan.json"
        var type = "application/json"
        let bytes: [UInt8]
    }

    /// A form with files.
    /// - Parameter token: that of a page that was drawn before; nil for one of its own.
    func post(
        _ target: String, _ form: [(String, String)] = [], files: [Attached], token: String? = nil,
        as person: Person
    ) -> Response {
        let cookie = cast.sessions[person] ?? TestPortal.anonymous
        var body: [UInt8] = []
        for (name, value) in form + [("form_token", token ?? services.keys.formToken(for: cookie))] {
            let part = "--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
            body += Array(part.utf8)
        }
        for file in files {
            let chosen = file.name.isEmpty ? "" : "; filename=\"\(file.name)\"\r\nContent-Type: \(file.type)"
            let head = "--b\r\nContent-Disposition: form-data; name=\"\(file.field)\"\(chosen)\r\n\r\n"
            body += Array(head.utf8) + file.bytes + [13, 10]
        }
        var all = browser(person, ["Content-Type": "multipart/form-data; boundary=b"])
        all.append("Sec-Fetch-Site", "same-origin")
        return send(.post, target, all, body: body + Array("--b--\r\n".utf8))
    }

    static let anonymous = String(repeating: "a", count: 43)

    private func browser(_ person: Person, _ headers: Headers) -> Headers {
        var all = headers
        all.append("Cookie", "sid=\(cast.sessions[person] ?? TestPortal.anonymous)")
        return all
    }

    /// A call of the API, with the person's token.
    func call(
        _ method: HTTP.Method, _ path: String, _ json: String? = nil, as person: Person = .nobody,
        _ headers: Headers = [:]
    ) -> Response {
        var all = headers
        if let token = cast.tokens[person] { all.append("Authorization", "Bearer \(token)") }
        if json != nil { all.append("Content-Type", "application/json") }
        return send(method, "/api/v1" + path, all, body: Array((json ?? "").utf8))
    }

    /// A change based on the present state: with the tag of a `GET`, where it has one.
    func change(_ method: HTTP.Method, _ path: String, _ json: String? = nil, as person: Person) -> Response {
        let tag = call(.get, path, as: person).headers["ETag"]
        return call(method, path, json, as: person, tag.map { ["If-Match": $0] } ?? [:])
    }

    /// The revision of a page, which its form sends.
    func revision(on page: String, as person: Person) -> (String, String) {
        let text = get(page, as: person).text
        let found = text.firstMatch(of: /name="revision" value="(\d+)"/)
        return ("revision", found.map { String($0.1) } ?? "")
    }

    // MARK: Questionnaires

    /// Publishes one of the shipped questionnaires and returns the version's id.
    @discardableResult
    func publish(_ key: String) throws -> String {
        let path = "\(Cast.root)/templates/instruments/\(key).json"
        return call(
            .post, "/questionnaires/import", try String(contentsOfFile: path, encoding: .utf8), as: .ada
        ).id
    }

    /// Lets a questionnaire ask for both sensors.
    func askForSensors(_ key: String) throws {
        var card = InstrumentCard()
        card.asksGPS = true
        card.asksMicrophone = true
        try services.records.writeUnaudited(.madeUp) { [card] in try InstrumentStore.save(card, of: key, $0) }
    }

    // MARK: What is there

    func count(_ table: StaticString) throws -> Int {
        let sql: SQL = "SELECT count(*) FROM \(sql: SQL(stringLiteral: table))"
        return try services.records.read { connection in try connection.count(sql) }
    }

    /// The names of everything the audit log holds, in order.
    func audit() throws -> [String] {
        try services.records.read { connection in
            try connection.all("SELECT action FROM audit_log ORDER BY id") { row in try row[0] }
        }
    }

    /// The same without visits.
    func changes() throws -> [String] { try audit().filter { $0 != "file.viewed" && $0 != "access.denied" } }

    /// The mails in the outbox, the oldest first.
    func mails() throws -> [String] {
        let outbox = services.settings.outboxPath
        let names = try FileManager.default.contentsOfDirectory(atPath: outbox).filter {
            $0.hasSuffix(".eml")
        }
        // By name: the disk's clock is too coarse for two in a row.
        return try names.sorted().map { try String(contentsOfFile: outbox + "/" + $0, encoding: .utf8) }
    }
}

extension Response {
    /// The bytes of a body that is made while it is sent.
    func streamed() throws -> [UInt8] {
        guard case .stream(let stream) = body else {
            Issue.record("\(status) is no stream")
            return []
        }
        var all = [UInt8]()
        var buffer = [UInt8](repeating: 0, count: 1000)
        while true {
            let count = try buffer.withUnsafeMutableBytes { try stream.read(into: $0) }
            if count == 0 { break }
            all += buffer.prefix(count)
        }
        #expect(all.count == stream.count)
        return all
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }
    /// The text without what is another in every page.
    var steady: String { text.replacing(/name="(?:form_token|shown\.[^"]*)" value="[^"]*"/, with: "") }
    var json: JSON { (try? JSON.parse(bytes)) ?? .null }
    /// The attributes of the one thing answered.
    var attributes: JSON { json["data"]?["attributes"] ?? .null }
    var id: String { json["data"]?["id"]?.string ?? "" }
    var list: [JSON] { json["data"]?.array ?? [] }
    /// The fields named by an error.
    var wrongFields: [String] {
        guard case .object(let members)? = json["errors"] else { return [] }
        return members.map(\.key)
    }
}
