import Database
import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Web

/// studies.md, defect 3: per study and person the latest word counts.
@Suite struct ConsentTests {
    let portal: TestPortal
    let desk: StudyDesk

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
    }

    func say(_ consent: Bool, as person: Person) {
        let body = #"{"research_consent": \#(consent)}"#
        #expect(portal.call(.put, "/my/privacy", body, as: person).status == 200)
    }

    /// Every place that tells of participants, and how many each tells of.
    func told(_ study: String) throws -> Set<Int> {
        let export = try desk.export(study, "json")["participants"]?.array?.count ?? -1
        let shown = portal.call(.get, "/studies/\(study)/participants", as: .lena).list.count
        let page = portal.get("/studies/\(study)/participants", as: .lena).text.matches(
            of: /<tr><th scope="row"><a href/
        ).count
        let lead = portal.call(.get, "/studies/\(study)", as: .lena).attributes["lead"]
        let counted = [lead?["participants"], lead?["left"]].reduce(0) { sum, value in
            if case .number(let number)? = value { return sum + Int(number) }
            return sum
        }
        return [export, shown, page, counted]
    }

    @Test func `a no of somebody who never said yes to research counts for every study`() throws {
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study)
        // Without any choice the default is no yes, and no refusal of the study either.
        try portal.services.records.writeUnaudited(.madeUp) {
            try $0.run("DELETE FROM consent_choices")
            try $0.run("UPDATE accounts SET research_consent = 0")
        }
        // All in the same instant: what counts is the order, not the clock.
        #expect(desk.enrol(.nora, in: study).status == 201)
        #expect(desk.answer("wellbeing-5", in: study, as: .nora).status == 201)
        #expect(try told(study) == [1])
        say(false, as: .nora)
        #expect(try told(study) == [0])
        let codename = portal.call(.get, "/studies/\(study)/enrolment", as: .nora).attributes["codename"]?
            .string
        #expect(portal.get("/studies/\(study)/participants/\(codename ?? "")", as: .lena).status == 404)
        #expect(
            portal.call(.get, "/studies/\(study)/results", as: .lena).list.first?["attributes"]?["people"]
                == .number(0))
        let occasions = try desk.export(study, "json")["occasions"]?.array
        #expect(occasions == [])
        say(true, as: .nora)
        #expect(try told(study) == [1])
    }

    @Test func `enrolling is a yes to that study alone, and a no takes back all of them`() throws {
        let first = desk.begin()
        let second = desk.begin(named: "zweite")
        for study in [first, second] { _ = desk.add("wellbeing-5", to: study) }
        #expect(desk.enrol(.nora, in: first).status == 201)
        say(false, as: .nora)
        #expect(desk.enrol(.nora, in: second).status == 201)
        #expect(try told(first) == [0])
        #expect(try told(second) == [1])
        say(false, as: .nora)
        #expect(try told(second) == [0])
        // The consent stands with its version.
        let versions = try portal.services.records.read {
            try $0.all("SELECT consent_version FROM enrolments WHERE state = 'enrolled'") { row in
                try row[0] as Int
            }
        }
        #expect(versions.allSatisfy { $0 >= 1 })
    }

    @Test func `a yes is one again to what somebody still takes part in, not to what they have left`() throws
    {
        let left = desk.begin()
        let stayed = desk.begin(named: "zweite")
        for study in [left, stayed] {
            _ = desk.add("wellbeing-5", to: study)
            #expect(desk.enrol(.nora, in: study).status == 201)
        }
        #expect(portal.call(.delete, "/studies/\(left)/enrolment", as: .nora).status == 204)
        #expect(try told(left) == [1])
        say(false, as: .nora)
        say(true, as: .nora)
        #expect(try told(left) == [0])
        #expect(try told(stayed) == [1])
        // Saying no and yes before leaving has left the data behind.
        #expect(portal.call(.delete, "/studies/\(stayed)/enrolment", as: .nora).status == 204)
        #expect(try told(stayed) == [1])
    }

    @Test func `IO-20 data of the therapy need both, and a default never chosen is no`() throws {
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study)
        let assigned = portal.call(
            .post, "/patients/\(portal.cast.therapies[.pia] ?? "")/assignments",
            #"{"questionnaire_key": "wellbeing-5"}"#, as: .ada)
        try portal.services.records.writeUnaudited(.madeUp) {
            try $0.run("DELETE FROM consent_choices")
            try $0.run("UPDATE accounts SET research_consent = 0")
        }
        #expect(desk.enrol(.pia, in: study).status == 201)
        #expect(desk.answer("wellbeing-5", in: study, as: .pia, assignment: assigned.id).status == 201)
        portal.wait(seconds: 60)
        let rows = { try desk.text(study, "therapy").split(separator: "\r\n").count }
        let none = try rows()
        say(true, as: .pia)
        #expect(try rows() > none)
        say(false, as: .pia)
        #expect(try rows() == none)
        #expect(try told(study) == [0])
    }
}
