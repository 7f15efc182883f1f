import Foundation
import HTTP
import Identity
import Records
import Web
import Wording

/// The browser of one account, or of a stranger.
struct GalleryBrowser {
    /// A request, and the one that it was led from.
    struct Step {
        let address: String
        let request: Request
        let match: (route: Route, places: [String: String])
        /// The method, the pattern and the names of a query, with those of what led here.
        let kind: String
        /// A redirect that was answered before, with what the next page says of it.
        let before: Reply?
    }

    private let cookie: String
    private let pipeline: Pipeline
    private var asked: Set<String> = []
    private var visits: [String: Int] = [:]
    private(set) var places: [String: String] = [:]
    /// By the pattern that they are sent to, the newest that waits, and how many were taken.
    private var forms: [String: GalleryForm] = [:]
    private var taken: [String: Int] = [:]

    init(cookie: String, _ pipeline: Pipeline) {
        self.cookie = cookie
        self.pipeline = pipeline
    }

    /// - Returns: nil for what no route answers, was asked already or was asked often enough with other ids.
    mutating func step(
        to address: String, sending form: [Form.Field]? = nil, after: (kind: String, Reply)? = nil
    ) -> Step? {
        let method: HTTP.Method = form == nil ? .get : .post
        guard let target = Target(address), let match = try? pipeline.routes.match(method, target.path)
        else { return nil }
        let names = target.query.fields.map(\.name).joined(separator: "&")
        var kind = "\(method.rawValue) \(match.route.pattern)" + (names.isEmpty ? "" : "?\(names)")
        if let after { kind = "\(after.kind), \(kind)" }
        visits[kind, default: 0] += 1
        if form == nil, after == nil, !asked.insert(address).inserted || visits[kind, default: 0] > 3 {
            return nil
        }
        for (name, value) in match.places where places[name] == nil { places[name] = value }
        let body = (form ?? []).map { "\(percentEncoded($0.name))=\(percentEncoded($0.value))" }
        let request = Request(
            method: method, target: target,
            headers: ["Cookie": "sid=\(cookie)", "Content-Type": "application/x-www-form-urlencoded"],
            body: Array(body.joined(separator: "&").utf8), peer: "192.0.2.1")
        return Step(address: address, request: request, match: match, kind: kind, before: after?.1)
    }

    /// A pattern with ids that were seen in its places; nil where one was not.
    static func address(of pattern: String, _ places: [String: String]) -> String? {
        let parts = pattern.split(separator: "/").map { part in
            part.hasPrefix(":") ? places[String(part.dropFirst())] : String(part)
        }
        return parts.contains(nil) ? nil : "/" + parts.compactMap(\.self).joined(separator: "/")
    }

    // MARK: Answers

    func answer(_ step: Step, in language: Language) throws -> Reply? {
        let now = pipeline.services.clock.now
        let actor = try pipeline.identification.actor(of: step.request, on: .portal, now: now)
        do {
            return try step.match.route.run(
                step.request, step.match.places, actor, language, pipeline.services, now)
        } catch Problem.signInRequired where step.request.path.isEmpty {
            return try pipeline.routes.entrance?(step.request, language, pipeline.services, now)
        } catch  where error is Problem || step.request.method == .post {
            return nil
        }
    }

    func draw(_ page: any Page, _ step: Step, in language: Language) throws -> String {
        let now = pipeline.services.clock.now
        let actor = try pipeline.identification.actor(of: step.request, on: .portal, now: now)
        if let before = step.before { _ = try pipeline.render(before, step.request, actor, language, now) }
        let response = try pipeline.render(.page(page), step.request, actor, language, now)
        return String(decoding: response.bytes, as: UTF8.self)
    }

    // MARK: What a page leads to

    /// Keeps the forms of a page to be sent.
    /// - Returns: where its links lead, and the forms that only ask.
    mutating func read(_ html: String, on address: String) -> [String] {
        var onward = html.components(separatedBy: "<a ").dropFirst().compactMap { text in
            GalleryForm.attribute("href", of: " " + text.prefix { $0 != ">" })
        }
        // A link that is shown to be passed on.
        onward += html.components(separatedBy: ">\(pipeline.services.origin)").dropFirst().map { text in
            String(text.prefix { $0 != "<" })
        }
        for form in GalleryForm.all(in: html, on: address) {
            guard form.isSent else {
                let query = form.filled.map { "\(percentEncoded($0.name))=\(percentEncoded($0.value))" }
                onward.append("\(form.address)?\(query.joined(separator: "&"))")
                continue
            }
            guard let target = Target(form.address),
                let match = try? pipeline.routes.match(.post, target.path),
                match.route.upload == nil, !Self.leftOut.contains(form.address)
            else { continue }
            let pattern = match.route.pattern.description
            // What goes on over several pages is sent from each.
            if taken[pattern, default: 0] < 3 { forms[pattern] = form }
        }
        return onward.map { link in
            let link = String(link.prefix { $0 != "#" })
            return link.hasPrefix("?") ? address.prefix { $0 != "?" } + link : link
        }
    }

    private static let leftOut = ["/language", "/logout", "/screen"]

    /// One that waits; what ends something comes last.
    mutating func nextForm() -> GalleryForm? {
        let patterns = forms.keys.sorted()
        guard let next = patterns.first(where: { forms[$0]?.isEnding == false }) ?? patterns.first
        else { return nil }
        taken[next, default: 0] += 1
        return forms.removeValue(forKey: next)
    }
}
