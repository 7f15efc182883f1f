import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Web

/// ST-3: the page of answering begins at the newest day, and shows those that need a look for one reason.
@Suite struct ComplianceFilterTests {
    @Test func `the newest day first, and participants by what is missing`() throws {
        let portal = try TestPortal()
        let desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study, StudyDesk.daily("12:00", startDay: 0))
        let people = [Person.pia, .nora, .quinn]
        for person in people { #expect(desk.enrol(person, in: study).status == 201) }
        let codenames = portal.call(.get, "/studies/\(study)/participants", as: .lena).list.compactMap {
            $0["attributes"]?["codename"]?.string
        }
        #expect(codenames.count == 3)
        // Six prompts: Quinn answers all, Nora one, Pia none.
        for day in 0..<6 {
            portal.wait(
                seconds: try #require(Instant("2026-11-\(20 + day)T11:30:00Z")).seconds - portal.now.seconds)
            try portal.wait(awake: 0)
            #expect(desk.answer("wellbeing-5", in: study, as: .quinn).status == 201)
            if day == 2 { #expect(desk.answer("wellbeing-5", in: study, as: .nora).status == 201) }
        }
        try portal.wait(awake: 1)
        let shown = { (query: String) -> (codenames: Set<String>, text: String) in
            let text = portal.get("/studies/\(study)/compliance\(query)", as: .lena).text
            return (Set(codenames.filter { text.contains(">\($0)<") }), text)
        }
        let all = shown("")
        #expect(all.codenames == Set(codenames))
        let newest = try #require(all.text.range(of: "26.11.")),
            older = try #require(all.text.range(of: "21.11."))
        #expect(newest.lowerBound < older.lowerBound)
        let silent = shown("?show=silent")
        let few = shown("?show=few")
        #expect(silent.codenames.count == 1 && few.codenames.count == 1 && silent.codenames != few.codenames)
        #expect(silent.text.contains("0 von 6") && few.text.contains("1 von 6"))
        #expect(
            silent.text.contains(#"show=silent" aria-current="true""#)
                && silent.text.contains("&amp;show=silent"))
        let none = shown("?show=baseline")
        #expect(none.codenames.isEmpty && none.text.contains("Das trifft auf keine Person zu."))
        // A word that is none shows all.
        #expect(shown("?show=nobody").codenames == Set(codenames))
    }
}
