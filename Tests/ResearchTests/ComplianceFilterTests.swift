import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Web

/// ST-3: the page of answering begins at the newest day, and shows those that need a look for one reason.
@Suite struct ComplianceFilterTests {
    @Test func `participants who answered alike stand on one part each`() throws {
        let portal = try TestPortal()
        let desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study, StudyDesk.daily("12:00", startDay: 0))
        for person in [Person.pia, .nora, .quinn] { #expect(desk.enrol(person, in: study).status == 201) }
        let codenames = portal.call(.get, "/studies/\(study)/participants", as: .lena).list.compactMap {
            $0["attributes"]?["codename"]?.string
        }
        try portal.wait(awake: 3)
        for order in ["response", "codename"] {
            var path: String? = "/studies/\(study)/compliance?sort=\(order)&limit=1"
            var shown: [[String]] = []
            while let next = path, shown.count < 5 {
                let page = portal.get(next, as: .lena).text
                shown.append(codenames.filter { page.contains(">\($0)<") })
                let link = page.firstMatch(of: /rel="next" href="([^"]*cursor=[^"]*)"/)
                path = link.map { String($0.1).replacing("&amp;", with: "&") }
            }
            #expect(shown.allSatisfy { $0.count == 1 })
            #expect(shown.flatMap(\.self).sorted() == codenames.sorted())
        }
    }

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
        // The least answered first; of a table the same, a row for each day.
        let sorted = shown("?sort=response").text
        let order = codenames.sorted { one, other in
            guard let first = sorted.range(of: ">\(one)<"), let second = sorted.range(of: ">\(other)<") else {
                return false
            }
            return first.lowerBound < second.lowerBound
        }
        #expect(Set([order[0]]) == silent.codenames && Set([order[1]]) == few.codenames)
        #expect(sorted.contains("17 % (1 von 6)"))
        let parts = [0, 1, 2].map { number in
            let first = "/studies/\(study)/compliance?sort=response&limit=1"
            let path = (0..<number).reduce(first) { path, _ in
                let page = portal.get(path, as: .lena).text
                let next = page.firstMatch(of: /rel="next" href="([^"]*cursor=[^"]*)"/)
                return next.map { String($0.1).replacing("&amp;", with: "&") } ?? ""
            }
            return codenames.filter { portal.get(path, as: .lena).text.contains(">\($0)<") }
        }
        #expect(parts == order.map { [$0] })
        let file = portal.post("/studies/\(study)/compliance/table", [("sort", "response")], as: .lena)
        #expect(file.status == 200 && file.headers["Content-Type"]?.hasPrefix("text/csv") == true)
        #expect(file.headers["Content-Disposition"] == "attachment; filename=\"compliance.csv\"")
        // It is sent as a stream, and nothing is left of it.
        let text = String(decoding: try file.streamed(), as: UTF8.self)
        let rows = text.split(separator: "\r\n").map { $0.split(separator: ",").map(String.init) }
        #expect(rows.first == ["codename", "arm", "day", "prompted", "answered", "not_seen", "at_will"])
        let few7 = portal.post("/studies/\(study)/compliance/table", [("show", "few")], as: .lena)
        // Byte by byte: a line for each day, the earliest first.
        let lines = (20...25).map { "\(order[1]),,2026-11-\($0),1,\($0 == 22 ? 1 : 0),0,0\r\n" }
        #expect(
            try String(decoding: few7.streamed(), as: UTF8.self)
                == "codename,arm,day,prompted,answered,not_seen,at_will\r\n" + lines.joined())
        #expect(try portal.audit().suffix(1) == ["compliance.exported"])
        // A word that is none shows all.
        #expect(shown("?show=nobody").codenames == Set(codenames))
    }
}
