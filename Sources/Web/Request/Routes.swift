import Database
import HTTP
import Identity
import Records
import Wire
import Wording

/// One way into the program.
package struct Route: Sendable {
    package let surface: Surface
    package let method: HTTP.Method
    package let pattern: Pattern
    package let rule: AccessRule
    /// What the OpenAPI document says; nil for pages.
    package let call: Call?
    /// The most bytes a form with files may have; nil where none is taken.
    package let upload: Int?
    /// Throws the refusal the actor would get, before any of a body is read.
    package let admits: @Sendable (Actor, [String: String], Services, Instant) throws -> Void
    package let run: @Sendable (Request, [String: String], Actor, Language, Services, Instant) throws -> Reply
}

/// All ways in, as data, and what features add to every page.
package struct Routes: Sendable {
    package private(set) var list: [Route] = []
    private var tree = PatternTree<Route>()
    package private(set) var badges: [NavigationItem: Badge] = [:]
    package private(set) var foot: [FootLinks] = []
    package private(set) var bars: [PatientBar] = []
    /// What strangers see at `/` instead of being sent to sign in.
    package private(set) var entrance: (@Sendable (Request, Language, Services, Instant) throws -> Reply)?

    package init() {}

    package init(of features: [Feature]) {
        for feature in features { feature.addRoutes(&self) }
    }

    /// The number of things that wait for an account in an entry of the navigation.
    package typealias Badge = @Sendable (_ account: ID<Account>, Instant, borrowing Connection) throws -> Int
    /// The links at the foot of every page.
    package typealias FootLinks = @Sendable (Language, Texts, borrowing Connection) throws -> [Layout.Foot]

    /// The patient named above every page about them; nil on other pages, and for patients who are not the reader's.
    package typealias PatientBar =
        @Sendable (Request, SignedIn, Services, Language, _ now: Instant, borrowing Connection) throws ->
        Layout.PatientBar?

    /// A number beside an entry of the navigation.
    package mutating func badge(_ section: NavigationItem, _ count: @escaping Badge) {
        badges[section] = count
    }

    /// Links at the foot of every page.
    package mutating func foot(_ links: @escaping FootLinks) { foot.append(links) }

    /// The patient of the open file.
    package mutating func bar(_ read: @escaping PatientBar) { bars.append(read) }

    /// The first page for visitors: `/` itself belongs to signed-in accounts.
    package mutating func entrance(_ handler: @escaping @Sendable (Context<Anyone>) throws -> Reply) {
        entrance = { request, language, services, now in
            let proof = try Access.anyone.admit(.nobody, [:], services.records, now: now)
            return try handler(
                Context(
                    request: request, places: [:], actor: .nobody, proof: proof, now: now, language: language,
                    languages: Actor.nobody.languages(request, page: language), services: services,
                    provesAgain: { _ in }, inView: nil,
                    inTransaction: Transactional(
                        beforehand: { _ in }, afterwards: { _ in }, withhold: {},
                        name: { _, _ in }), sent: nil, shown: nil))
        }
    }

    /// A page of the portal. The access rule has no default.
    /// - Parameters:
    ///   - undo: how the form's change is undone.
    ///   - upload: the most bytes the form may have with its files, which lie on the disk while it is handled.
    package mutating func page<Proof>(
        _ method: HTTP.Method, _ path: String, _ access: Access<Proof>, undo: Undo? = nil,
        upload: Int? = nil, _ handler: @escaping @Sendable (Context<Proof>) throws -> Reply
    ) {
        add(.portal, method, path, access, nil, undo, upload, handler)
    }

    /// A call of the API, below `/api/v1`.
    package mutating func call<Proof>(
        _ method: HTTP.Method, _ path: String, _ access: Access<Proof>, _ call: Call, upload: Int? = nil,
        _ handler: @escaping @Sendable (Context<Proof>) throws -> Reply
    ) {
        add(.api, method, "/api/v1" + path, access, call, call.undo, upload, handler)
    }

    private mutating func add<Proof>(
        _ surface: Surface, _ method: HTTP.Method, _ path: String, _ access: Access<Proof>, _ call: Call?,
        _ undo: Undo?, _ upload: Int?, _ handler: @escaping @Sendable (Context<Proof>) throws -> Reply
    ) {
        let pattern = Pattern(path)
        for other in list where other.method == method {
            precondition(!other.pattern.isAmbiguous(with: pattern), "\(path) clashes with \(other.pattern)")
        }
        let admit: @Sendable (Actor, [String: String], Services, Instant) throws -> Proof = {
            actor, places, services, now in
            do {
                return try access.admit(actor, places, services.records, now: now)
            } catch let problem as Problem where problem.status == 403 || problem.status == 404 {
                if let person = actor.signedIn {
                    services.visits.noteDenied(pattern.description, by: person.account.id, at: now)
                }
                throw problem
            }
        }
        let admits: @Sendable (Actor, [String: String], Services, Instant) throws -> Void = {
            _ = try admit($0, $1, $2, $3)
        }
        let route = Route(
            surface: surface, method: method, pattern: pattern, rule: access.rule, call: call, upload: upload,
            admits: admits
        ) { request, places, actor, language, services, now in
            let account = actor.signedIn?.account.id ?? ""
            let inView = call?.revision.map { StateInView(request, places, of: account, $0) }
            // Read before everything else: a newer answer under an older tag only costs another look.
            let left = undo.map { StateInView(request, places, of: account, $0.revision) }
            let claim = UndoClaim.current
            let sent = surface == .portal ? SentForm.current : nil
            let shown = surface == .portal ? try ShownFields(request, services) : nil
            let before = try inView.flatMap { inView in try services.records.read { try inView.current($0) } }
            let proof = try admit(actor, places, services, now)
            let context = Context(
                request: request, places: places, actor: actor, proof: proof, now: now, language: language,
                languages: actor.languages(request, page: language), services: services,
                provesAgain: { connection in
                    try access.admitAgain(actor, places, having: proof, now: now, connection)
                }, inView: inView,
                inTransaction: Transactional(
                    beforehand: { connection in
                        try sent?.keep(connection)
                        try claim?.take(try inView?.current(connection), connection)
                    },
                    afterwards: { connection in
                        try left?.note(connection)
                        sent?.noteWritten()
                    }, withhold: { left?.withhold() }, name: { left?.name($0, $1) }), sent: sent,
                shown: shown)
            // A call without a body refuses fields like any other: nothing is silently dropped.
            if let call, call.takes == nil, !method.isSafe, !request.body.isEmpty {
                try context.body().finish()
            }
            var reply = try handler(context)
            if let undo, let left, left.isWritten, !left.isWithheld, let person = actor.signedIn {
                reply = try undo.offered(
                    in: reply, left.places, leaving: left.left, by: person.account.id, services.chance,
                    services.keys, at: now)
            }
            if let inView { reply = inView.tagged(reply, before: before, language) }
            if method == .get, let file = (proof as? any FileProof)?.openedFile {
                let area = pattern.part(after: "patient") ?? "overview"
                services.visits.note(area, of: file.id, by: file.reader, as: file.standing, at: now)
            }
            return reply
        }
        list.append(route)
        tree.insert(route, at: pattern)
    }

    /// - Throws: `Problem.notFound`, or `.methodNotAllowed` with the methods the path has.
    package func match(_ method: HTTP.Method, _ path: [String]) throws(Problem) -> (
        route: Route, places: [String: String]
    ) {
        let wanted = method == .head ? .get : method
        // `/questionnaires/import` is not the page of a questionnaire.
        let routes = tree.values(for: path)
        guard let route = routes.first(where: { $0.method == wanted }) else {
            throw routes.isEmpty ? .notFound : .methodNotAllowed(methods(for: path))
        }
        return (route, route.pattern.match(path) ?? [:])
    }

    /// The methods a path has, for `Allow`.
    package func methods(for path: [String]) -> [String] {
        let found = tree.values(for: path).map(\.method)
        let withHead = found.contains(.get) ? found + [.head] : found
        return HTTP.Method.allCases.filter { withHead.contains($0) }.map(\.rawValue)
    }

    /// The table of routes, for people and for a test to compare.
    package var table: String {
        let rows = list.sorted {
            ($0.pattern.description, $0.method.rawValue) < ($1.pattern.description, $1.method.rawValue)
        }
        return rows.map { route in
            let method = route.method.rawValue.padding(to: 7)
            return "\(method)\(route.pattern.description.padding(to: 58))\(route.rule.rawValue)\n"
        }.joined()
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String {
        count < width ? self + String(repeating: " ", count: width - count) : self + " "
    }
}
