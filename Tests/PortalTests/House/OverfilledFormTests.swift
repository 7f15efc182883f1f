import Foundation
import HTTP
import Records
import Testing
import Wire

@testable import Portal
@testable import PortalTesting
@testable import Web

/// FD-47: what is too long or too large is refused by the name of its field, on the form it stands in.
@Suite struct OverfilledFormTests {
    private static let people: [(Person, [String])] = [
        (.ada, ["/"]), (.uma, ["/"]), (.lena, ["/"]), (.pia, ["/my", "/my/more"]),
    ]

    /// What bears no text of people: it chooses, or proves.
    private static let leftOut = ["/logout", "/language", "/screen"]

    @Test(arguments: people)
    func `FD-47 what is too long or too large is refused by the name of its field`(
        person: Person, starts: [String]
    ) throws {
        let portal = try TestPortal()
        let crawl = Crawl(portal, as: person, from: starts, limit: 150)
        var refused = 0
        for form in crawl.forms where form.method == .post && !Self.leftOut.contains(form.address) {
            let target = Target(form.address).flatMap { try? Routes.all.match(.post, $0.path) }
            if target?.route.upload != nil { continue }
            let typed = Self.typed(in: crawl.pages[form.page] ?? "")
            let fields = form.fields.map { name, value in
                (name, typed.contains(name) ? String(repeating: "9", count: 70_000) : value)
            }
            if fields.allSatisfy({ $0.1.count < 70_000 }) { continue }
            let answer = portal.post(form.address, fields, as: person)
            guard answer.status == 422 else { continue }
            refused += 1
            for line in Self.unnamed(in: answer.text) {
                Issue.record("\(person) \(form.page): \(form.address): \(line)")
            }
        }
        #expect(refused > 2, "\(person)")
    }

    /// Names of fields that are typed into.
    private static func typed(in html: String) -> Set<String> {
        var names: Set<String> = []
        for match in html.matches(of: /<(input|textarea) ([^>]*)>/) {
            let isTyped =
                match.1 == "textarea" || match.2.contains("type=\"text\"")
                || match.2.contains("type=\"number\"")
                || !match.2.contains("type=")
            guard isTyped, let name = match.2.firstMatch(of: /\bname="([^"]*)"/) else { continue }
            names.insert(Crawl.plain(name.1))
        }
        return names
    }

    /// Lines of the summary that do not say which field they are about.
    private static func unnamed(in html: String) -> [String] {
        guard let summary = html.firstMatch(of: /(?s)<div class="errors".*?<\/ul>/) else {
            return ["no summary: \(html.firstMatch(of: /(?s)<main.*/).map { $0.0.prefix(400) } ?? "")"]
        }
        return summary.0.matches(of: /<a href="#([^"]*)">(.*?)<\/a>/).compactMap { line in
            let hasName = line.2.contains(": ")
            let leads = html.contains("id=\"\(line.1)\"")
            return hasName && leads ? nil : "#\(line.1) \(line.2)\(leads ? "" : ", which leads nowhere")"
        }
    }
}
