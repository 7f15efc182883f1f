import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import Portal
@testable import PortalTesting
@testable import Records
@testable import Studies
@testable import Web

/// FD-25: every participant taken in is in exactly one number of the flow, however they left, over days.
@Suite struct FlowTests {
    let portal: TestPortal
    let desk: StudyDesk

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
    }

    private func flow(_ study: String) throws -> StudyFlow {
        try portal.services.records.read { try FlowStore.flow(of: ID(study), $0) }
    }

    /// Two with an account and two on paper, of whom one leaves, one withdraws and one is erased, a day between.
    private func live(in study: String) throws {
        #expect(desk.enrol(.pia, in: study).status == 201)
        #expect(desk.enrol(.nora, in: study).status == 201)
        let paper = (0..<2).map { _ in
            portal.call(
                .post, "/studies/\(study)/participants",
                #"{"consented_on": "\#(portal.now.text.prefix(10))", "consent_version": 1}"#, as: .lena)
        }
        #expect(paper.allSatisfy { $0.status == 201 }, "\(paper[0].text)")
        #expect(try flow(study) == StudyFlow(takesPart: 4, left: 0, withdrawn: 0, removed: 0, erased: 0))
        try portal.wait(awake: 1)
        let codename = paper[0].attributes["codename"]?.string ?? ""
        let gone = portal.call(.delete, "/studies/\(study)/participants/\(codename)", as: .lena)
        #expect(gone.status == 204, "\(gone.text)")
        #expect(try flow(study) == StudyFlow(takesPart: 3, left: 0, withdrawn: 0, removed: 0, erased: 1))
        #expect(portal.call(.delete, "/studies/\(study)/enrolment?data=keep", as: .nora).status == 204)
        try portal.wait(awake: 1)
        #expect(try flow(study) == StudyFlow(takesPart: 2, left: 1, withdrawn: 0, removed: 0, erased: 1))
        #expect(portal.call(.put, "/my/privacy", #"{"research_consent": false}"#, as: .pia).status == 200)
        #expect(try flow(study) == StudyFlow(takesPart: 1, left: 1, withdrawn: 1, removed: 0, erased: 1))
    }

    @Test func `FD-25 left, withdrawn and erased are counted each, and the sum is right`() throws {
        let study = desk.begin()
        try live(in: study)
        let page = portal.get("/studies/\(study)/participants", as: .lena).text
        for line in [
            "4 Personen wurden aufgenommen.", "1 in der Studie", "1 ist ausgeschieden, die Daten bleiben",
            "1 hat die Einwilligung widerrufen", "1 hat das ganze Konto gelöscht",
        ] { #expect(page.contains("<li>\(line)</li>"), "\(line)") }
        // The file says the same: 2 are told of, the others are counted.
        let manifest = try desk.export(study, "json")["manifest"]
        #expect(
            ["participants", "withheld", "removed", "erased"].map { manifest?[$0] }
                == [.number(2), .number(1), .number(0), .number(1)])
        // A returned participant is one person; with everything removed they are in another number.
        try portal.wait(awake: 1)
        #expect(desk.enrol(.nora, in: study).status == 201)
        #expect(try flow(study) == StudyFlow(takesPart: 2, left: 0, withdrawn: 1, removed: 0, erased: 1))
        try portal.wait(awake: 1)
        #expect(portal.call(.delete, "/studies/\(study)/enrolment?data=remove", as: .nora).status == 204)
        #expect(try flow(study) == StudyFlow(takesPart: 1, left: 0, withdrawn: 1, removed: 1, erased: 1))
        let account = #"{"password": "\#(Cast.password)"}"#
        #expect(portal.call(.delete, "/my/account", account, as: .pia).status == 204)
        #expect(try flow(study) == StudyFlow(takesPart: 1, left: 0, withdrawn: 0, removed: 1, erased: 2))
        #expect(try flow(study).total == 4)
    }

    @Test func `FD-25 the flow of groups adds up to the places that are taken`() throws {
        let study = desk.begin()
        try portal.publish("wellbeing-5")
        _ = desk.add("wellbeing-5", to: study)
        let groups = """
            {"allocation": "alternating", "arms": ["full", "no_app"], "size": 1, "sample_size": 9, "sites": [],
             "outcomes": [{"is_primary": true, "questionnaire_key": "wellbeing-5", "scale": "wellbeing", "day": 28}]}
            """
        let set = portal.change(.put, "/studies/\(study)/groups", groups, as: .lena)
        #expect(set.status == 200 || set.status == 201, "\(set.text)")
        try live(in: study)
        let page = portal.get("/studies/\(study)/groups", as: .lena).text
        #expect(page.contains("4 von 9") && page.contains("<li>4 Personen wurden aufgenommen.</li>"))
        #expect(page.contains("<li>1 hat das ganze Konto gelöscht</li>"))
        // The same by group.
        for row in ["in der Studie", "ganzes Konto gelöscht", "zugeteilt"] {
            #expect(page.contains("<th scope=\"row\">\(row)</th>"), "\(row)")
        }
    }
}
