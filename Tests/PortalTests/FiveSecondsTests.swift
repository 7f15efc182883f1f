import Foundation
import HTTP
import Testing
import Wire

@testable import Contributions
@testable import PortalTesting
@testable import Research
@testable import Studies
@testable import Web
@testable import Wording

/// What fresh eyes did not understand within five seconds.
extension ImpressionTests {
    private func text(_ path: String, as person: Person) -> String {
        portal.get(path, as: person).text.replacing(/<[^>]*>/, with: " ").split(
            whereSeparator: \.isWhitespace
        )
        .joined(separator: " ")
    }

    @Test func `mail that goes to files is in sight, and not in order`() {
        for path in ["/admin", "/admin/system"] {
            let home = portal.get(path, as: .uma).text
            let row = home.components(separatedBy: "<li class=\"rows__entry\">").first {
                $0.contains("E-Mail-Versand")
            }
            #expect(
                row?.contains("badge--warn") == true && row?.contains("nur als Dateien") == true, "\(path)")
        }
    }

    @Test func `a study that is over leads on to its results and its data`() throws {
        let desk = StudyDesk(portal: portal)
        let study = desk.begin()
        #expect(!text("/studies/\(study)", as: .lena).contains("Die Studie ist vorbei"))
        let ends = #"{"ends_at": "\#(portal.now.adding(days: 1).text)"}"#
        #expect(portal.change(.patch, "/studies/\(study)", ends, as: .lena).status == 200)
        try portal.wait(awake: 2)
        #expect(text("/studies", as: .lena).contains("vorbei 0 – Ergebnisse ansehen"))
        let page = portal.get("/studies/\(study)", as: .lena).text
        for (end, words) in [("results", "Ergebnisse ansehen"), ("export", "Daten exportieren")] {
            #expect(page.contains("<a href=\"/studies/\(study)/\(end)\">\(words)</a>"))
        }
    }

    @Test func `the timeline's key names pauses and sessions that did not take place, with their days`()
        throws
    {
        let pia = try #require(portal.cast.therapies[.pia])
        let path = "/patients/\(pia)/timeline?zoom=therapy"
        #expect(!text(path, as: .ada).contains("Schattiert"))
        let pause = #"{"starts_on": "2026-11-20", "ends_on": "2026-11-21"}"#
        #expect(portal.call(.post, "/patients/\(pia)/pauses", pause, as: .ada).status == 201)
        #expect(text(path, as: .ada).contains("Schattiert: Pause 20.11. bis 21.11."))
    }

    @Test func `marks of a study's course stand on the weeks that have values`() {
        let texts = portal.services.texts(.german)
        let drawing = { (weeks: [Int]) in
            CourseDrawing(weeks: weeks, arms: ArmWords([], in: [.german], texts), texts: texts).sheet([])
        }
        let marks = { (weeks: [Int]) in drawing(weeks).days.map(\.text) }
        #expect(marks([0, 4, 8, 12, 16]) == ["1", "5", "9", "13", "17"])
        #expect(marks([0]) == ["1"] && marks(Array(0..<13)) == ["1", "4", "7", "10", "13"])
        #expect(drawing([0, 4]).axisName == "Woche")
    }
}
