import Foundation
import HTTP
import Testing

@testable import Demonstration
@testable import Portal
@testable import PortalTesting
@testable import Records
@testable import Web
@testable import Wording

/// SN-5: an invented language walks through all pages.
@Suite struct ThirdLanguageTests {
    /// An account for each access rule of pages.
    private static func reader(_ rule: AccessRule) -> Person {
        switch rule {
        case .admin, .clinicLead: .uma
        case .lead, .studyLead, .studyAssessor, .team: .lena
        case .halfway: .half
        case .anyone, .patient, .paired, .registrant: .nobody
        case .staff, .therapist, .caseload, .caseloadReader, .caseloadWatcher, .caseloadStandIn,
            .caseloadOwner, .author,
            .account:
            .ada
        }
    }

    private static let pages = Routes.all.list.filter { $0.surface == .portal && $0.method == .get }

    /// A page without what differs because the reader chose another language: the tag of the language and the switch.
    private static func plain(_ page: String) -> String {
        page.replacing(/<html lang="[a-z]+"/, with: "<html")
            .replacing(/(?s)<form action="\/language".*?<\/form>/, with: "")
            .replacing(/<a class="button" href="\?lang=.*?<\/a>/, with: "")
            // A title in the language of its reader needs no word about it.
            .replacing(/<span lang="[a-z]+" dir="auto">([^<]*)<\/span>/) { $0.1 }
            .replacing(#/ lang="[a-z]+"(?: dir="auto")?/#, with: "")
            // A codename that is drawn for the form.
            .replacing(/value="C[0-9]{6}"/, with: "")
    }

    private static func withoutBrackets(_ page: String) -> String {
        page.replacing("⟦", with: "").replacing("⟧", with: "")
    }

    /// Where two pages begin to differ; nil when they are the same.
    private static func difference(_ page: String, _ other: String) -> String? {
        let page = withoutBrackets(page)
        let other = withoutBrackets(other)
        if page == other { return nil }
        let same = zip(page, other).prefix { $0 == $1 }.count
        let around = { (text: String) in text.dropFirst(max(0, same - 60)).prefix(160) }
        return "\(around(page)) ≠ \(around(other))".replacing("\n", with: " ")
    }

    /// What stands outside of brackets, however they lie in each other.
    private static func outside(_ page: String) -> String {
        var depth = 0
        return String(
            page.filter { character in
                if character == "⟦" { depth += 1 }
                defer { if character == "⟧" { depth -= 1 } }
                return depth == 0
            })
    }

    /// The texts between tags and in the attributes that people read or hear.
    private static func words(_ page: String) -> Set<String> {
        let body = page.replacing(/(?s)<script.*?<\/script>/, with: "")
        let texts = body.matches(of: />([^<>]+)</).map { String($0.1) }
        let spoken = body.matches(of: /(?:aria-label|title|alt|placeholder)="([^"]+)"/).map { String($0.1) }
        return Set((texts + spoken).map { $0.trimmingCharacters(in: .whitespacesAndNewlines) })
    }

    /// Walks through all pages in English and in the made-up language.
    private func walk(
        _ language: MadeUpLanguage, _ look: (_ place: String, _ english: String, _ own: String) -> Void
    ) throws {
        let portal = try TestPortal { $0.resources = language.folder }
        let headers = { (code: String) -> Headers in ["Accept-Language": code] }
        var seen = 0
        for route in Self.pages {
            let path = AccessMatrixTests.path(of: route, portal.cast)
            let person = Self.reader(route.rule)
            // Looking leaves a line in the log of visits, once.
            _ = portal.get(path, as: person)
            let english = portal.get(path + "?lang=en", as: person, headers("en"))
            let own = portal.get(path + "?lang=xx", as: person, headers("xx, en;q=0.5"))
            #expect(english.status == own.status, "\(path)")
            guard own.headers["Content-Type"]?.hasPrefix("text/html") == true else { continue }
            #expect(own.text.contains("<html lang=\"xx\""), "\(path)")
            look(path, Self.plain(english.steady), Self.plain(own.steady))
            seen += 1
        }
        #expect(seen > 80)
    }

    @Test func `SN-5 every sentence of every page is in the third language`() throws {
        // Names of people, instruments and units are the same in every language.
        let english = Set(try MadeUpLanguage.sentences("en").map(\.text).filter { $0.contains(" ") })
        let german = Set(try MadeUpLanguage.sentences("de").map(\.text).filter { $0.contains(" ") })
        let folder = Cast.root + "/templates/information"
        let headings = Set(
            try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { name in
                try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8).split(separator: "\n").first
                    .map { $0.trimmingCharacters(in: ["#", " "]) }
            })
        #expect(headings.contains("Legal notice"))
        try walk(try MadeUpLanguage()) { place, page, own in
            #expect(own.contains("⟦"), "\(place)")
            #expect(Self.difference(own, page) == nil, "\(place)")
            // The pages of information of the made-up language are those in English: their headings are no sentences of ours.
            let left = Self.words(Self.outside(own)).subtracting(headings)
            // The summaries of the calls are English for all readers.
            if place != "/api/docs" { #expect(left.intersection(english) == [], "\(place)") }
            #expect(left.intersection(german) == [], "\(place)")
            // A key without a sentence would show itself.
            #expect(left.filter { $0.wholeMatch(of: /[a-z]+\.[a-z]+_[a-z_]+/) != nil } == [], "\(place)")
        }
    }

    @Test func `SN-5 where half of the sentences are missing, English stands in for them one by one`() throws
    {
        let half = try MadeUpLanguage { _, place in place.isMultiple(of: 2) }
        let all = try MadeUpLanguage.sentences("en")
        let missing = Set(
            all.enumerated().filter { !$0.offset.isMultiple(of: 2) && $0.element.text.contains(" ") }.map(
                \.element.text))
        var shown: Set<String> = []
        try walk(half) { place, page, own in
            // The log lists what was done in the order of the words for it.
            if !place.hasPrefix("/admin/audit-log") { #expect(Self.difference(own, page) == nil, "\(place)") }
            shown.formUnion(Self.words(Self.outside(own)).intersection(missing))
            #expect(own.contains("⟦"), "\(place)")
        }
        #expect(shown.count > 100)
    }

    @Test func `SN-5 the gallery's pages are whole in the third language, sentence by sentence`() throws {
        let language = try MadeUpLanguage()
        let xx = try #require(Language(rawValue: MadeUpLanguage.code))
        // Questionnaires say things in their own words, some of which are those of a page.
        let content = try Self.content()
        #expect(content.contains("About you"))
        let english = Set(try MadeUpLanguage.sentences("en").map(\.text).filter { $0.contains(" ") })
        var seen = 0
        for sheet in try DrawnGallery.sheets(resources: language.folder, languages: [xx]) {
            // The summaries of the calls are English for all readers.
            guard sheet.template != "system/api", let own = sheet.html[xx].map(Self.plain) else { continue }
            let name = "\(sheet.template), \(sheet.name)"
            #expect(own.contains("⟦"), "\(name)")
            #expect(
                Self.words(Self.outside(own)).intersection(english).subtracting(content) == [], "\(name)")
            seen += 1
        }
        #expect(seen > 150)
    }

    /// The texts of the shipped questionnaires.
    private static func content() throws -> Set<String> {
        let folder = Cast.root + "/templates/instruments"
        return Set(
            try FileManager.default.contentsOfDirectory(atPath: folder).flatMap { name in
                let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
                return text.matches(of: /"((?:[^"\\]|\\.)*)"/).map { String($0.1) }
            })
    }
}
