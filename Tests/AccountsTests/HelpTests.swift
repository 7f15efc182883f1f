import Foundation
import HTTP
import Testing

@testable import Accounts
@testable import PortalTesting
@testable import Web
@testable import Wording

/// The guide for staff (impression).
@Suite struct HelpTests {
    private let portal: TestPortal

    init() throws { portal = try TestPortal() }

    private func parts(_ person: Person) -> [String] {
        let text = portal.get("/help", as: person).text
        return HelpPart.allCases.map(\.rawValue).filter { text.contains("<h2 id=\"\($0)\">") }
    }

    @Test func `impression the guide has a part for each role of its reader, and none for others`() {
        #expect(parts(.ada) == ["therapist"] && parts(.lena) == ["lead"] && parts(.uma) == ["admin"])
        #expect(portal.get("/help", as: .pia).status == 403)
        #expect(portal.get("/help", as: .nobody).status == 303)
        // The frame leads there.
        #expect(portal.get("/profile", as: .lena).text.contains("href=\"/help\""))
    }

    @Test(arguments: [(Person.ada, "ada"), (.lena, "lena"), (.uma, "uma")])
    func `impression each link and picture of the guide leads to what its reader may open`(
        _ person: Person, _ name: String
    ) throws {
        for language in ["de", "en"] {
            let page = portal.get("/help?lang=\(language)", as: person).text
            let main = try #require(page.range(of: "<main")).lowerBound
            let end = try #require(page.range(of: "</main>")).lowerBound
            let text = String(page[main..<end])
            let links = text.matches(of: /(?:href|src)="(\/[^"#]*)"/).map { String($0.1) }
            #expect(links.count >= 5, "\(name) \(language)")
            for link in Set(links) {
                #expect(portal.get(link, as: person).status == 200, "\(name) \(language) \(link)")
            }
            #expect(text.contains("lang=\"\(language)\"") && text.contains("alt=\""))
        }
    }

    @Test func `impression all languages have the same sections with the same pictures`() throws {
        for part in HelpPart.allCases {
            let shapes = try ["de", "en"].map { language -> [String] in
                let file = try #require(portal.services.shipped("help/\(part.rawValue).\(language).md"))
                return String(decoding: file, as: UTF8.self).split(separator: "\n").compactMap { line in
                    if line.hasPrefix("## ") { return "section" }
                    return line.hasPrefix("![") ? line.split(separator: "](").last.map(String.init) : nil
                }
            }
            #expect(shapes[0] == shapes[1] && shapes[0].contains("section"))
        }
    }
}
