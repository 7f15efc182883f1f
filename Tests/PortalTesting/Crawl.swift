import HTTP
import Testing

@testable import Portal
@testable import Records
@testable import Web

/// The pages an account reaches by following links.
struct Crawl {
    struct Form {
        let method: HTTP.Method
        let address: String
        /// With its buttons' names: without scripts one of them is pressed.
        let fields: [(String, String)]
        let page: String
    }

    let portal: TestPortal
    let person: Person
    private(set) var pages: [String: String] = [:]
    /// Links that lead nowhere, with their pages.
    private(set) var dead: [String] = []

    init(_ portal: TestPortal, as person: Person, from starts: [String], limit: Int = 400) {
        self.portal = portal
        self.person = person
        var waiting = starts.map { (path: $0, from: "the start") }
        var seen = Set(starts)
        while !waiting.isEmpty, pages.count < limit {
            let next = waiting.removeFirst()
            let answer = portal.get(next.path, as: person)
            if [403, 404, 405].contains(answer.status) || answer.status >= 500 {
                dead.append("\(person) \(next.from): \(next.path) \(answer.status)")
            }
            if answer.status == 303, let onward = answer.headers["Location"], onward.hasPrefix("/"),
                seen.insert(Self.shape(onward)).inserted
            {
                waiting.append((onward, next.from))
            }
            let type = answer.headers["Content-Type"] ?? ""
            guard answer.status == 200, type.hasPrefix("text/html") else { continue }
            let html = answer.text
            pages[next.path] = html
            for link in Self.links(html, on: next.path) where seen.insert(Self.shape(link)).inserted {
                waiting.append((link, next.path))
            }
        }
    }

    /// One page of a kind is enough where only the query differs in its values.
    private static func shape(_ address: String) -> String {
        let parts = address.split(separator: "?", maxSplits: 1)
        guard parts.count == 2 else { return address }
        let names = parts[1].split(separator: "&").map { $0.prefix { $0 != "=" } }.joined(separator: "&")
        return "\(parts[0])?\(names)"
    }

    static func plain(_ text: some StringProtocol) -> String {
        String(text).replacing("&quot;", with: "\"").replacing("&lt;", with: "<")
            .replacing("&gt;", with: ">").replacing("&#39;", with: "'").replacing("&#x3D;", with: "=")
            .replacing("&amp;", with: "&")
    }

    static func links(_ html: String, on page: String) -> [String] {
        html.matches(of: /<a [^>]*href="([^"]+)"/).compactMap { match in
            let address = plain(match.1).prefix { $0 != "#" }
            if address.hasPrefix("?") { return page.prefix { $0 != "?" } + String(address) }
            guard address.hasPrefix("/"), !address.hasPrefix("//"), !address.hasPrefix("/assets/"),
                !address.hasPrefix("/language")
            else { return nil }
            return String(address)
        }
    }

    var forms: [Form] { pages.sorted { $0.key < $1.key }.flatMap { Self.forms($0.value, on: $0.key) } }

    /// Each form as often as it has buttons.
    static func forms(_ html: String, on page: String) -> [Form] {
        html.matches(of: /(?s)<form ([^>]*)>(.*?)<\/form>/).flatMap { match -> [Form] in
            let head = " " + String(match.1)
            let action = head.firstMatch(of: /\saction="([^"]*)"/).map { plain($0.1) } ?? page
            let method: HTTP.Method = head.contains(#"method="post""#) ? .post : .get
            let fields = FilledForm.fields(of: String(match.2))
            let own = " " + head
            let id = own.firstMatch(of: /\sid="([^"]*)"/).map { String($0.1) }
            let inner = String(match.2).matches(of: /<button([^>]*)>/).map { String($0.1) }
            let outer = id.map { id in
                html.matches(of: /<button([^>]*)>/).map { String($0.1) }.filter {
                    $0.contains("form=\"\(id)\"")
                }
            }
            let buttons = (inner + (outer ?? [])).filter { !$0.contains(#"type="button""#) }
            return buttons.map { button in
                let name = button.firstMatch(of: /\sname="([^"]*)"/).map { plain($0.1) }
                let value = button.firstMatch(of: /\svalue="([^"]*)"/).map { plain($0.1) } ?? ""
                let target = button.firstMatch(of: /\sformaction="([^"]*)"/).map { plain($0.1) } ?? action
                return Form(
                    method: method, address: target, fields: fields + (name.map { [($0, value)] } ?? []),
                    page: page)
            }
        }
    }

    /// Whether the route of a form takes it from this person.
    func acts(_ form: Form) throws -> Bool {
        guard let target = Target(form.address),
            let match = try? Routes.all.match(form.method, target.path)
        else { return false }
        let cookie = "sid=\(portal.cast.sessions[person] ?? TestPortal.anonymous)"
        let request = Request(
            method: form.method, target: target, headers: ["Cookie": cookie], peer: "192.0.2.1")
        let actor = try portal.pipeline.identification.actor(of: request, on: .portal, now: portal.now)
        do {
            try match.route.admits(actor, match.places, portal.services, portal.now)
            return true
        } catch {
            return false
        }
    }
}
