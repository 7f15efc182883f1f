import Foundation
import HTTP
import JSON
import Templates
import Testing
import Wire

@testable import Demonstration
@testable import Portal
@testable import PortalTesting
@testable import Records
@testable import Web
@testable import Wording

/// The shape of the house, read from its files.
@Suite struct HouseTests {
    func file(_ path: String) throws -> String {
        try String(contentsOfFile: Cast.root + "/" + path, encoding: .utf8)
    }

    @Test func `the route table is the one that was reviewed`() throws {
        #expect(try file("Tests/PortalTests/Goldens/routes.txt") == Routes.all.table)
    }

    @Test func `the schema is the one that was reviewed`() throws {
        #expect(try file("Tests/PortalTests/Goldens/schema.sql") == SchemaText.current() + "\n")
    }

    @Test func `the OpenAPI document in the tree is the one that is served`() throws {
        #expect(try file("static/openapi.json") == Operations.openAPI + "\n")
        let portal = try TestPortal()
        #expect(portal.call(.get, "/openapi.json").text == Operations.openAPI)
    }

    @Test func `every call is in the OpenAPI document with its answers`() throws {
        let document = try JSON.parse(OpenAPI.document)
        for route in Routes.all.list where route.surface == .api {
            let operation = document["paths"]?[OpenAPI.path(of: route)]?[route.method.rawValue.lowercased()]
            #expect(operation?["responses"]?["default"] != nil, "\(route.pattern)")
            #expect(operation?["summary"]?.string?.isEmpty == false, "\(route.pattern)")
        }
    }

    @Test func `every example fits its schema`() throws {
        for route in Routes.all.list {
            switch route.call?.answers {
            case .one(_, let schema, let example)?:
                let attributes = try JSON.parse(example())["data"]?["attributes"]
                #expect(misfits(attributes ?? .null, schema, "") == [], "\(route.pattern)")
            case .many(_, let schema, let example)?:
                let attributes = try JSON.parse(example())["data"]?.array?.first?["attributes"]
                #expect(misfits(attributes ?? .null, schema, "") == [], "\(route.pattern)")
            default: continue
            }
        }
    }

    /// Where a value does not fit its schema.
    func misfits(_ json: JSON, _ schema: Schema, _ place: String) -> [String] {
        switch (schema, json) {
        case (.record, .object), (.nullable, .null), (.boolean, .bool), (.number, .number),
            (.string, .string):
            return []
        case (.matching(let pattern), .string(let text)):
            return (try? Regex(pattern).wholeMatch(in: text)) == nil ? [place] : []
        case (.formatted("date-time"), .string(let text)): return Instant(text) == nil ? [place] : []
        case (.formatted("date"), .string(let text)): return LocalDate(text) == nil ? [place] : []
        case (.formatted("uuid"), .string(let text)): return uuid(text) == nil ? [place] : []
        case (.formatted, .string): return []
        case (.choice(let values), .string(let text)): return values.contains(text) ? [] : [place]
        case (.integer, .number(let number)): return number.rounded() == number ? [] : [place]
        case (.named(let name), _):
            guard let shape = Schema.shared.first(where: { $0.name == name })?.schema else { return [place] }
            return misfits(json, shape, place)
        case (.nullable(let inner), _): return misfits(json, inner, place)
        case (.either(let shapes), _):
            return shapes.contains { misfits(json, $0, place).isEmpty } ? [] : [place]
        case (.list(let inner), .array(let values)):
            return values.flatMap { misfits($0, inner, place + "[]") }
        case (.map(let inner), .object(let members)):
            return members.flatMap { misfits($0.value, inner, "\(place).\($0.key)") }
        case (.open(let properties, let others), .object(let members)):
            return members.flatMap { member in
                let own = properties.first { $0.name == member.key }?.schema
                return misfits(member.value, own ?? others, "\(place).\(member.key)")
            }
        case (.object(let properties), .object(let members)):
            let unknown = members.filter { member in !properties.contains { $0.name == member.key } }.map {
                "\(place).\($0.key)"
            }
            return unknown
                + properties.flatMap { property -> [String] in
                    guard let value = json[property.name] else {
                        return property.isRequired ? ["\(place).\(property.name) missing"] : []
                    }
                    return misfits(value, property.schema, "\(place).\(property.name)")
                }
        default: return [place]
        }
    }

    @Test func `no schema of the OpenAPI document is empty`() throws {
        let document = try JSON.parse(OpenAPI.document)
        #expect(Self.empty(document, at: "") == [])
        // What is looked for would be found.
        #expect(Self.empty(try JSON.parse(Array(#"{"a": [{"items": {}}]}"#.utf8)), at: "") == [".a.items"])
    }

    /// Where an object without members stands: it says nothing, and tools take it for anything.
    private static func empty(_ json: JSON, at place: String) -> [String] {
        switch json {
        case .object(let members):
            if members.isEmpty { return [place] }
            return members.flatMap { empty($0.value, at: "\(place).\($0.key)") }
        case .array(let values): return values.flatMap { empty($0, at: place) }
        default: return []
        }
    }

    @Test func `the rules of the house hold`() throws {
        #expect(try SourceRules(folder: Cast.root).broken() == [])
    }

    @Test func `both languages say the same things`() throws {
        let folder = Cast.root + "/templates/texts"
        let german = try Texts(.german, folder: folder)
        let english = try Texts(.english, folder: folder)
        #expect(german.keys.symmetricDifference(english.keys) == [])
        // Dates are put together otherwise in every language.
        for key in german.keys where !key.hasPrefix("dates.") {
            #expect(places(german[key]) == places(english[key]), "\(key)")
            #expect(!german[key].isEmpty && !english[key].isEmpty, "\(key)")
        }
    }

    private func places(_ text: String) -> [String] {
        text.matches(of: /\{[a-z_]+\}/).map { String($0.output) }.sorted()
    }

    @Test func `every text that is asked for is there, and every one that is there is asked for`() throws {
        let texts = try Texts(.german, folder: Cast.root + "/templates/texts")
        var asked: Set<String> = []
        let swift = try sources("Sources", ".swift")
        let html = try sources("templates", ".html")
        for text in html {
            asked.formUnion(text.matches(of: /\{\{t\.([a-z_]+\.[a-z_0-9]+)\}\}/).map { String($0.1) })
        }
        for text in swift {
            asked.formUnion(text.matches(of: /"([a-z_]+\.[a-z_0-9]+)"/).map { String($0.1) })
        }
        let prefixes = swift.flatMap { $0.matches(of: /"([a-z_]+\.[a-z_]*)\\\(/).map { String($0.1) } }
        let counted = swift.flatMap { $0.matches(of: /count\("([a-z_]+\.[a-z_]+)"/).map { String($0.1) } }
        let features = Set(texts.keys.map { $0.prefix { $0 != "." } })
        let names = asked.filter { features.contains($0.prefix { $0 != "." }) }
        // Not texts, though they look like it: names of actions in the audit log.
        let actions = Set(
            swift.flatMap { $0.matches(of: /AuditAction\(name: "([a-z_.]+)"/).map { String($0.1) } })
        let constraints = Set(swift.flatMap { $0.matches(of: /violates\("([a-z_.]+)"/).map { String($0.1) } })
        let missing = names.subtracting(texts.keys).subtracting(actions).subtracting(counted).subtracting(
            constraints)
        #expect(missing == [])
        let unasked = texts.keys.subtracting(asked).filter { key in
            !prefixes.contains { key.hasPrefix($0) }
                && !counted.contains { key == $0 + "_one" || key == $0 + "_many" }
        }
        #expect(unasked == [])
    }

    @Test func `every write without a line in the audit log gives its reason`() throws {
        let root = Cast.root + "/Sources"
        var given: Set<String> = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: root) where path.hasSuffix(".swift") {
            let text = try String(contentsOfFile: root + "/" + path, encoding: .utf8)
            for match in text.matches(of: /writeUnaudited\(\s*\.([a-zA-Z]+)/) {
                let reason = match.output.1
                given.insert("\(reason.padding(toLength: 14, withPad: " ", startingAt: 0))\(path)")
            }
        }
        let table = given.sorted().joined(separator: "\n") + "\n"
        #expect(try file("Tests/PortalTests/Goldens/unaudited.txt") == table)
        let reasons = Set(given.map { String($0.prefix { $0 != " " }) })
        #expect(reasons == Set(Unaudited.allCases.map { "\($0)" }))
    }

    private func sources(_ folder: String, _ ending: String) throws -> [String] {
        let root = Cast.root + "/" + folder
        return try FileManager.default.subpathsOfDirectory(atPath: root).filter { $0.hasSuffix(ending) }.map {
            try String(contentsOfFile: root + "/" + $0, encoding: .utf8)
        }
    }
}

/// Every page, as its readers see it in the demonstration.
@Suite struct TemplateTests {
    /// Walked through once for all that is looked at.
    private static let sheets = Result { try DrawnGallery.sheets(resources: Cast.root) }

    private func sheets(_ language: Language) throws -> [(name: String, html: String)] {
        try Self.sheets.get().compactMap { sheet in
            sheet.html[language].map { ("\(sheet.template), \(sheet.name)", $0) }
        }
    }

    @Test(arguments: [Language.german, .english])
    func `every page draws itself, well nested, with one heading and labelled fields`(language: Language)
        throws
    {
        for (name, html) in try sheets(language) {
            #expect(html.contains("<html lang=\"\(language.rawValue)\""), "\(name)")
            #expect(html.matches(of: /<h1/).count == 1, "\(name)")
            #expect(html.matches(of: /<main/).count == 1, "\(name)")
            #expect(misnested(html) == nil, "\(name)")
            #expect(html.matches(of: /\sid="([^"]+)"/).map { String($0.1) }.duplicates == [], "\(name)")
            for field in html.matches(of: /<(?:input|select|textarea) [^>]*\sid="([^"]+)"/) {
                #expect(html.contains("for=\"\(field.1)\""), "\(name): \(field.1)")
            }
            for form in html.matches(of: /<form [^>]*>/) {
                #expect(form.output.contains("action=\"/"), "\(name)")
            }
            let posts = html.matches(of: /method="post"/).count
            #expect(html.matches(of: /name="form_token"/).count == posts, "\(name)")
        }
    }

    @Test func `every template belongs to a page in both languages, a layout or a partial`() throws {
        let library = try Library(folder: Cast.root + "/templates")
        let whole = try Self.sheets.get().filter { $0.html[.german] != nil && $0.html[.english] != nil }
        let used = Set(whole.map(\.template))
        let loose = library.names.filter {
            !$0.hasPrefix("layouts/") && !$0.contains("/_") && !used.contains($0)
        }
        #expect(loose == [])
    }

    /// What a link, a form and the demonstration's own life lead to needs no example. Links in mails lead to some of those that are left,
    /// and masked leads, of whom the demonstration has none, to six.
    @Test func `examples are of pages that are not reached otherwise`() throws {
        let examples = Feature.all.flatMap(\.pages).map { type(of: $0).template }
        let all = try Self.sheets.get()
        let reached = Set(all.filter { $0.name.contains(" /") }.map(\.template))
        let known = all.filter { !$0.name.contains(" /") }.map(\.template)
        #expect(known == examples)
        #expect(reached.intersection(examples).subtracting(["my/wearables"]) == [])
        #expect(reached.count > 150 && examples.count <= 31)
    }

    @Test func `every icon that a page shows is drawn, and every one that is drawn is shown`() throws {
        let file = try String(contentsOfFile: Cast.root + "/static/icons/icons.svg", encoding: .utf8)
        let drawn = Set(file.matches(of: /<symbol id="([a-z]+)"/).map { String($0.1) })
        var shown = Set(NavigationItem.allCases.map(\.icon))
        for (name, html) in try sheets(.german) where !name.hasPrefix(ComponentPage.template) {
            shown.formUnion(html.matches(of: /icons\.svg#([a-z]+)"/).map { String($0.1) })
        }
        #expect(drawn.subtracting(shown) == [])
        #expect(shown.subtracting(drawn) == [])
    }

    @Test func `every link and form leads to a route`() throws {
        for (name, html) in try sheets(.german) {
            for link in html.matches(of: /<(a|form|link|img|script) ([^>]*)>/) {
                guard let found = link.2.firstMatch(of: /(?:href|action|src)="([^"]*)"/) else { continue }
                let address = found.1.replacing("&amp;", with: "&")
                guard address.hasPrefix("/"), let target = Target(String(address)) else { continue }
                let method: HTTP.Method = link.2.contains("method=\"post\"") ? .post : .get
                #expect(throws: Never.self, "\(name): \(address)") {
                    try Routes.all.match(method, target.path)
                }
            }
        }
    }

    /// The first element that is closed wrongly; nil when all is well.
    private func misnested(_ html: String) -> String? {
        let empty: Set<String> = ["meta", "link", "input", "img", "br", "path", "circle", "!DOCTYPE"]
        var open: [String] = []
        for tag in html.matches(of: /<(\/?)([a-zA-Z!][a-zA-Z0-9]*)([^>]*)>/) {
            let name = String(tag.2)
            if empty.contains(name) || tag.3.hasSuffix("/") { continue }
            if tag.1.isEmpty { open.append(name) } else if open.popLast() != name { return name }
        }
        return open.first
    }
}

extension [String] {
    fileprivate var duplicates: [String] {
        var seen: Set<String> = []
        return filter { !seen.insert($0).inserted }
    }
}
