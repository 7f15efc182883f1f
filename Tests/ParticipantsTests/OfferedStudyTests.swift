import HTTP
import JSON
import Testing
import Wire

@testable import Participants
@testable import PortalTesting
@testable import Records
@testable import Studies
@testable import Web

/// The study that a therapist offers with the pairing code, asked in the browser, and what is said before consent.
@Suite struct OfferedStudyTests {
    let portal: TestPortal
    let desk: StudyDesk
    let page = "/studies/stress-26"

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
    }

    /// A new patient of Ada's with an offered study.
    /// - Returns: the therapy, and its code.
    func offer(_ study: String) -> (therapy: String, code: String) {
        let made = portal.call(.post, "/patients", #"{"study_id": "\#(study)"}"#, as: .ada)
        #expect(made.status == 201, "\(made.text)")
        return (therapy: made.id, code: made.attributes["pairing_code"]?["code"]?.string ?? "")
    }

    /// A code typed in a browser, from the first page on.
    func pair(_ browser: Browser, _ email: String, with code: String) -> Response {
        let form = browser.post("/pair", [("code", code)])
        #expect(form.status == 303)
        #expect(browser.signIn(email, from: form.headers["Location"]).headers["Location"] == "/my/pairing")
        return browser.post(
            "/my/pairing", [("code", code), ("birth_date", "1990-04-12"), ("gender", "female")])
    }

    func controlled(_ body: String = StudyDesk.groups) -> String {
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study)
        let set = portal.change(.put, "/studies/\(study)/groups", body, as: .lena)
        #expect(set.status == 200, "\(set.text)")
        return study
    }

    func closed(_ study: String, to person: Person) -> String? {
        portal.call(.get, "/studies/\(study)", as: person).attributes["closed_because"]?.string
    }

    // MARK: Asked, and answered later

    @Test func `FD-23 an offer is asked after pairing, suggested the next day, and the answer is told`()
        throws
    {
        let study = desk.begin(#"{"access": "request"}"#)
        let (therapy, code) = offer(study)
        let browser = Browser(portal)
        #expect(pair(browser, "nora@example.org", with: code).headers["Location"] == page)
        let asked = browser.get(page).text
        #expect(asked.contains("Ihre Praxis schlägt Ihnen diese Studie vor"))
        #expect(asked.contains("Später entscheiden") && asked.contains("Die Studienleitung entscheidet"))
        // She closes it, and comes back on another day.
        browser.closeAndOpen()
        try portal.wait(awake: 1)
        #expect(browser.signIn("nora@example.org").status == 303)
        #expect(browser.get("/my").text.contains("href=\"\(page)\""))
        #expect(browser.get("/my/studies").text.contains("Vorschlag Ihrer Praxis"))
        #expect(portal.get("/patients/\(therapy)", as: .ada).text.contains("Stress im Alltag · angeboten"))
        let sent = browser.post("/my/studies/stress-26/enrolment", [("consent_accepted", "true")])
        #expect(sent.headers["Location"] == "/my/studies")
        #expect(!browser.get("/my/studies").text.contains("Vorschlag Ihrer Praxis"))
        #expect(!browser.get("/my").text.contains("href=\"\(page)\""))
        portal.wait(seconds: 600)
        let own = portal.call(.get, "/studies/\(study)/enrolment", as: .nora).attributes
        #expect(own["state"]?.string == "pending")
        let codename = own["codename"]?.string ?? ""
        let decision = "/studies/\(study)/participants/\(codename)/decision"
        #expect(portal.post(decision, [("action", "accept")], as: .lena).status == 303)
        #expect(browser.get("/my").text.contains("Eine Mitteilung für Sie"))
        #expect(browser.get("/my/notices").text.contains("in die Studie „Stress im Alltag“ aufgenommen"))
        #expect(browser.get(page).text.contains("Sie nehmen teil"))
    }

    @Test func `FD-23 a request that is declined is a notice, and is not suggested again`() throws {
        let study = desk.begin(#"{"access": "request"}"#)
        let browser = Browser(portal)
        _ = pair(browser, "nora@example.org", with: offer(study).code)
        _ = browser.post("/my/studies/stress-26/enrolment", [("consent_accepted", "true")])
        let own = { portal.call(.get, "/studies/\(study)/enrolment", as: .nora).attributes }
        let codename = own()["codename"]?.string ?? ""
        let answer = portal.call(
            .post, "/studies/\(study)/participants/\(codename)/decline", as: .lena)
        #expect(answer.status == 200)
        let notice = portal.call(.get, "/my/notices", as: .nora).list.first?["attributes"]
        #expect(notice?["kind"]?.string == "study_message")
        #expect(notice?["text"]?.string?.contains("nicht in die Studie „Stress im Alltag“") == true)
        #expect(browser.post("/my/studies/\(study)/leaving").status == 303)
        let list = browser.get("/my/studies").text
        #expect(list.contains("href=\"\(page)\"") && !list.contains("Vorschlag Ihrer Praxis"))
    }

    @Test func `FD-23 a no is asked no more, is told to nobody, and takes nothing away`() throws {
        let study = desk.begin()
        let (therapy, code) = offer(study)
        let browser = Browser(portal)
        _ = pair(browser, "nora@example.org", with: code)
        let offered = { portal.call(.get, "/studies/\(study)", as: .nora).attributes["offered"] }
        #expect(offered() == .bool(true))
        let refusal = "/my/studies/\(study)/refusal"
        #expect(browser.get(page).text.contains("action=\"\(refusal)\""))
        #expect(browser.post(refusal).headers["Location"] == "/my/studies")
        #expect(offered() == .bool(false))
        let texts = [browser.get("/my"), browser.get("/my/studies"), browser.get(page)].map(\.text)
        #expect(texts.allSatisfy { !$0.contains("Ihrer Praxis") && !$0.contains("schlägt Ihnen") })
        #expect(texts[1].contains("href=\"\(page)\"") && texts[2].contains("consent_accepted"))
        #expect(portal.get("/patients/\(therapy)", as: .ada).text.contains("Stress im Alltag · angeboten"))
        #expect(try portal.audit().contains("enrolment.offer_declined"))
        // A no counts for its own person alone, and for what is offered.
        #expect(portal.post(refusal, as: .quinn).status == 404)
        #expect(portal.post("/my/studies/\(portal.cast.study)/refusal", as: .nora).status == 404)
        // The wrong person's no is not the right one's.
        portal.wait(seconds: 60)
        #expect(portal.call(.post, "/patients/\(therapy)/pairing/undo", as: .ada).status == 204)
        let again = portal.call(.get, "/patients/\(therapy)", as: .ada).attributes["pairing_code"]?["code"]
        let body = #"{"code": "\#(again?.string ?? "")", "birth_date": "1990-01-01", "gender": "female"}"#
        let right = portal.call(.post, "/my/pairing", body, as: .nora)
        #expect(right.status == 201, "\(right.text)")
        #expect(offered() == .bool(true))
    }

    @Test func `FD-23 a therapist whom the leads have named opens the door in the browser, too`() {
        let study = controlled()
        let hidden = #"{"is_hidden": true, "access": "password", "password": "geheimnis"}"#
        #expect(portal.change(.patch, "/studies/\(study)", hidden, as: .lena).status == 200)
        let browser = Browser(portal)
        let paired = pair(browser, "nora@example.org", with: offer(study).code)
        let place = paired.headers["Location"] ?? ""
        #expect(place.firstMatch(of: /^\/studies\/\d{8}$/) != nil)
        let asked = browser.get(place).text
        #expect(!asked.contains("name=\"password\"") && !asked.contains("Passwort der Studie"))
        let enrolment = "/my" + place + "/enrolment"
        #expect(browser.post(enrolment, [("consent_accepted", "true")]).status == 303)
        #expect(browser.get("/my/studies").text.contains("Sie nehmen teil"))
    }

    // MARK: Said before consent

    @Test func `FD-23 a full study says so before consent, to visitors and patients, in both languages`() {
        let study = controlled(StudyDesk.groups.replacing("\"sample_size\": 4", with: "\"sample_size\": 2"))
        #expect(closed(study, to: .pia) == nil)
        #expect(desk.enrol(.pia, in: study).status == 201 && desk.enrol(.quinn, in: study).status == 201)
        let browser = Browser(portal)
        // What cannot be agreed to is not asked.
        #expect(pair(browser, "nora@example.org", with: offer(study).code).headers["Location"] == "/my")
        #expect(!browser.get("/my").text.contains("href=\"\(page)\""))
        let texts = [browser.get(page), portal.get(page, as: .nobody)].map(\.text)
        for text in texts {
            #expect(text.contains("alle Plätze vergeben"))
            #expect(!text.contains("consent_accepted") && !text.contains("/register?next"))
            #expect(!text.contains("Stichprobe"))
        }
        #expect(portal.send(.get, page + "?lang=en").text.contains("All places in this study are taken"))
        #expect(browser.get("/my/studies").text.contains("alle Plätze vergeben"))
        #expect(closed(study, to: .nora) == "sample_complete" && closed(study, to: .pia) == nil)
        // Participants see nothing of it.
        let own = portal.get(page, as: .pia).text
        #expect(own.contains("Sie nehmen teil") && !own.contains("Plätze"))
    }

    @Test func `FD-23 a study that takes nobody in any more, or another one's group, is said before consent`()
    {
        let study = controlled()
        let other = desk.begin(named: "zweite")
        _ = desk.add("wellbeing-5", to: other)
        _ = portal.change(.put, "/studies/\(other)/groups", StudyDesk.groups, as: .lena)
        #expect(desk.enrol(.pia, in: other).status == 201)
        #expect(portal.get(page, as: .pia).text.contains("zwei solche Studien zugleich"))
        #expect(closed(study, to: .pia) == "in_other_group" && closed(study, to: .nora) == nil)
        // With a form that was opened before.
        #expect(portal.get(page, as: .nora).text.contains("consent_accepted"))
        let closing = portal.post("/studies/\(study)/groups/closure", [("name", "stress-26")], as: .lena)
        #expect(closing.status == 303)
        let late = portal.post("/my/studies/stress-26/enrolment", [("consent_accepted", "true")], as: .nora)
        #expect(late.status == 409 && late.text.contains("nimmt endgültig niemanden mehr auf"))
        let text = portal.get(page, as: .nora).text
        #expect(text.contains("nimmt endgültig niemanden mehr auf") && !text.contains("consent_accepted"))
        #expect(closed(study, to: .nora) == "allocation_closed")
    }

    @Test func `FD-23 a study says when it ends, and that it has ended; one that was stopped is not there`()
        throws
    {
        let end = portal.now.adding(days: 3)
        let study = desk.begin(#"{"ends_at": "\#(end.text)"}"#)
        let browser = Browser(portal)
        #expect(pair(browser, "nora@example.org", with: offer(study).code).headers["Location"] == page)
        #expect(browser.get(page).text.contains("Läuft bis"))
        #expect(browser.get("/my/studies").text.contains("Läuft bis"))
        try portal.wait(awake: 4)
        #expect(browser.signIn("nora@example.org").status == 303)
        #expect(!browser.get("/my").text.contains("href=\"\(page)\""))
        #expect(browser.get("/my/studies").text.contains("Diese Studie ist zu Ende"))
        let over = [browser.get(page), portal.get(page, as: .nobody)].map(\.text)
        for text in over {
            #expect(text.contains("Geendet am") && text.contains("Diese Studie ist zu Ende"))
            #expect(!text.contains("consent_accepted") && !text.contains("/register?next"))
        }
        let late = browser.post("/my/studies/stress-26/enrolment", [("consent_accepted", "true")])
        #expect(late.status == 409 && late.text.contains("Diese Studie ist zu Ende"))
        _ = portal.change(.patch, "/studies/\(study)", #"{"running": false}"#, as: .lena)
        #expect(portal.get(page, as: .nobody).status == 404)
    }

    @Test func `FD-23 the reasons of the page are those of the API`() {
        #expect(StudyObstacle.allCases.map(\.rawValue) == Study.closings)
    }
}
