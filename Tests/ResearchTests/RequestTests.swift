import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Studies
@testable import Web

/// studies.md, defect 10, and the hidden study of issue 17: what participants learn of their requests, and what opens.
@Suite struct RequestTests {
    let portal: TestPortal
    let desk: StudyDesk

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
    }

    func decide(_ codename: String, _ action: String, in study: String) -> Int {
        portal.call(.post, "/studies/\(study)/participants/\(codename)/\(action)", as: .lena).status
    }

    @Test func `a request says its state and codename, and a refusal is told`() {
        let study = desk.begin(#"{"access": "request"}"#)
        let own = { portal.call(.get, "/studies/\(study)/enrolment", as: .nora) }
        #expect(own().status == 404)
        let asked = desk.enrol(.nora, in: study)
        let codename = asked.attributes["codename"]?.string ?? ""
        #expect(asked.status == 202 && asked.attributes["state"]?.string == "pending" && !codename.isEmpty)
        #expect(own().attributes["state"]?.string == "pending")
        #expect(own().attributes["codename"]?.string == codename)
        let listed = { (path: String) in
            portal.call(.get, path, as: .nora).list.first { $0["id"]?.string == study }?["attributes"]
        }
        #expect(listed("/my/studies")?["enrolment_state"]?.string == "pending")
        portal.wait(seconds: 600)
        #expect(decide(codename, "decline", in: study) == 200)
        #expect(own().attributes["state"]?.string == "declined")
        #expect(own().attributes["decided_at"]?.string == portal.now.text)
        #expect(own().attributes["may_ask_again_at"]?.string != nil)
        for path in ["/my/studies", "/studies"] {
            #expect(listed(path)?["enrolment_state"]?.string == "declined", "\(path)")
            #expect(listed(path)?["codename"]?.string == codename)
            #expect(listed(path)?["enrolled"] == .bool(false))
        }
        // Taken note of, it is in the list no more.
        #expect(portal.call(.delete, "/studies/\(study)/enrolment", as: .nora).status == 204)
        #expect(listed("/my/studies") == nil && own().status == 404)
        #expect(portal.call(.get, "/studies/\(study)/enrolment", as: .lena).status == 403)
    }

    @Test func `asking again is possible after a week, three times in all, also when it is taken back`()
        throws
    {
        let study = desk.begin(#"{"access": "request"}"#)
        for number in 1...3 {
            let asked = desk.enrol(.nora, in: study)
            #expect(asked.status == 202, "\(number) \(asked.text)")
            if number == 1 {
                let codename = asked.attributes["codename"]?.string ?? ""
                #expect(decide(codename, "decline", in: study) == 200)
            } else {
                #expect(portal.call(.delete, "/studies/\(study)/enrolment", as: .nora).status == 204)
            }
            let soon = desk.enrol(.nora, in: study)
            #expect(soon.status == 409, "\(number)")
            if number < 3 { #expect(soon.text.contains("noch einmal"), "\(soon.text)") }
            try portal.wait(awake: 7)
        }
        let often = desk.enrol(.nora, in: study)
        #expect(often.status == 409 && often.text.contains("3-mal"))
        // An invitation needs no approval.
        let made = portal.call(.post, "/studies/\(study)/invitations", #"{"amount": 1}"#, as: .lena)
        let code = made.attributes["codes"]?.array?.first?.string ?? ""
        #expect(
            desk.enrol(.nora, in: study, #"{"consent_accepted": true, "code": "\#(code)"}"#).status == 201)
    }

    @Test func `the codename of an enrolment can be read again, and after leaving too`() {
        let study = desk.begin()
        let codename = desk.enrol(.nora, in: study).attributes["codename"]
        let own = { portal.call(.get, "/studies/\(study)/enrolment", as: .nora).attributes }
        #expect(own()["codename"] == codename && own()["state"]?.string == "enrolled")
        _ = portal.call(.delete, "/studies/\(study)/enrolment", as: .nora)
        #expect(own()["codename"] == codename && own()["state"]?.string == "left")
    }

    // MARK: Hidden studies

    @Test func `a hidden study cannot be enrolled in by its id alone`() throws {
        let study = desk.begin(#"{"is_hidden": true}"#)
        let unknown = desk.enrol(.nora, in: UUID().uuidString.lowercased())
        let code = portal.call(.get, "/studies/\(study)", as: .lena).attributes["lead"]?["code"]?.string ?? ""
        let body = { (code: String) in #"{"consent_accepted": true, "code": "\#(code)"}"# }
        let tries = [
            #"{"consent_accepted": true}"#, #"{"consent_accepted": false}"#, body("00000000"),
            body("0000000000"),
        ]
        for sent in tries {
            let refused = desk.enrol(.nora, in: study, sent)
            #expect(refused.status == 404 && refused.steady == unknown.steady, "\(sent)")
        }
        #expect(desk.enrol(.nora, in: study, body(code)).status == 201)
        // A former participant knows it already.
        #expect(portal.call(.delete, "/studies/\(study)/enrolment", as: .nora).status == 204)
        #expect(desk.enrol(.nora, in: study).status == 201)
        let made = portal.call(.post, "/studies/\(study)/invitations", #"{"amount": 1}"#, as: .lena)
        let invitation = made.attributes["codes"]?.array?.first?.string ?? ""
        #expect(desk.enrol(.quinn, in: study, body(invitation)).status == 201)
        // What the therapist offers needs no code.
        try portal.services.records.writeUnaudited(.madeUp) { [portal] in
            try OfferStore.offer(ID(study), to: portal.cast.therapies[.pia] ?? "", at: portal.now, $0)
        }
        #expect(desk.enrol(.pia, in: study).status == 201)
    }

    // MARK: Rules without patients

    @Test func `a lead's rule that can reach nobody is refused before it is saved`() throws {
        let refused = portal.call(.post, "/rules", StudySettingsTests.rule, as: .leo)
        #expect(refused.status == 422 && refused.text.contains("niemanden erreichen"), "\(refused.text)")
        #expect(portal.get("/rules/new", as: .leo).text.contains("niemanden erreichen"))
        #expect(portal.call(.get, "/rules", as: .leo).list.isEmpty)
        // A study's lead can put it into the study's protocol (PR-17); until then it says that it reaches no patient.
        let taken = portal.call(.post, "/rules", StudySettingsTests.rule, as: .lena)
        #expect(
            taken.status == 201 && taken.text.contains("erst, wenn sie in einem Protokoll"), "\(taken.text)")
        // Chosen therapies that are all over count as no patients either.
        let therapy = portal.cast.therapies[.pia] ?? ""
        let chosen = StudySettingsTests.rule.replacing(
            #""briefing""#, with: #""patient_ids": ["\#(therapy)"], "briefing""#)
        #expect(portal.call(.post, "/rules", chosen, as: .ada).status == 201)
        #expect(portal.call(.post, "/patients/\(therapy)/therapy/end", "{}", as: .ada).status == 200)
        let over = portal.call(.post, "/rules", chosen, as: .ada)
        #expect(over.status == 422 && over.wrongFields == ["patient_ids"])
    }
}
