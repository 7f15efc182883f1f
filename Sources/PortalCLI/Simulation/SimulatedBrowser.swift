import Foundation
import PortalClient
import Wire

/// A simulated person's browser on an own device (PW-6): signed in by a cookie, it keeps a plan of two weeks with its
/// forms, and sends whole forms from an outbox, as the scripts of the pages do.
actor SimulatedBrowser {
    /// A fillable questionnaire of the plan.
    struct Entry: Decodable, Sendable {
        let key: String
        let version: String
        let from: Int64
        let due: Int64?
        let target: [String: String]
        let isAsked: Bool
    }

    /// A questionnaire of the plan with a button.
    struct Button: Decodable, Sendable {
        let item: String
        let version: String?
    }

    struct Plan: Decodable {
        let formToken: String
        let zone: String
        var entries: [Entry]
        let buttons: [Button]
    }

    struct Unsent: Sendable {
        let id: String
        var path = "/my/offline/sheets"
        let fields: [(String, String)]
    }

    private struct Told: Decodable { let state: String? }

    private let address: URL
    private let weather: Weather
    private let time: SimulatedTime
    private let skew: Int64
    private let credentials: (email: String, password: String)
    private var cookie: String?
    private(set) var plan: Plan?
    /// The field names of every kept form, by version.
    private(set) var forms: [String: Set<String>] = [:]
    var outbox: [Unsent] = []
    /// Refused sheets with their status, which the person has read.
    private(set) var refusals: [String: Int] = [:]
    private var awayUntil = Instant(milliseconds: 0)

    init(
        _ address: URL, _ time: SimulatedTime, _ weather: Weather, skew: Int64,
        credentials: (email: String, password: String)
    ) {
        self.address = address
        self.time = time
        self.weather = weather
        self.skew = skew
        self.credentials = credentials
    }

    var now: Instant { time.now.adding(seconds: skew) }
    var waiting: Int { outbox.count }
    func goOffline(until: Instant) { awayUntil = max(awayUntil, until) }
    func comeBack() { awayUntil = Instant(milliseconds: 0) }

    // MARK: The network

    private func send(_ method: String, _ path: String, _ fields: [(String, String)]? = nil) async
        -> ServerReply?
    {
        guard awayUntil <= time.now, let url = URL(string: path, relativeTo: address)?.absoluteURL else {
            return nil
        }
        var ask = Ask(method: method, url: url, headers: ["Accept": "application/json"])
        if let cookie { ask.headers["Cookie"] = cookie }
        if let fields {
            ask.headers["Content-Type"] = "application/x-www-form-urlencoded"
            ask.body = Data(
                fields.map { "\(Self.encoded($0))=\(Self.encoded($1))" }.joined(separator: "&").utf8)
        }
        let reply = try? await weather.send(ask)
        if let set = reply?.headers["set-cookie"]?.split(separator: ";").first { cookie = String(set) }
        return reply
    }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    /// By the sign-in page, and staying signed in.
    private func signIn() async -> Bool {
        guard let page = await send("GET", "/login"), page.status == 200,
            let token = String(decoding: page.body, as: UTF8.self)
                .firstMatch(of: /name="form_token" value="([^"]+)"/)
        else { return false }
        let reply = await send(
            "POST", "/login",
            [
                ("form_token", String(token.1)), ("email", credentials.email),
                ("password", credentials.password), ("stay_signed_in", "true"),
            ])
        return reply?.status == 303
    }

    /// Fetches the plan, and its forms that are not kept yet; signs in when that has ended.
    private func refresh() async {
        var reply = await send("GET", "/my/offline/plan")
        if reply?.status == 401, await signIn() { reply = await send("GET", "/my/offline/plan") }
        guard let reply, reply.status == 200,
            let fresh = try? JSONDecoder().decode(Plan.self, from: reply.body)
        else { return }
        plan = fresh
        let versions = fresh.entries.map(\.version) + fresh.buttons.compactMap(\.version)
        for version in Set(versions) where forms[version] == nil {
            guard let page = await send("GET", "/my/offline/forms/\(version)"), page.status == 200 else {
                continue
            }
            let text = String(decoding: page.body, as: UTF8.self)
            forms[version] = Set(text.matches(of: /name="answers\.([^"]+)"/).map { String($0.1) })
        }
    }

    // MARK: Actions

    /// Open questionnaires by the clock of this device that are not filled in here.
    func open() async -> [Entry] {
        await synchronise()
        let milliseconds = now.milliseconds
        return (plan?.entries ?? []).filter { entry in
            entry.isAsked && entry.from <= milliseconds && milliseconds <= entry.due ?? .max
                && forms[entry.version] != nil
        }
    }

    /// Puts a filled-in form into the outbox; it is not asked here again.
    /// - Returns: the sheet's id.
    func fillIn(_ entry: Entry, _ answers: Answers) -> String {
        let id = UUID().uuidString.lowercased()
        let at = now.text
        let given = answers.filter { forms[entry.version]?.contains($0.key) == true }
        var fields = [
            ("id", id), ("version", entry.version), ("started_at", now.adding(seconds: -20).text),
            ("completed_at", at), ("timezone", plan?.zone ?? "Europe/Vienna"), ("action", "send"),
        ]
        fields += entry.target.map { ($0.key, $0.value) }
        for (key, answer) in given {
            fields.append(("at.\(key)", at))
            fields += Self.values(answer).map { ("answers.\(key)", $0) }
        }
        outbox.append(Unsent(id: id, fields: fields))
        plan?.entries.removeAll { $0.key == entry.key }
        return id
    }

    private static func values(_ answer: Answer) -> [String] {
        let words = { (number: Double) in number == number.rounded() ? String(Int(number)) : String(number) }
        return switch answer {
        case .number(let number): [words(number)]
        case .numbers(let numbers): numbers.map(words)
        case .text(let text): [text]
        }
    }

    /// Sends the outbox in its order, and fetches news.
    func synchronise() async {
        await flush()
        await refresh()
        // Filled-in questionnaires that have not arrived are not asked again.
        let sent = Set(outbox.flatMap { sheet in sheet.fields.filter { $0.0 == "assignment" }.map(\.1) })
        plan?.entries.removeAll { sent.contains($0.key) }
    }

    private func flush() async {
        if plan == nil { await refresh() }
        var isFresh = false
        while let sheet = outbox.first, let token = plan?.formToken {
            guard let reply = await send("POST", sheet.path, [("form_token", token)] + sheet.fields)
            else { return }
            switch reply.status {
            case 200:
                // Only the server's own answers count: a proxy may have answered in its place.
                guard (try? JSONDecoder().decode(Told.self, from: reply.body))?.state == "taken" else {
                    return
                }
                remove(sheet)
            case 401 where !isFresh, 403 where !isFresh:
                isFresh = true
                await refresh()
            case 401, 429, 500...: return
            default:
                refusals[sheet.id] = reply.status
                remove(sheet)
            }
        }
    }

    /// Another tab may have sent the same meanwhile.
    private func remove(_ sheet: Unsent) { outbox.removeAll { $0.id == sheet.id } }
}
