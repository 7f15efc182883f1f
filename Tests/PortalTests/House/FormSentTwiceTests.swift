import Database
import Dispatch
import Foundation
import HTTP
import Records
import Synchronization
import Testing
import Wire

@testable import Portal
@testable import PortalTesting
@testable import Research
@testable import Web

/// RP-207: a form that arrives twice acts once.
@Suite struct FormSentTwiceTests {
    /// Forms that accounts send; the ids of others would protect no account.
    static let routes = Routes.all.list.filter {
        $0.surface == .portal && $0.method == .post && $0.rule != .anyone && $0.rule != .halfway
    }.map { "\($0.method.rawValue) \($0.pattern)" }

    /// Their first answer ends the session, so that the second is not signed in.
    private static let endsSession: Set<String> = [
        "POST /my/settings/deletion", "POST /profile/password", "POST /my/settings/password",
        "POST /patients/:patient/assignments/:assignment/tablet",
    ]

    /// Answered with a file, which is fetched as often as it is wanted; a backup is one that stays on the server.
    private static let files: Set<String> = [
        "POST /admin/audit-log/export", "POST /patients/table", "POST /my/settings/copy",
        "POST /admin/system/backups", "POST /studies/:study/compliance/table",
    ]

    /// Their samples come as far as a transaction that refuses.
    private static let refused: Set<String> = [
        "POST /studies/:study/state", "POST /admin/accounts/:account/closure",
    ]

    @Test(arguments: routes.filter { !WriteSamples.writesNothing.contains($0) && !files.contains($0) })
    func `RP-207 every form of every page acts once, sent twice at once`(name: String) throws {
        let route = try #require(Routes.all.list.first { "\($0.method.rawValue) \($0.pattern)" == name })
        guard let sample = WriteSamples.all[name] else { return }
        let once = try TestPortal()
        let answer = try form(of: sample, route, once)()
        let twice = try TestPortal()
        let both = Self.together(try form(of: sample, route, twice))
        once.services.exports.wait()
        twice.services.exports.wait()
        #expect((answer.status >= 400) == Self.refused.contains(name), "\(answer.status)")
        if answer.status >= 400 { return }
        let (rows, changes) = (try once.rows(), try once.changes().sorted())
        let rowsOfBoth = try twice.rows()
        // Of what is remembered for minutes there may be more: a form that came after the session had ended is kept for signing in again.
        // Several portals have it in a table.
        for table in rows.keys.sorted() where table != "short_memory" && rows[table] != rowsOfBoth[table] {
            Issue.record("\(table): \(rows[table] ?? 0) rows of one, \(rowsOfBoth[table] ?? 0) of two")
        }
        #expect(try changes == twice.changes().sorted())
        if Self.endsSession.contains(name) { return }
        if answer.status == 303 {
            #expect(both.map(\.status) == [303, 303])
            #expect(both[0].headers["Location"] == both[1].headers["Location"])
        } else if try once.count("sent_forms") > 0 {
            // A page is not kept: it may show a code or an address once.
            #expect(both.map(\.status).sorted() == [200, 409])
        }
    }

    /// The form of a sample as its page draws it, under the name of that page.
    private func form(of sample: WriteSample, _ route: Route, _ portal: TestPortal) throws
        -> @Sendable () -> Response
    {
        let stage = Stage(portal)
        let (address, fields) = try stage.form(sample, route)
        let person = sample.person(route)
        let token = portal.pageToken(of: person)
        return { portal.post(address, [token] + fields, as: person) }
    }

    private static func together(_ send: @Sendable () -> Response) -> [Response] {
        let answers = Mutex<[Response]>([])
        DispatchQueue.concurrentPerform(iterations: 2) { _ in
            let answer = send()
            answers.withLock { $0.append(answer) }
        }
        return answers.withLock { $0 }
    }

    // MARK: One after the other

    private func new(_ codename: String) -> [(String, String)] {
        [("codename", codename), ("note", "Anruf")]
    }

    @Test func `RP-207 the second answer leads where the first one led, and says so`() throws {
        let portal = try TestPortal()
        let token = portal.pageToken(of: .ada)
        let first = portal.post("/patients/new", [token] + new("C900001"), as: .ada)
        let second = portal.post("/patients/new", [token] + new("C900001"), as: .ada)
        #expect(first.status == 303 && second.status == 303)
        let place = try #require(first.headers["Location"])
        #expect(second.headers["Location"] == place)
        // The line of the first one was waiting still.
        #expect(!portal.get(place, as: .ada).text.contains("war schon angekommen"))
        _ = portal.post("/patients/new", [token] + new("C900001"), as: .ada)
        #expect(portal.get(place, as: .ada).text.contains("war schon angekommen"))
    }

    @Test func `RP-207 other content from the same page is asked about, with what the first one made`() throws
    {
        let portal = try TestPortal()
        let token = portal.pageToken(of: .ada)
        let first = portal.post("/patients/new", [token] + new("C900001"), as: .ada)
        let other = portal.post("/patients/new", [token] + new("C900002"), as: .ada)
        #expect(other.status == 409)
        let place = try #require(first.headers["Location"])
        #expect(other.text.contains(#"<a href="\#(place)""#) && other.text.contains(#"value="C900002""#))
        #expect(other.text.contains("<title>Fehler: "))
        #expect(!portal.get("/patients", as: .ada).text.contains("C900002"))
        // Sent from the page that asks, it is another form.
        let again = try #require(other.text.firstMatch(of: /name="form_token" value="([^"]+)"/)).output.1
        let made = portal.post("/patients/new", [("form_token", String(again))] + new("C900002"), as: .ada)
        #expect(made.status == 303)
        #expect(portal.get("/patients", as: .ada).text.contains("C900002"))
    }

    @Test func `RP-207 a form without fields is asked about with a button`() throws {
        let portal = try TestPortal()
        let token = portal.pageToken(of: .ada)
        let path = "/patients/\(portal.cast.therapies[.pia] ?? "")/dailies"
        #expect(portal.post(path, [token, ("dailies", "false")], as: .ada).status == 303)
        let other = portal.post(path, [token, ("dailies", "true")], as: .ada)
        #expect(other.status == 409)
        let again = try #require(FilledForm.read(other.text, action: path))
        #expect(again.fields.contains { $0 == ("dailies", "true") } && other.text.contains("Trotzdem senden"))
    }

    @Test func `RP-207 an answer that cannot be noted is told in the log, and the form is done`() throws {
        let portal = try TestPortal()
        let token = portal.pageToken(of: .ada)
        try portal.refuse("UPDATE", on: "sent_forms")
        #expect(portal.post("/patients/new", [token] + new("C900001"), as: .ada).status == 303)
        let lines = portal.logged.filter { $0.contains("answer to a form not noted") }
        #expect(
            lines.count == 1 && lines.allSatisfy { $0.contains(#""level":"warning""#) }, "\(portal.logged)")
        #expect(portal.post("/patients/new", [token] + new("C900001"), as: .ada).status == 409)
    }

    @Test func `RP-207 of many copies of a slow form a few wait, and the last of them is answered`() {
        let turns = Turns()
        let isUnderWay = DispatchSemaphore(value: 0)
        let goesOn = DispatchSemaphore(value: 0)
        let answers = Mutex<[Int: Bool]>([:])
        let all = DispatchGroup()
        let send: @Sendable (Int) -> Void = { copy in
            var isDone = true
            do {
                try turns.take("form") {
                    guard copy == 0 else { return }
                    isUnderWay.signal()
                    goesOn.wait()
                }
            } catch { isDone = false }
            answers.withLock { [isDone] in $0[copy] = isDone }
        }
        let begin: (Int) -> Void = { copy in
            all.enter()
            Thread.detachNewThread {
                send(copy)
                all.leave()
            }
        }
        begin(0)
        isUnderWay.wait()
        let copies = Turns.most + 4
        for copy in 1...copies {
            begin(copy)
            while turns.waitingCount("form") + answers.withLock({ $0.count }) < copy { usleep(1000) }
        }
        #expect(answers.withLock { $0 } == [1: false, 2: false, 3: false, 4: false])
        goesOn.signal()
        all.wait()
        let done = answers.withLock { $0.filter(\.value).keys.sorted() }
        #expect(done == [0] + Array(5...copies))
        // Nothing is left of the name.
        #expect(turns.waitingCount("form") == 0 && (try? turns.take("form") { 1 }) == 1)
    }

    @Test func `RP-207 what is refused may be sent again from the same page`() throws {
        let portal = try TestPortal()
        let token = portal.pageToken(of: .ada)
        #expect(portal.post("/patients/new", [token] + new("nein"), as: .ada).status == 422)
        #expect(try portal.count("sent_forms") == 0)
        #expect(portal.post("/patients/new", [token] + new("C900001"), as: .ada).status == 303)
    }

    @Test func `RP-207 another account's form and another form of the page are others`() throws {
        let portal = try TestPortal()
        let (ada, ben) = (portal.pageToken(of: .ada), portal.pageToken(of: .ben))
        // The same name of a page under another account's token.
        let page = try #require(ada.1.split(separator: ".").last)
        let mixed = (ben.0, "\(ben.1.split(separator: ".")[0]).\(page)")
        #expect(portal.post("/patients/new", [ada, ("note", "")], as: .ada).status == 303)
        let other = portal.post("/patients/new", [mixed, ("note", "")], as: .ben)
        #expect(other.status == 303)
        #expect(try portal.count("sent_forms") == 2)
        #expect(
            portal.post("/pauses", [ada, ("starts_on", "2027-06-01"), ("ends_on", "2027-06-05")], as: .ada)
                .status == 303)
        #expect(try portal.count("sent_forms") == 3)
    }

    @Test
    func `RP-207 an address that is shown once is kept nowhere, and the second form says where to look`()
        throws
    {
        let portal = try TestPortal()
        let token = portal.pageToken(of: .ada)
        let path = "/patients/\(portal.cast.therapies[.pia] ?? "")/assignments/\(portal.cast.assignment)/link"
        let first = portal.post(path, [token], as: .ada)
        let address = try #require(first.text.firstMatch(of: /\/q\/[A-Za-z0-9_-]{20,}/)).output
        let second = portal.post(path, [token], as: .ada)
        #expect(second.status == 409 && !second.text.contains(address))
        #expect(second.text.contains("war schon angekommen") && second.text.contains(#"href="\#(path)""#))
        let kept = try portal.services.records.read { connection in
            try connection.count("SELECT count(*) FROM sent_forms WHERE answer IS NULL")
        }
        #expect(kept == 1)
    }

    @Test func `RP-207 a form is known for two days, and gone after them`() throws {
        let portal = try TestPortal()
        let token = portal.pageToken(of: .ada)
        _ = portal.post("/patients/new", [token] + new("C900001"), as: .ada)
        try portal.wait(awake: 1)
        Housekeeping.run(portal.services)
        #expect(portal.post("/patients/new", [token] + new("C900001"), as: .ada).status == 303)
        try portal.wait(awake: 1)
        Housekeeping.run(portal.services)
        #expect(try portal.count("sent_forms") == 0)
    }

    @Test func `RP-207 only a page that is drawn to be looked at has a name`() throws {
        let portal = try TestPortal()
        func token(_ headers: Headers) throws -> String {
            let page = portal.get("/my/more", as: .pia, headers).text
            return String(try #require(page.firstMatch(of: /name="form_token" value="([^"]+)"/)).output.1)
        }
        let seen = try token([:])
        #expect(
            try Keyring.page(ofToken: seen) != nil
                && Keyring.page(ofToken: token([:])) != Keyring.page(ofToken: seen))
        // A kept page is sent on many days, and a script says itself what it sends again.
        #expect(try Keyring.page(ofToken: token(["X-Purpose": "keep"])) == nil)
        let path = "/my/interventions/\(portal.cast.intervention)/completion"
        _ = portal.post(path, [("form_token", seen)], as: .pia, ["Accept": "application/json"])
        #expect(try portal.count("sent_forms") == 0)
    }

    @Test func `RP-207 a series of ten sessions sent three times at once is ten sessions`() throws {
        let portal = try TestPortal()
        let pia = "/patients/\(portal.cast.therapies[.pia] ?? "")"
        let token = portal.pageToken(of: .ada)
        let before = try portal.count("therapy_sessions")
        DispatchQueue.concurrentPerform(iterations: 3) { _ in
            let answer = portal.post(
                pia + "/sessions/new",
                [
                    token, ("starts_at", "2026-12-01T10:00"), ("ends_at", "2026-12-01T10:50"),
                    ("repeat_weeks", "1"), ("repeat_count", "10"),
                ], as: .ada)
            #expect(answer.status == 303, "\(answer.text.prefix(2_000))")
        }
        #expect(try portal.count("therapy_sessions") == before + 10)
    }
}

extension TestPortal {
    /// The token that the forms of a page have which was drawn for a person.
    func pageToken(of person: Person) -> (String, String) {
        ("form_token", services.keys.pageToken(for: cast.sessions[person] ?? TestPortal.anonymous))
    }

    /// How many rows each table has.
    func rows() throws -> [String: Int] { try everything().mapValues(\.count) }
}
