import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import Participants
@testable import PortalTesting
@testable import Records
@testable import Studies
@testable import Web

/// Studies in the browser: the public page, taking part, own times, leaving.
@Suite struct OwnStudiesTests {
    let portal: TestPortal
    let desk: StudyDesk

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
    }

    @Test func `TYS-1 a study has a page for everybody, by its name, that tells of nobody`() {
        let study = desk.begin(#"{"description": {"de": "Zwei Minuten am Tag."}}"#)
        _ = desk.enrol(.nora, in: study)
        let page = portal.get("/studies/stress-26", as: .nobody)
        #expect(page.status == 200 && page.text.contains("Zwei Minuten am Tag."))
        #expect(page.text.contains("Ich nehme freiwillig teil."))
        #expect(page.text.contains("/register?next=%2Fstudies%2Fstress-26"))
        #expect(page.text.contains("/login?next=%2Fstudies%2Fstress-26"))
        #expect(!page.text.contains("nora") && page.text.firstMatch(of: /S\d{6}/) == nil)
        // The id stays the leads' page.
        #expect(portal.get("/studies/\(study)", as: .lena).status == 200)
        #expect(portal.get("/studies/\(study)", as: .nobody).status == 303)
        #expect(portal.get("/studies/\(study.uppercased())", as: .nobody).status == 303)
        #expect(portal.get("/studies/new", as: .lena).status == 200)
    }

    @Test(arguments: ["/studies/stress-26", "/nowhere", "/my/nowhere", "/my"], [Person.nora, .nobody])
    func `LF-9 where a page links the manifest its own policy lets it be read`(path: String, person: Person) {
        _ = desk.begin()
        let page = portal.get(path, as: person)
        guard page.status != 303 else { return }
        #expect(page.text.contains("rel=\"manifest\""), "\(page.status)")
        let policy = page.headers["Content-Security-Policy"] ?? ""
        #expect(policy.components(separatedBy: "manifest-src 'self'").count == 2, "\(policy)")
    }

    @Test func `FD-58 strangers find a page at the root, with the studies that are not hidden`() {
        let study = desk.begin(#"{"description": {"de": "Zwei Minuten am Tag."}}"#)
        let browser = Browser(portal)
        browser.cookie = TestPortal.anonymous
        let page = browser.get("/")
        #expect(page.status == 200 && page.text.contains("href=\"/studies/stress-26\""))
        for path in ["/login", "/register", "/info/help"] {
            #expect(page.text.contains("href=\"\(path)\""), "\(path)")
        }
        #expect(page.text.contains("action=\"/pair\""))
        #expect(portal.send(.get, "/?lang=en").text.contains("Studies to take part in"))
        #expect(portal.send(.head, "/").status == 200)
        #expect(portal.send(.get, "/patients").headers["Location"] == "/login?next=%2Fpatients")
        // Signed-in accounts begin where they did.
        #expect(portal.get("/", as: .ada).text.contains("navigation"))
        #expect(portal.get("/", as: .pia).headers["Location"] == "/my")
        // A hidden study is not mentioned.
        #expect(portal.change(.patch, "/studies/\(study)", #"{"is_hidden": true}"#, as: .lena).status == 200)
        #expect(!browser.get("/").text.contains("/studies/"))
        for name in ["help", "licences"] {
            let texts = ["de", "en"].map { portal.send(.get, "/info/\(name)?lang=\($0)").text }
            #expect(texts.allSatisfy { $0.contains("<h1") } && texts[0] != texts[1])
            #expect(portal.call(.get, "/info/\(name)").status == 200)
        }
    }

    @Test func `TYS-1 a private study is listed with a lock, for leads and participants`() {
        let study = desk.begin()
        let lists = { [portal.get("/studies", as: .lena).text, portal.get("/my/studies", as: .quinn).text] }
        #expect(lists()[1].contains("/studies/stress-26") && !lists()[1].contains("icons.svg#lock"))
        _ = portal.change(.patch, "/studies/\(study)", #"{"is_private": true}"#, as: .lena)
        #expect(lists().allSatisfy { $0.contains("icons.svg#lock") && $0.contains("privat") })
    }

    @Test func `TYS-1 what is hidden has only its code, and all that is not there answers the same`() {
        // The cast's study is hidden.
        #expect(portal.get("/studies/13572468", as: .nobody).status == 200)
        let missing = portal.get("/studies/keine", as: .nobody)
        for word in ["alltag", "87654321", "stress-26"] {
            let page = portal.get("/studies/\(word)", as: .nobody)
            #expect(page.status == 404)
            #expect(page.text.replacing(word, with: "keine").count == missing.text.count, "\(word)")
        }
        let study = desk.begin()
        #expect(portal.get("/studies/stress-26", as: .nobody).status == 200)
        _ = portal.change(.patch, "/studies/\(study)", #"{"running": false}"#, as: .lena)
        #expect(portal.get("/studies/stress-26", as: .nobody).status == 404)
        #expect(portal.get("/studies/stress-26/picture", as: .nobody).status == 404)
    }

    @Test func `D11 who tries codes waits after twenty`() {
        for number in 0..<20 {
            #expect(portal.get("/studies/\(90_000_000 + number)", as: .nobody).status == 404)
        }
        #expect(portal.get("/studies/13572468", as: .nobody).status == 429)
        // Names are no secret.
        #expect(portal.get("/studies/keine", as: .nobody).status == 404)
    }

    @Test func `TYS-1 new and ids are no names of studies`() {
        for name in ["new", "3f2504e0-4f89-41d3-9a0c-0305e82c3301"] {
            let answer = portal.call(
                .post, "/studies", StudyDesk.draft.replacing("stress-26", with: name), as: .lena)
            #expect(answer.status == 422, "\(name)")
        }
    }

    @Test func `TYS-2 taking part in the browser needs consent, and leads to the own codename`() {
        _ = desk.begin()
        let path = "/my/studies/stress-26/enrolment"
        let without = portal.post(path, as: .pia)
        #expect(without.status == 422 && without.text.contains("href=\"#consent_accepted\""))
        #expect(
            portal.post(path, [("consent_accepted", "true")], as: .pia).headers["Location"] == "/my/studies")
        let codename = portal.call(.get, "/my/studies", as: .pia).list.first?["attributes"]?["codename"]?
            .string
        #expect(portal.get("/my/studies", as: .pia).text.contains(codename ?? "nothing"))
        #expect(portal.get("/studies/stress-26", as: .pia).text.contains("Sie nehmen teil"))
        #expect(portal.post(path, [("consent_accepted", "true")], as: .pia).status == 409)
    }

    @Test func `TYS-1 a password, a request and an invitation each let in their way`() throws {
        let study = desk.begin(#"{"access": "password", "password": "geheim-7"}"#)
        let path = "/my/studies/stress-26/enrolment"
        let wrong = portal.post(path, [("consent_accepted", "true"), ("password", "falsch")], as: .pia)
        #expect(wrong.status == 422 && wrong.text.contains("href=\"#password\""))
        #expect(!wrong.text.contains("falsch\""))
        let right = portal.post(path, [("consent_accepted", "true"), ("password", "geheim-7")], as: .pia)
        #expect(right.status == 303)
        let made = portal.call(
            .post, "/studies/\(study)/invitations", #"{"amount": 1, "days": 7}"#, as: .lena)
        let code = try #require(made.text.firstMatch(of: /"(\d[\d ]{8,}\d)"/)).1
        let opened = portal.post("/my/studies/code", [("code", String(code))], as: .quinn)
        let place = try #require(opened.headers["Location"])
        #expect(place.hasPrefix("/studies/stress-26?invitation="))
        #expect(portal.get(place, as: .quinn).text.contains("value=\"\(code.filter(\.isNumber))\""))
        let invited = portal.post(path, [("consent_accepted", "true"), ("code", String(code))], as: .quinn)
        #expect(invited.status == 303)
        // Hers is answered by the leads; until then it stands as asked.
        #expect(portal.get("/my/studies", as: .nora).text.contains("angefragt"))
        #expect(portal.post("/my/studies/code", [("code", "12345")], as: .nora).status == 422)
        let hidden = portal.post("/my/studies/code", [("code", "1357 2468")], as: .pia)
        #expect(hidden.headers["Location"] == "/studies/13572468")
    }

    @Test func `TYS-2 leaving asks what becomes of the answers`() throws {
        try portal.publish("wellbeing-5")
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study)
        _ = desk.enrol(.pia, in: study)
        #expect(desk.answer("wellbeing-5", in: study, as: .pia).status == 201)
        let path = "/my/studies/\(study)/leaving"
        #expect(portal.get(path, as: .pia).text.contains("nicht mehr gefragt"))
        #expect(portal.post(path, as: .pia).status == 422)
        #expect(portal.post(path, [("data", "remove")], as: .pia).status == 303)
        #expect(portal.call(.get, "/my/studies", as: .pia).list.isEmpty)
        #expect(portal.get(path, as: .pia).status == 404)
        #expect(portal.get(path, as: .quinn).status == 404)
        // A request is taken back without a choice.
        let asked = "/my/studies/\(portal.cast.study)/leaving"
        #expect(portal.get(asked, as: .nora).text.contains("Anfrage zurückziehen"))
        #expect(portal.post(asked, as: .nora).status == 303)
        #expect(portal.call(.get, "/my/studies", as: .nora).list.isEmpty)
    }

    @Test func `TYS-1 a newer consent text is agreed to only as it was read`() throws {
        let study = desk.begin()
        _ = desk.enrol(.pia, in: study)
        #expect(!portal.get("/my/studies", as: .pia).text.contains("/consent\""))
        let change = #"{"consent_text": {"de": "Ganz neuer Text."}}"#
        #expect(portal.change(.patch, "/studies/\(study)", change, as: .lena).status == 200)
        let path = "/my/studies/\(study)/consent"
        #expect(portal.get("/my/studies", as: .pia).text.contains(path))
        #expect(portal.get(path, as: .pia).text.contains("Ganz neuer Text."))
        #expect(portal.post(path, [("version", "2")], as: .pia).status == 422)
        let old = [("version", "1"), ("consent_accepted", "true")]
        #expect(portal.post(path, old, as: .pia).status == 412)
        let new = [("version", "2"), ("consent_accepted", "true")]
        #expect(portal.post(path, new, as: .pia).status == 303)
        #expect(!portal.get("/my/studies", as: .pia).text.contains("/consent\""))
        #expect(try portal.audit().contains("enrolment.consent_renewed"))
    }

    @Test func `TYS-6 own times are held to the rules of the call, where the leads allow them`() throws {
        try portal.publish("wellbeing-5")
        let study = desk.begin()
        let fixed = desk.add("wellbeing-5", to: study, StudyDesk.daily("09:00"))
        let item = desk.add(
            "between-sessions", to: study, StudyDesk.daily("10:00") + #", "is_schedule_changeable": true"#)
        _ = desk.enrol(.pia, in: study)
        let path = { (item: String) in "/my/studies/\(study)/questionnaires/\(item)/times" }
        #expect(portal.get(path(fixed), as: .pia).status == 404)
        #expect(portal.get(path(item), as: .pia).text.contains("value=\"10:00\""))
        #expect(portal.get("/my/studies", as: .pia).text.contains(path(item)))
        // The gap between the two lines is closed, so that the error stands at the second.
        let same = [
            ("option", "custom"), ("amount", "1"), ("times.0.at", "09:30"), ("times.1.at", ""),
            ("times.2.at", "09:30"),
        ]
        let refused = portal.post(path(item), same, as: .pia)
        #expect(refused.status == 422 && refused.text.contains("href=\"#times.1.at\""))
        let good = [
            ("option", "both"), ("amount", "3"), ("windows.0.enabled", "true"), ("windows.0.from", "20:00"),
            ("windows.0.till", "09:00"), ("times.0.at", "12:30"), ("times.0.weekday", "2"),
        ]
        // Pages ask before they exchange, and have done it in their fields.
        let asked = portal.post(path(item), good, as: .pia)
        #expect(asked.status == 422 && asked.text.contains("Von 09:00 bis 20:00, ist das so gemeint?"))
        #expect(asked.text.contains("href=\"#windows.0.till\""))
        #expect(asked.text.contains("value=\"09:00\"") && asked.text.contains("value=\"20:00\""))
        let meant = good.map { name, value in
            (name, name == "windows.0.from" ? "09:00" : name == "windows.0.till" ? "20:00" : value)
        }
        #expect(portal.post(path(item), meant, as: .pia).status == 303)
        let plan = portal.call(.get, "/my/questionnaires/\(item)/notification-plan", as: .pia).attributes
        #expect(plan["option"]?.string == "both" && plan["amount"] == .number(3))
        #expect(plan["windows"]?.array?.first?["from"]?.string == "09:00")
        #expect(plan["windows"]?.array?[1]["enabled"] == .bool(false))
        #expect(plan["times"]?.array?.first?["weekday"] == .number(2))
        let crowded = [
            ("option", "standard"), ("amount", "8"), ("windows.0.enabled", "true"),
            ("windows.0.from", "09:00"), ("windows.0.till", "10:00"),
        ]
        let full = portal.post(path(item), crowded, as: .pia)
        #expect(full.status == 422 && full.text.contains("href=\"#windows.0\""))
    }
}
