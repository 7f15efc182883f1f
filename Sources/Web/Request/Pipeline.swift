import Dispatch
import HTTP
import Identity
import Records
import Secrets
import Templates
import Wire
import Wording

/// From the socket to a handler and back, in the order it happens.
package struct Pipeline: Application {
    package let services: Services
    package let routes: Routes
    package let identification: Identification

    package init(_ services: Services) {
        self.services = services
        routes = services.routes
        identification = Identification(services: services)
    }

    package func respond(to request: Request) -> Response {
        let began = DispatchTime.now().uptimeNanoseconds
        let now = services.clock.now
        let id = requestID()
        let surface = Surface(request.path)
        var pattern = "-"
        var isPublic = false
        var actor = Actor.nobody
        var response: Response
        do {
            let match = try routes.match(request.method, request.path)
            pattern = match.route.pattern.description
            isPublic = match.route.rule == .anyone && request.method.isSafe
            actor = try identification.actor(of: request, on: surface, now: now)
            try throttle(request, match.route, actor, now)
            if surface == .portal { try Forgery.check(request, services, cookie: identification.cookieName) }
            let language = language(of: request, actor, surface)
            let answer = try services.sentForms.once(
                request, by: surface == .portal ? actor.signedIn : nil, at: now
            ) {
                try ShownFields.again {
                    try match.route.run(request, match.places, actor, language, services, now)
                }
            }
            try request.proveAwaited()
            response = try render(answer, request, actor, language, now)
            if surface == .portal { renew(&response, request, actor, now) }
        } catch is ClientGone {
            response = Response(status: ClientGone.status)
            response.closes = true
        } catch {
            // Without a route the actor was not identified yet.
            if surface == .portal, pattern == "-" {
                actor = (try? identification.actor(of: request, on: surface, now: now)) ?? .nobody
            }
            response = explain(error, request, actor, surface, id, now)
        }
        if surface == .api { Conditional.tag(&response, request) }
        finish(&response, Surroundings(surface, request.path), id, isPublic: isPublic)
        // Probes come every few seconds; a good one is not logged.
        if Self.probes.contains(pattern), response.status == 200 { return response }
        let milliseconds = Double(DispatchTime.now().uptimeNanoseconds - began) / 1e6
        services.log.request(
            id, request.method.rawValue, route: pattern, status: response.status, milliseconds: milliseconds,
            at: now)
        return response
    }

    /// Players fetch a sound in many small pieces.
    private static let unlimited: Set<String> = [
        "/api/v1/health", "/api/v1/sounds/:sound/audio", "/api/v1/sounds/files/:hash", "/q/:token/form",
        "/q/:token/form/done",  // links are counted where they are looked up
    ]

    // MARK: Before the handler

    func throttle(_ request: Request, _ route: Route, _ actor: Actor, _ now: Instant) throws(Problem) {
        let limit = services.settings.requestsPerMinute
        let pattern = route.pattern.description
        guard limit > 0, !Self.unlimited.contains(pattern), !Self.probes.contains(pattern) else { return }
        if let person = actor.signedIn {
            try services.load.count(
                "credential \(person.credential.id)", limit: limit, seconds: 60, now: now)
        } else if route.surface == .api || !request.method.isSafe {
            let peer = ClientAddress.of(request, services.settings)
            // 120 of the usual 300.
            try services.load.count("address \(peer)", limit: max(1, limit * 2 / 5), seconds: 60, now: now)
        }
    }

    func language(of request: Request, _ actor: Actor, _ surface: Surface) -> Language {
        let accepted = Language.accepted(by: request.headers["Accept-Language"])
        guard surface == .portal else { return services.language(of: accepted) }
        if let asked = services.language(request.query["lang"]) { return asked }
        // The account's language may have been uninstalled since.
        let own = actor.signedIn.map { [$0.account.language] } ?? []
        return services.language(of: own + accepted)
    }

    // MARK: After the handler

    package func render(
        _ answer: Reply, _ request: Request, _ actor: Actor, _ language: Language, _ now: Instant
    ) throws -> Response {
        switch answer {
        case .response(let response): return response
        case .seeOther(let path, let flash, let undo, let cookies):
            if let flash, let person = actor.signedIn {
                try services.flashes.put(
                    Flash(flash, undo: undo, now: now), for: person.credential.id, now: now)
            }
            var response = Response.seeOther(path)
            for cookie in cookies { response.set(cookie, services, at: now) }
            return response
        case .refused(let path, let why):
            if let person = actor.signedIn {
                try services.flashes.put(
                    Flash(why, undo: nil, isRefusal: true, now: now), for: person.credential.id, now: now)
            }
            return .seeOther(path)
        case .page(let page, let status, let cookies, let notice):
            return try render(page, status, request, actor, language, now, with: cookies, notice)
        }
    }

    func render(
        _ page: any Page, _ status: Int, _ request: Request, _ actor: Actor, _ language: Language,
        _ now: Instant, with cookies: [NewCookie] = [], _ notice: FormNotice? = nil
    ) throws -> Response {
        let begun = cookies.first(where: \.isSession)?.value
        let held = begun == nil ? request.cookie(identification.cookieName).flatMap { Token($0) } : nil
        // Visitors get a cookie, too: the form token is bound to it.
        let session = begun ?? held ?? Token()
        var frame = try frame(for: page, request, actor, language, cookie: session.text, now: now)
        switch notice {
        case .sentBefore(let earlier):
            frame.sentBefore = view(of: earlier, for: actor, request, language, at: now)
        case .changedMeanwhile: frame.isChangedMeanwhile = true
        case .refused(let why): frame.refusal = services.texts(language)[why]
        case nil: break
        }
        var values = try Layout.values(frame, services.texts(language))
        values.append(try ValueEncoder.encode(page))
        let bytes = try services.library.render(type(of: page).template, with: values)
        var response = Response(status: status, type: MediaType.html, bytes)
        for cookie in cookies { response.set(cookie, services, at: now) }
        if begun == nil && held == nil { response.set(.session(session), services, at: now) }
        if isCompressible(request, status) { response.compress(for: request) }
        if let permissions = page.permissions { response.headers.append("Permissions-Policy", permissions) }
        return response
    }

    /// Path and query of the request, without a language that was meant for one page only.
    static func address(of request: Request) -> String {
        let path = "/" + request.path.map(percentEncoded).joined(separator: "/")
        let fields = request.query.fields.filter { $0.name != "lang" }
        let query = fields.map { "\(percentEncoded($0.name))=\(percentEncoded($0.value))" }.joined(
            separator: "&")
        return query.isEmpty ? path : path + "?" + query
    }

    /// The fields of every answer: the id that is also in the log, and the headers that protect browsers.
    package func finish(
        _ response: inout Response, _ surroundings: Surroundings, _ id: String, isPublic: Bool
    ) {
        response.headers.append("X-Request-Id", id)
        SecurityHeaders.add(
            to: &response, surroundings, isPublic: isPublic, isSecure: services.settings.isSecure)
    }
}
