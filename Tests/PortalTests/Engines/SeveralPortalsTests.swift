import Database
import Foundation
import HTTP
import JSON
import Synchronization
import Testing
import Wire
import Wording

@testable import EngineTesting
@testable import Identity
@testable import Portal
@testable import PortalTesting
@testable import Records
@testable import Research
@testable import Web

/// Two portals on one database and one folder: what one of them was told the other one knows.
@Suite(.onPostgreSQL) struct SeveralPortalsTests {
    private let one: TestPortal
    private let other: TestPortal

    init() throws {
        one = try TestPortal()
        other = try TestPortal(beside: one)
    }

    private func login(_ portal: TestPortal, _ password: String) -> Response {
        let body = #"{"email": "pia@example.org", "password": "\#(password)", "device_name": "Telefon"}"#
        return portal.call(.post, "/auth/login", body)
    }

    /// Waits for news: they come soon, but not at once.
    private func soon(_ isThere: () throws -> Bool) rethrows -> Bool {
        for _ in 0..<500 {
            if try isThere() { return true }
            usleep(20_000)
        }
        return false
    }

    @Test func `C4 wrong passwords count together, and a right one forgives them everywhere`() throws {
        for index in 0..<10 {
            #expect(login(index % 2 == 0 ? one : other, "wrong horse battery").status == 401)
        }
        let refused = login(other, Cast.password)
        #expect(refused.status == 429 && login(one, Cast.password).status == 429)
        one.wait(seconds: try #require(refused.headers["Retry-After"].flatMap { Int64($0) }))
        #expect(login(other, Cast.password).status == 200)
        for _ in 0..<10 { #expect(login(one, "wrong horse battery").status == 401) }
    }

    @Test func `RP-205 a browser that signed in here is known there, and strangers' tries count together`()
        throws
    {
        let browser = Browser(one)
        #expect(browser.signIn("pia@example.org").status == 303)
        let id = try #require(browser.value(of: "known"))
        let key = one.services.keys.lookup(email: "pia@example.org")
        for index in 0..<50 {
            let portal = index % 2 == 0 ? one : other
            try portal.services.logins.begin(key, from: .address("198.51.100.\(index)"), now: one.now)
        }
        #expect(throws: Problem.self) {
            try other.services.logins.begin(key, from: .address("198.51.100.99"), now: other.now)
        }
        let there = Browser(other)
        there.keep("known", id)
        for _ in 0..<10 { #expect(there.signIn("pia@example.org", "wrong horse battery").status == 422) }
        #expect(there.signIn("pia@example.org").status == 429)
        other.wait(seconds: 2)
        #expect(there.signIn("pia@example.org").status == 303)
    }

    @Test func `wrong pairing codes count together`() {
        let body = #"{"code": "12345678", "birth_date": "1990-01-01", "gender": "female"}"#
        let enter = { (portal: TestPortal) in portal.call(.post, "/my/pairing", body, as: .nora).status }
        let wrong = (0..<10).map { enter($0 % 2 == 0 ? one : other) }
        #expect(Set(wrong) == [404])
        #expect(enter(one) == 429 && enter(other) == 429)
    }

    @Test func `what one remembers for a browser, the other one shows once`() throws {
        let now = one.now
        try one.services.slips.put(["ABCD-EFGH"], for: "s", now: now)
        try #expect(other.services.slips.read("s", now: now) == ["ABCD-EFGH"])
        try one.services.flashes.put(Flash(Message("a"), undo: nil, now: now), for: "s", now: now)
        try #expect(other.services.flashes.take(for: "s", now: now)?.message == Message("a"))
        try #expect(one.services.flashes.take(for: "s", now: now) == nil)
    }

    @Test func `what is remembered lies sealed, under names that disclose nothing, and goes when it is over`()
        throws
    {
        try one.services.slips.put(["ABCD-EFGH"], for: "lena", now: one.now)
        let rows: [(String, [UInt8])] = try one.services.records.read { connection in
            try connection.all("SELECT name, value FROM short_memory") { (try $0[0], try $0[1]) }
        }
        #expect(rows.count == 1)
        for (name, value) in rows {
            #expect(!name.contains("lena") && !String(decoding: value, as: UTF8.self).contains("ABCD"))
        }
        one.wait(seconds: 601)
        try #expect(other.services.slips.read("lena", now: one.now) == nil)
        Housekeeping.run(one.services)
        try #expect(one.services.records.read { try $0.count("SELECT count(*) FROM short_memory") } == 0)
    }

    @Test func `a form that one gave out is undone by the other one, once`() throws {
        let pia = "/patients/\(one.cast.therapies[.pia]?.text ?? "")"
        let path = "\(pia)/assignments/\(one.cast.assignment)"
        let way = try #require(one.call(.delete, path, as: .ada).headers["Undo"])
        #expect(other.call(.post, way, as: .ada).status == 204)
        #expect(one.call(.post, way, as: .ada).status == 410)
    }

    @Test func `RP-207 a form that reaches both at once acts once`() throws {
        let form = [one.pageToken(of: .ada), ("codename", "C900001"), ("note", "Anruf")]
        let before = try one.count("therapies")
        let answers = Mutex<[Response]>([])
        DispatchQueue.concurrentPerform(iterations: 2) { number in
            let answer = (number == 0 ? one : other).post("/patients/new", form, as: .ada)
            answers.withLock { $0.append(answer) }
        }
        let both = answers.withLock { $0 }
        #expect(both.map(\.status) == [303, 303])
        #expect(both[0].headers["Location"] == both[1].headers["Location"])
        #expect(try one.count("therapies") == before + 1)
    }

    /// As a standby is, and as a primary that has become one.
    @Test func `a database that only reads is 503 with Retry-After, until it takes writes again`() throws {
        let place = one.services.settings.database
        guard case .server(let address) = place else { return }
        let change = { (portal: TestPortal) in
            portal.change(.patch, "/my/profile", #"{"language": "en"}"#, as: .pia)
        }
        #expect(change(one).status == 200)
        let set = "ALTER DATABASE \(TestEngine.name(of: place)) SET default_transaction_read_only"
        try TestEngine.command("\(set) = on")
        let any = address + (address.contains("?") ? "&" : "?") + "target_session_attrs=any"
        try TestEngine.endSessions(.server(any))
        for portal in [one, other] {
            let refused = change(portal)
            #expect(refused.status == 503 && refused.headers["Retry-After"] == "30", "\(refused.text)")
        }
        try TestEngine.command("\(set) = off")
        for portal in [one, other] { #expect(change(portal).status == 200) }
    }

    @Test func `an export that was begun here is fetched there, once`() throws {
        let study = one.cast.study
        let form = [("format", "csv"), ("password", Cast.password)]
        let page = try #require(one.post("/studies/\(study)/export", form, as: .lena).headers["Location"])
        one.services.exports.wait()
        #expect(other.get(page, as: .lena).text.contains(page + "/file"))
        let file = other.get(page + "/file", as: .lena)
        #expect(file.status == 200)
        #expect(String(decoding: try file.streamed(), as: UTF8.self).contains("participant"))
        #expect(one.get(page + "/file", as: .lena).status == 410)
        #expect(other.get(page + "/file", as: .lena).status == 410)
    }

    @Test func `an export of a portal that has ended is no page that waits for ever`() throws {
        let id: ID<ExportJobs.Job> = "01900000-0000-7000-8000-000000000001"
        let file = try one.services.exports.newFile(id)
        let lead = try #require(one.cast.accounts[.lena])
        let job = ExportJobs.Job(
            study: ID(one.cast.study), lead: lead, format: .csv, file: file, at: one.now)
        try one.services.memory.change("export \(id)", now: one.now) { $0 = job }
        let page = "/studies/\(one.cast.study)/exports/\(id)"
        #expect(other.get(page, as: .lena).text.contains("http-equiv"))
        one.wait(seconds: 601)
        let after = other.get(page, as: .lena)
        #expect(after.status == 200 && !after.text.contains("http-equiv"))
    }

    @Test func `PR-23 settings that were changed here are in force there`() throws {
        let name = "Ambulanz am Hafen"
        #expect(one.call(.put, "/settings", #"{"name": "\#(name)"}"#, as: .uma).status == 200)
        #expect(soon { other.services.clinic.now.record.name == name })
    }

    @Test func `one of them leads, and another one takes over when it ends`() throws {
        let first = one.services.leads
        #expect(first && !other.services.leads && one.services.leads)
        one.services.close()
        #expect(soon { other.services.leads })
    }

    @Test func `a visit that both saw is one line of the trail`() throws {
        let pia = "/patients/\(one.cast.therapies[.pia]?.text ?? "")"
        let before = try one.audit().count { $0.hasPrefix("file.viewed") }
        for portal in [one, other, one, other] { #expect(portal.get(pia, as: .ada).status == 200) }
        try #expect(one.audit().count { $0.hasPrefix("file.viewed") } == before + 1)
    }

    @Test func `a mail that both send at once goes once`() async throws {
        let account = try #require(one.cast.accounts[.ada])
        try one.services.records.writeUnaudited(.madeUp) {
            [services = one.services, now = one.now] connection in
            let wrapped = try #require(try AccountStore.wrappedKey(of: account, connection))
            let key = try services.keys.unwrap(wrapped, owner: account)
            for index in 0..<20 {
                let mail = Mail(recipient: "ada@example.org", subject: "\(index)", body: "x")
                try MailStore.insert(try services.envelope(mail, to: key, at: now), connection)
            }
        }
        await withTaskGroup(of: Void.self) { group in
            for portal in [one, other] { group.addTask { portal.services.deliver(at: portal.now) } }
        }
        let outbox = try FileManager.default.contentsOfDirectory(atPath: one.services.settings.outboxPath)
        #expect(outbox.count { $0.hasSuffix(".eml") } == 20)
        try #expect(one.services.records.read { try $0.count("SELECT count(*) FROM mails") } == 0)
    }

    @Test func `the audit log has one order, whichever wrote`() async throws {
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<40 {
                let portal = index % 2 == 0 ? one : other
                group.addTask { _ = login(portal, "wrong horse battery") }
            }
        }
        try #expect(AuditProof.problems(in: one.services.settings.database, one.services.settings) == [])
    }

    @Test func `clocks that differ by a minute and a half do no harm`() throws {
        let ahead = try TestPortal(beside: one, ahead: 90)
        for portal in [ahead, one, ahead, one] {
            #expect(login(portal, "wrong horse battery").status == 401)
            #expect(portal.call(.get, "/my/overview", as: .pia).status == 200)
        }
        #expect(login(one, Cast.password).status == 200 && login(ahead, Cast.password).status == 200)
        let later = ahead.services.clock.now
        #expect(later == one.now.adding(seconds: 90))
        try ahead.services.slips.put(["ABCD-EFGH"], for: "s", now: later)
        try #expect(one.services.slips.read("s", now: one.now) == ["ABCD-EFGH"])
        try one.services.slips.put(["IJKL-MNOP"], for: "t", now: one.now)
        try #expect(ahead.services.slips.read("t", now: later) == ["IJKL-MNOP"])

        let form = [("format", "csv"), ("password", Cast.password)]
        let page = try #require(
            ahead.post("/studies/\(one.cast.study)/export", form, as: .lena).headers["Location"])
        ahead.services.exports.wait()
        #expect(one.get(page + "/file", as: .lena).status == 200)
        try #expect(AuditProof.problems(in: one.services.settings.database, one.services.settings) == [])
    }

    @Test func `IO-17 an erasure waits for that of another portal, and the list of the erased names both`()
        async throws
    {
        let path = one.services.settings.erasedPath
        let held = open(path, O_RDWR | O_CREAT, 0o600)
        #expect(held >= 0 && flock(held, LOCK_EX) == 0)
        let erasing = Task { [other] in
            other.call(.delete, "/my/account", #"{"password": "\#(Cast.password)"}"#, as: .quinn).status
        }
        try await Task.sleep(for: .milliseconds(400))
        let isThere = one.call(.get, "/my/profile", as: .quinn).status
        #expect(isThere == 200)
        // What the other program notes meanwhile stays.
        let line = Array("0193a000-0000-7000-8000-00000000e2e2 2026-01-01T00:00:00Z\n".utf8)
        #expect(write(held, line, line.count) == line.count)
        close(held)
        #expect(await erasing.value == 204)
        let list = try String(contentsOfFile: path, encoding: .utf8)
        let quinn = try #require(one.cast.accounts[.quinn]).text
        #expect(list.contains("00000000e2e2 ") && list.contains(quinn))
    }
}
