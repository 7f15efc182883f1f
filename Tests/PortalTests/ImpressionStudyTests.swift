import HTTP
import Testing

@testable import PortalTesting
@testable import Records
@testable import Web

/// One frame, studies and administration (places 9 and 10 of the first impression).
extension ImpressionTests {
    @Test func `impression 9 pages that are printed have the side bar, its place, and the foot`() throws {
        let therapy = try #require(portal.cast.therapies[.pia])
        let form = try portal.publish("wellbeing-5")
        for (path, place) in [
            ("/patients/\(therapy)/pairing-sheet", "/patients"),
            ("/patients/\(therapy)/briefing", "/patients"),
            ("/patients/\(therapy)/file?make=true", "/patients"),
            ("/questionnaires/\(form)/blank", "/questionnaires"),
        ] {
            let page = portal.get(path, as: .ada)
            #expect(page.status == 200, "\(path)")
            #expect(page.text.contains("<header class=\"frame__side\">"), "\(path)")
            #expect(page.text.contains("href=\"\(place)\" aria-current=\"page\""), "\(path)")
            #expect(
                page.text.contains("<footer class=\"foot\">") && page.text.contains("id=\"main\""), "\(path)")
            #expect(
                page.text.matches(of: /class="patient-bar"/).count == (place == "/patients" ? 1 : 0),
                "\(path)")
        }
    }

    @Test func `impression 9 only a document's preview is white on a screen, and all are on paper`() throws {
        let assets = portal.services.assets
        let sheet = [assets.stylesheet, assets.deskStylesheet].map {
            String(decoding: assets.bytes(of: $0), as: UTF8.self)
        }.joined()
        let rules = sheet.matches(of: /\.paper(?:--white)? \{[^}]*\}/).map { String($0.0) }
        #expect(rules.count { $0.hasPrefix(".paper {") && $0.contains("var(--card)") } == 1)
        #expect(rules.filter { $0.contains("color-scheme: light") }.count == 2)
    }
}
