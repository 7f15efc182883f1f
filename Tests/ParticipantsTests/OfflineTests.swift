import Database
import HTTP
import JSON
import Records
import Testing
import Wire

@testable import PortalTesting
@testable import Web

/// PW-2, PW-4, PW-6: what a browser is given to go on without a network, and what becomes of what it sends afterwards.
@Suite struct OfflineTests {
    let portal: TestPortal
    private static let json: Headers = ["Accept": "application/json"]
    private static let sheet = "5d8e2c44-52b0-4a4c-8a5e-7d3d1f0a9b77"
    private static let answers = [
        "came_back", "hard_moment", "dream", "inner_talk", "tried_out", "looked_ahead", "lighter", "heavier",
    ]

    /// On devices of their own, where they stay signed in.
    init() throws {
        portal = try TestPortal()
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            _ = try connection.run(
                "UPDATE credentials SET stays_until = 4000000000000 WHERE kind = 'session'")
        }
    }

    private func plan(_ person: Person = .pia) throws -> JSON {
        let answer = portal.get("/my/offline/plan", as: person, Self.json)
        #expect(answer.status == 200, "\(answer.text)")
        return try JSON.parse(answer.bytes)
    }

    private func entry() throws -> JSON {
        let all = try plan()["entries"]?.array ?? []
        return try #require(all.first { $0["key"]?.string == portal.cast.assignment })
    }

    private func send(_ more: [(String, String)], as person: Person = .pia) -> Response {
        portal.post("/my/offline/sheets", more, as: person, Self.json)
    }

    private func fields(action: String = "send", at: Instant? = nil, id: String = sheet) -> [(String, String)]
    {
        let now = (at ?? portal.now).text
        return [
            ("id", id), ("version", portal.cast.questionnaire), ("assignment", portal.cast.assignment),
            ("started_at", now),
            ("completed_at", now), ("timezone", "Europe/Vienna"), ("action", action),
        ] + Self.answers.flatMap { [("answers.\($0)", "2"), ("at.\($0)", now)] }
    }

    private var sheets: Int { portal.call(.get, "/my/contributions?limit=200", as: .pia).list.count }

    // MARK: What is given

    @Test func `PW-4 the worker, the manifest and the modules are there for everybody, and name nobody`()
        throws
    {
        let worker = portal.send(.get, "/my/worker.js")
        #expect(worker.status == 200 && worker.headers["Service-Worker-Allowed"] == "/my")
        #expect(worker.headers["Cache-Control"] == "no-cache")
        let files = worker.text.matches(of: /"(\/assets\/[^"]+)"/).map { String($0.1) }
        #expect(files.count > 15)
        for file in files { #expect(portal.send(.get, file).status == 200, "\(file)") }
        #expect(
            portal.send(.get, "/assets/own/older/main.js").headers["Cache-Control"]
                != "public, max-age=31536000, immutable")
        #expect(portal.send(.get, "/assets/own/older/nothing.js").status == 404)
        let manifest = try JSON.parse(portal.send(.get, "/my/manifest.json").bytes)
        #expect(manifest["scope"]?.string == "/my" && manifest["display"]?.string == "standalone")
        for icon in manifest["icons"]?.array ?? [] {
            #expect(portal.send(.get, icon["src"]?.string ?? "").headers["Content-Type"] == "image/png")
        }
    }

    @Test
    func `PW-6 the plan has what is open and coming for two weeks, dailies of both, and no other person's`()
        throws
    {
        try portal.publish("intersession-daily")
        let plan = try plan()
        let entries = plan["entries"]?.array ?? []
        let asked = try entry()
        #expect(asked["path"]?.string == "/my/assignments/\(portal.cast.assignment)")
        #expect(asked["target"]?["assignment"]?.string == portal.cast.assignment)
        let latest = entries.compactMap { $0["from"]?.number }.max() ?? 0
        let end = Double(portal.now.adding(days: 14).milliseconds)
        #expect(latest > end - 86_400_000 && latest <= end + 86_400_000)
        let later = entries.filter { $0["path"]?.string?.hasPrefix("/my/offline?entry=") == true }
        #expect(later.count == 21, "\(later.count)")
        #expect(Set(entries.compactMap { $0["key"]?.string }).count == entries.count)
        #expect(try self.plan(.quinn)["account"] != plan["account"])
        #expect(!portal.get("/my/offline/plan", as: .quinn, Self.json).text.contains(portal.cast.assignment))
        #expect(portal.get("/my/offline/plan", as: .nobody, Self.json).status == 401)
        #expect(portal.get("/my/offline/plan", as: .ada, Self.json).status == 403)
        // Of one's own pages all that stand in it are there.
        for page in plan["pages"]?.array ?? [] {
            #expect(portal.get(page.string ?? "", as: .pia).status == 200, "\(page)")
        }
    }

    @Test func `PW-6 where somebody does not stay signed in there is nothing to keep`() throws {
        let own = try plan()["shell"]?.array ?? []
        #expect(own.count == 3)
        let page = portal.get("/my", as: .pia).text
        for address in own { #expect(page.contains("\"\(address.string ?? "?")\"")) }
        #expect(try plan()["notice"]?["title"]?.string == "Erinnerung")
        let elsewhere = try TestPortal().get("/my/offline/plan", as: .pia, Self.json)
        #expect(elsewhere.status == 409)
        #expect(elsewhere.json["code"]?.string == "not_own_device")
    }

    @Test func `PW-6 a whole form is given for what is asked, and for nothing else`() throws {
        let version = try #require(try entry()["version"]?.string)
        let page = portal.get("/my/offline/forms/\(version)", as: .pia)
        #expect(page.status == 200)
        for answer in Self.answers { #expect(page.text.contains("name=\"answers.\(answer)\"")) }
        #expect(!page.text.contains(portal.cast.assignment))
        #expect(portal.get("/my/offline/forms/\(version)", as: .nora).status == 404)
        #expect(portal.get("/my/offline/forms/\(Self.sheet)", as: .pia).status == 404)
    }

    // MARK: What is sent

    @Test func `PW-6 a sheet arrives once, however often it is sent`() throws {
        let before = sheets
        for _ in 0..<3 {
            let answer = send(fields())
            #expect(answer.status == 200, "\(answer.text)")
            let path = try JSON.parse(answer.bytes)["path"]?.string ?? ""
            #expect(portal.get(path, as: .pia).status == 200, "\(path)")
        }
        #expect(sheets == before + 1)
        // The same name for other answers is no second sheet.
        let other = fields().map { $0.0 == "answers.dream" ? ($0.0, "0") : $0 }
        #expect((400..<500).contains(send(other).status) && sheets == before + 1)
    }

    @Test func `IO-10 in time and sent late counts, too late is refused in words, and nothing is kept twice`()
        throws
    {
        let before = sheets
        let due = try #require(try entry()["due"]?.number)
        let late = portal.now.adding(seconds: 60)
        portal.wait(seconds: Int64(due / 1000) - portal.now.seconds + 86_400)
        try portal.wait(awake: 0)
        let over = send(fields(at: Instant(milliseconds: Int64(due) + 3_600_000)))
        #expect(over.status == 422 || over.status == 409, "\(over.text)")
        #expect(try JSON.parse(over.bytes)["message"]?.string?.isEmpty == false)
        #expect(sheets == before)
        #expect(send(fields(at: late)).status == 200)
        #expect(sheets == before + 1)
    }

    @Test func `TYT-3 a draft of the device is merged item by item, and told back`() throws {
        let early = portal.now.adding(seconds: -60)
        let kept = send(fields(action: "keep", at: early))
        #expect(kept.status == 200, "\(kept.text)")
        let path = "/my/drafts/\(portal.cast.assignment)"
        let app = #"{"answers": {"dream": 4}, "answered_at": {"dream": "\#(portal.now.text)"}}"#
        let saved = portal.change(.put, path, app, as: .pia)
        #expect(saved.status == 200 || saved.status == 201, "\(saved.text)")
        // An older word of the device does not undo the app's.
        let again = send(fields(action: "keep", at: early))
        let draft = try JSON.parse(again.bytes)["draft"]
        #expect(draft?["answers"]?["dream"]?.number == 4 && draft?["answers"]?["lighter"]?.number == 2)
        #expect(try entry()["draft"]?["answers"]?["dream"]?.number == 4)
    }

    @Test(arguments: [-365 * 86_400, -3_600, 0, 600, 3_600])
    func `RP-109 of two devices the later answer counts, however wrong the clock of one is`(_ ahead: Int64)
        throws
    {
        let keep = { (moment: Instant) -> JSON? in
            let clock = { (moment: Instant) in moment.adding(seconds: ahead) }
            let kept = send(
                fields(action: "keep", at: clock(moment)) + [("sent_at", clock(portal.now).text)])
            return try JSON.parse(kept.bytes)["draft"]
        }
        _ = try keep(portal.now.adding(seconds: -300))
        let app =
            #"{"answers": {"dream": 4}, "answered_at": {"dream": "\#(portal.now.adding(seconds: -60).text)"}}"#
        #expect(portal.change(.put, "/my/drafts/\(portal.cast.assignment)", app, as: .pia).status == 200)
        // Its older word again, as it is told by being looked at; and a newer one.
        #expect(try keep(portal.now.adding(seconds: -120))?["answers"]?["dream"]?.number == 4)
        #expect(try keep(portal.now.adding(seconds: -10))?["answers"]?["dream"]?.number == 2)
    }

    @Test func `PW-6 what is not theirs, no form, or closed is refused with the reason`() throws {
        #expect(send(fields(), as: .quinn).status == 404)
        #expect(send(fields(), as: .nobody).status == 401)
        #expect(send(fields().filter { $0.0 != "assignment" }).status == 404)
        #expect(send(fields().filter { $0.0 != "id" }).status == 422)
        #expect(send(fields().map { $0.0 == "version" ? ($0.0, Self.sheet) : $0 }).status == 404)
        #expect(send(fields().filter { $0.0 != "completed_at" }).status == 422)
        #expect(send(fields()).status == 200)
        let closed = send(fields(action: "keep", id: "5d8e2c44-52b0-4a4c-8a5e-7d3d1f0a9b78"))
        #expect(closed.status == 409 && closed.text.contains("schon gesendet"))
        // Without the form's token nothing is looked at.
        let foreign = portal.send(
            .post, "/my/offline/sheets",
            ["Cookie": "sid=\(portal.cast.sessions[.pia] ?? "")", "Accept": "application/json"])
        #expect(foreign.status == 403)
    }

    @Test func `PW-6 a daily of a week that nobody had planned is taken once that week has come`() throws {
        try portal.publish("intersession-daily")
        let all = try plan()["entries"]?.array ?? []
        let daily = try #require(all.first { $0["target"]?["daily_from"] != nil })
        let from = try #require(daily["target"]?["daily_from"]?.string)
        let due = try #require(daily["target"]?["daily_due"]?.string)
        let opens = try #require(Instant(from))
        let version = try #require(daily["version"]?.string)
        let page = portal.get("/my/offline/forms/\(version)", as: .pia).text
        let names = Set(page.matches(of: /name="answers\.([a-z_]+)"/).map { String($0.1) })
        portal.wait(seconds: opens.seconds - portal.now.seconds + 600)
        try portal.wait(awake: 0)
        let at = portal.now.text
        let sent = send(
            [
                ("id", Self.sheet), ("version", version), ("daily_from", from), ("daily_due", due),
                ("started_at", at),
                ("completed_at", at), ("timezone", "Europe/Vienna"), ("action", "send"),
            ] + names.map { ("answers.\($0)", "1") })
        #expect(sent.status == 200, "\(sent.text)")
        #expect(portal.call(.get, "/my/contributions/\(Self.sheet)", as: .pia).status == 200)
    }

    @Test func `IO-10 a prompt of a study that was answered in time is taken a week later`() throws {
        try portal.publish("wellbeing-5")
        let desk = StudyDesk(portal: portal)
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study, StudyDesk.daily("14:00"))
        #expect(desk.enrol(.nora, in: study).status == 201)
        let prompts = (try plan(.nora)["entries"]?.array ?? []).filter { $0["isAsked"] == .bool(true) }
        #expect((13...15).contains(prompts.count), "\(prompts.count)")
        let prompt = prompts[3]
        let at = Instant(milliseconds: Int64(prompt["from"]?.number ?? 0) + 60_000).text
        portal.wait(days: 12)
        try portal.wait(awake: 0)
        let names = ["enjoyed", "calm", "energy", "slept", "company"]
        let fields = [
            ("id", Self.sheet), ("version", prompt["version"]?.string ?? ""),
            ("assignment", prompt["target"]?["assignment"]?.string ?? ""), ("started_at", at),
            ("completed_at", at),
            ("timezone", "Europe/Vienna"), ("action", "send"),
        ]
        let sent = send(fields + names.map { ("answers.\($0)", "3") }, as: .nora)
        #expect(sent.status == 200, "\(sent.text)")
        let path = try JSON.parse(sent.bytes)["path"]?.string ?? ""
        #expect(portal.get(path, as: .nora).status == 200, "\(path)")
    }

    // MARK: Words on their way

    @Test func `PW-7 a vault passes through pages as through the API, and has no field for words`() throws {
        let path = "/my/words/vault"
        #expect(try JSON.parse(portal.get(path, as: .pia, Self.json).bytes)["revision"]?.number == 0)
        #expect(
            portal.post(path, [("ciphertext", "AgEC"), ("revision", "0")], as: .pia, Self.json).status == 200)
        #expect(portal.call(.get, "/my/vault", as: .pia).attributes["ciphertext"] == .string("AgEC"))
        let stale = portal.post(path, [("ciphertext", "AwEC"), ("revision", "0")], as: .pia, Self.json)
        #expect(stale.status == 412)
        let words = portal.post(
            path, [("ciphertext", "AwEC"), ("revision", "1"), ("text", "lesbar")], as: .pia, Self.json)
        #expect(words.status == 422 && !words.text.contains("lesbar"))
        #expect(
            portal.post(path, [("ciphertext", "!"), ("revision", "1")], as: .pia, Self.json).status == 422)
        #expect(portal.get(path, as: .nora, Self.json).status == 403)
        #expect(portal.get("/my/words", as: .nora).status == 200)
    }
}
