import HTTP
import JSON
import Records
import Testing
import Wire

@testable import PortalTesting
@testable import Therapies

/// PR-21: an administrator hands a running therapy to another therapist, by codename.
@Suite struct HandOverTests {
    let portal: TestPortal

    init() throws { portal = try TestPortal() }

    var pia: ID<Therapy> { portal.cast.therapies[.pia] ?? "" }

    @discardableResult
    func hand(_ codename: String = "C000001", to person: Person = .ben) -> Response {
        portal.call(
            .post, "/patients/\(codename)/hand-over", #"{"email": "\#(person.rawValue)@example.org"}"#,
            as: .uma)
    }

    func note(as person: Person) -> JSON? {
        portal.call(.get, "/patients/\(pia)", as: person).attributes["note"]
    }

    @Test func `PR-21 from one moment to the next it is the other therapist's, with everything in it`() throws
    {
        let old = portal.call(.get, "/patients/\(pia)/timeline", as: .ada).list.count
        #expect(hand().status == 204)
        for end in [
            "", "/timeline", "/contributions/\(portal.cast.contribution)", "/sessions", "/deliveries",
        ] {
            #expect(portal.call(.get, "/patients/\(pia)\(end)", as: .ada).status == 404, "\(end)")
            #expect(portal.get("/patients/\(pia)\(end)", as: .ada).status == 404, "\(end)")
        }
        #expect(portal.call(.get, "/patients/\(pia)/timeline", as: .ben).list.count == old)
        #expect(portal.call(.get, "/patients/\(pia)/contributions", as: .ben).list.isEmpty == false)
        #expect(portal.get("/patients/\(pia)", as: .ben).text.contains("C000001"))
        #expect(portal.call(.get, "/my/therapist", as: .pia).attributes["name"] == .string("Ben Steiner"))
        // What is open stays open, and what Ben plans for her from now on is his.
        #expect(
            portal.call(.get, "/my/assignments", as: .pia).list.contains {
                $0["id"]?.string == portal.cast.assignment
            })
        let pauses = portal.call(.get, "/patients/\(pia)/pauses", as: .ben).list
        #expect(pauses.contains { $0["id"]?.string == portal.cast.pause })
        #expect(portal.call(.delete, "/patients/\(pia)/pauses/\(portal.cast.pause)", as: .ben).status == 204)
        #expect(try portal.changes().contains("therapy.handed_over"))
    }

    @Test func `PR-21 the patient is told, in both languages, until a device says it was seen`() throws {
        hand()
        let list = portal.call(.get, "/my/notices", as: .pia).list
        let notice = try #require(list.first)
        #expect(list.count == 1 && notice["attributes"]?["kind"] == .string("handover"))
        #expect(notice["attributes"]?["text"]?.string?.contains("von Ada Lindner an Ben Steiner") == true)
        #expect(notice["attributes"]?["seen_at"] == .null && notice["attributes"]?["until"] == .null)
        #expect(notice["attributes"]?["from"]?.string == portal.now.text)
        let english = portal.call(.get, "/my/notices", as: .pia, ["Accept-Language": "en"]).text
        #expect(english.contains("from Ada Lindner to Ben Steiner"))
        let path = "/my/notices/\(notice["id"]?.string ?? "")"
        let ahead = portal.now.adding(seconds: 400).text
        #expect(portal.call(.patch, path, #"{"seen_at": "\#(ahead)"}"#, as: .pia).wrongFields == ["seen_at"])
        #expect(portal.call(.patch, path, "{}", as: .pia).wrongFields == ["seen_at"])
        #expect(portal.call(.patch, path, #"{"seen_at": "\#(portal.now.text)"}"#, as: .quinn).status == 404)
        #expect(portal.call(.patch, path, #"{"seen_at": "\#(portal.now.text)"}"#, as: .ada).status == 403)
        let first = portal.now
        let seen = portal.call(.patch, path, #"{"seen_at": "\#(first.text)"}"#, as: .pia)
        #expect(seen.status == 200 && seen.attributes["seen_at"]?.string == first.text)
        portal.wait(seconds: 60)
        // Another device: the first one counts.
        let later = portal.call(.patch, path, #"{"seen_at": "\#(portal.now.text)"}"#, as: .pia)
        #expect(later.status == 200 && later.attributes["seen_at"]?.string == first.text)
        #expect(portal.call(.get, "/my/notices", as: .quinn).list.isEmpty)
    }

    @Test
    func `PR-21 notices are in the own export and go with the account; the access log names the hand-over`()
        throws
    {
        hand()
        #expect(portal.call(.get, "/my/export", as: .pia).attributes["notices"]?.array?.count == 1)
        let log = portal.call(.get, "/my/access-log", as: .pia).list.map { $0["attributes"] }
        let line = try #require(log.first { $0?["action"] == .string("therapy.handed_over") })
        #expect(line?["by"] == .string("Uma Berger") && line?["area"] == .null)
        #expect(
            portal.call(.delete, "/my/account", #"{"password": "\#(Cast.password)"}"#, as: .pia).status == 204
        )
        #expect(try portal.count("notices") == 0)
    }

    @Test
    func `PR-21 the private note stays behind unless its writer ticks it, and is back when the therapy is`()
        throws
    {
        let questions = [("questions", "Wie war der Urlaub?")]
        #expect(portal.post("/patients/\(pia)/briefing", questions, as: .ada).status == 303)
        hand()
        #expect(note(as: .ben) == .null)
        #expect(!portal.get("/patients/\(pia)/briefing", as: .ben).text.contains("Urlaub"))
        #expect(portal.call(.patch, "/patients/\(pia)", #"{"note": "Bens Notiz"}"#, as: .ben).status == 200)
        hand(to: .ada)
        #expect(note(as: .ada) == .string("Notiz zu C000001"))
        #expect(portal.get("/patients/\(pia)/briefing", as: .ada).text.contains("Urlaub"))
        // And Ben's own waits for him.
        let both = [("note", ""), ("note", "true"), ("questions", "")]
        #expect(portal.post("/patients/\(pia)/hand-over", both, as: .ada).status == 303)
        #expect(
            portal.get("/patients/\(pia)/hand-over", as: .ada).text.contains(
                "name=\"note\" type=\"checkbox\" value=\"true\" checked"))
        hand()
        #expect(note(as: .ben) == .string("Notiz zu C000001"))
        #expect(!portal.get("/patients/\(pia)/briefing", as: .ben).text.contains("Urlaub"))
        // What was ticked held for one hand-over.
        #expect(!portal.get("/patients/\(pia)/hand-over", as: .ben).text.contains("checked"))
    }

    @Test func `PR-21 a therapy without a note, and one without anything to withhold, is handed over too`()
        throws
    {
        #expect(portal.call(.patch, "/patients/\(pia)", #"{"note": null}"#, as: .ada).status == 200)
        #expect(hand().status == 204 && note(as: .ben) == .null)
        #expect(try portal.count("withheld_words") == 0)
        #expect(hand(to: .ada).status == 204 && note(as: .ada) == .null)
    }

    @Test func `PR-21 the trail does not show the next therapist what the one before wrote for themselves`()
        throws
    {
        #expect(portal.call(.patch, "/patients/\(pia)", #"{"note": "Nur für mich"}"#, as: .ada).status == 200)
        #expect(portal.get("/patients/\(pia)/audit-log", as: .ada).text.contains("Nur für mich"))
        hand()
        let trail = portal.get("/patients/\(pia)/audit-log", as: .ben).text
        #expect(!trail.contains("Nur für mich") && !trail.contains("Notiz zu C000001"))
        #expect(trail.contains("Ada Lindner → Ben Steiner") && trail.contains("Uma Berger"))
        // The administrator's log names both, and nothing else.
        let log = portal.get("/admin/audit-log", as: .uma).text
        #expect(log.contains("Ada Lindner → Ben Steiner") && !log.contains("Nur für mich"))
    }

    @Test func `PR-21 reactions stay with the therapist before and stop for this patient`() throws {
        let rule = #"""
            {"name": "Still", "conditions": [{"kind": "silent", "days": 1}], "alert": "Still", "advice": "Anrufen",
             "patient_ids": ["\#(pia)"]}
            """#
        let made = portal.call(.post, "/rules", rule, as: .ada)
        #expect(made.status == 201, "\(made.text)")
        let before = try portal.count("rule_therapies")
        hand()
        #expect(try portal.count("rule_therapies") == before - 1)
        #expect(portal.call(.get, "/rules/\(made.id)", as: .ada).status == 200)
        #expect(portal.call(.get, "/rules", as: .ben).list.isEmpty)
    }

    @Test
    func `PR-21 where nobody is paired the code on the old sheet dies and the new sheet has the new name`()
        throws
    {
        #expect(hand("c000003").status == 204)
        let path = "/patients/\(portal.cast.openTherapy)/pairing-sheet"
        let sheet = portal.get(path, as: .ben).text
        #expect(sheet.contains("Ben Steiner") && !sheet.contains("Ada Lindner"))
        let dead = portal.call(.get, "/pairing-codes/\(portal.cast.openCode)", as: .nora)
        #expect(dead.status == 410)
        #expect(portal.get(path, as: .ada).status == 404)
        #expect(try portal.count("notices") == 0)
    }

    @Test func `PR-21 nobody hands over but administrators, and only to a therapist who can take it`() throws
    {
        for person in [Person.ada, .ben, .lena, .pia] {
            let body = #"{"email": "ben@example.org"}"#
            #expect(portal.call(.post, "/patients/C000001/hand-over", body, as: person).status == 403)
            if person != .pia {
                #expect(portal.get("/admin/hand-over?codename=C000001", as: person).status == 403)
            }
        }
        for person in [Person.lena, .uma, .pia, .ada, .nobody] {
            let refused = hand(to: person)
            #expect(refused.status == 422 && refused.wrongFields == ["email"], "\(person)")
        }
        #expect(hand("C999999").status == 404)
        let ben = portal.cast.accounts[.ben] ?? ""
        #expect(portal.call(.patch, "/accounts/\(ben)", #"{"closed": true}"#, as: .uma).status == 200)
        #expect(hand().wrongFields == ["email"])
        #expect(portal.call(.patch, "/accounts/\(ben)", #"{"closed": false}"#, as: .uma).status == 200)
        #expect(portal.call(.post, "/patients/\(pia)/therapy/end", as: .ada).status == 200)
        #expect(hand().status == 404)
        #expect(portal.call(.get, "/patients/\(pia)", as: .ada).status == 200)
    }

    @Test func `PR-21 what came between looking and handing over is proved again`() throws {
        let portal = portal
        let id = pia
        let ben = portal.cast.accounts[.ben] ?? ""
        let closed = portal.interleaving {
            _ = portal.call(.patch, "/accounts/\(ben)", #"{"closed": true}"#, as: .uma)
        } _: {
            hand()
        }
        #expect(
            closed.hasComeToWrite && closed.response.status == 422
                && portal.call(.get, "/patients/\(id)", as: .ada).status == 200)
        _ = portal.call(.patch, "/accounts/\(ben)", #"{"closed": false}"#, as: .uma)
        let ended = portal.interleaving {
            _ = portal.call(.post, "/patients/\(id)/therapy/end", as: .ada)
        } _: {
            hand()
        }
        #expect(
            ended.hasComeToWrite && ended.response.status == 409
                && portal.call(.get, "/patients/\(id)", as: .ada).status == 200)
        #expect(try portal.count("notices") == 0)
    }

    @Test func `PR-21 a write of the old therapist that was under way writes nothing any more`() throws {
        let portal = portal
        let id = pia
        let late = portal.interleaving {
            _ = portal.call(
                .post, "/patients/C000001/hand-over", #"{"email": "ben@example.org"}"#, as: .uma)
        } _: {
            portal.call(.patch, "/patients/\(id)", #"{"note": "Zu spät"}"#, as: .ada)
        }
        #expect(late.hasComeToWrite && late.response.status == 404 && note(as: .ben) == .null)
    }

    @Test func `PR-21 the page lists what goes along and what does not, and asks for the codename`() throws {
        let asked = portal.get("/admin/hand-over", as: .uma)
        #expect(asked.status == 200 && asked.text.contains("name=\"codename\""))
        #expect(portal.get("/admin/hand-over?codename=C999999", as: .uma).text.contains("codename-error"))
        let page = portal.get("/admin/hand-over?codename=c000001", as: .uma).text
        #expect(page.contains("die private Notiz: Ada Lindner hat sie nicht freigegeben"))
        #expect(
            page.contains("erfährt auf den eigenen Seiten") && page.contains("Reaktionen von Ada Lindner"))
        // Nothing clinical, and only possible therapists.
        #expect(!page.contains("Notiz zu") && !page.contains("1990") && !page.contains("pia@example.org"))
        #expect(page.contains("value=\"ben@example.org\"") && !page.contains("lena@example.org"))
        let ada = portal.cast.accounts[.ada] ?? ""
        let form = [("codename", "C000001"), ("from", ada.text), ("email", "ben@example.org")]
        let unsure = portal.post("/admin/hand-over", form + [("confirmation", "C000002")], as: .uma)
        #expect(unsure.status == 422 && unsure.text.contains("confirmation-error"))
        #expect(unsure.text.contains("value=\"ben@example.org\" selected"))
        let sure = form + [("confirmation", "c000001")]
        #expect(
            portal.post("/admin/hand-over", sure, as: .uma).headers["Location"] == "/admin/accounts/\(ada)")
        // The page that was drawn before spoke of another therapist.
        #expect(portal.post("/admin/hand-over", sure, as: .uma).status == 422)
        #expect(portal.call(.get, "/patients/\(pia)", as: .ben).status == 200)
    }
}
