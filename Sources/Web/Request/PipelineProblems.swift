import Database
import HTTP
import Identity
import JSON
import Records
import Scheduling
import Secrets
import Wire
import Wording

/// What goes wrong, as an answer.
extension Pipeline {
    /// Requests of supervisors and balancers every few seconds: without rate limit, and not logged while all is well.
    static let probes: Set<String> = ["/livez", "/readyz"]

    func requestID() -> String { String(services.chance.uuid().prefix(8)) }

    func explain(
        _ error: any Error, _ request: Request, _ actor: Actor, _ surface: Surface, _ id: String,
        _ now: Instant
    ) -> Response {
        let language = language(of: request, actor, surface)
        let problem = Self.problem(of: error)
        if problem == nil {
            services.log.line(
                "error", "defect", [("request", id), ("detail", Log.detail(of: error))], at: now)
        }
        // A script of our own pages expects JSON.
        if surface == .portal, request.wantsNoPage {
            return ProblemResponse(problem, id: id, texts: services.texts(language)).json(for: request)
        }
        if surface == .portal, case .signInRequired? = problem {
            keep(request, now)
            if request.path.isEmpty, request.method.isSafe, let entrance = routes.entrance,
                let reply = try? entrance(request, language, services, now),
                let page = try? render(reply, request, .nobody, language, now)
            {
                return page
            }
            // Leads a form back to its page, where there is one.
            let isPage = (try? routes.match(.get, request.path)) != nil
            let next =
                isPage && !request.path.isEmpty ? "?next=\(percentEncoded(Self.address(of: request)))" : ""
            return .seeOther("/login" + next)
        }
        let report = ProblemResponse(problem, id: id, texts: services.texts(language))
        guard surface == .portal else {
            if let change = error as? TextChanged {
                return report.json(for: request, present: change.present)
            }
            guard case .preconditionFailed? = problem else { return report.json(for: request) }
            return refusal(report, request, actor, language, now, stale: error as? StaleState)
        }
        var page = ProblemPage(report, problem, services.texts(language))
        if let before = error as? SentBefore {
            page.sentBefore = view(of: before, for: actor, request, language, at: now)
            if !before.isSame { page.sentAgain = ProblemPage.Again(request, to: Self.address(of: request)) }
        }
        return report.adding(to: draw(page, report.status, request, actor, language, now))
    }

    /// With the navigation for a signed-in account; a fault of the database may leave only the sentences.
    func draw(
        _ page: ProblemPage, _ status: Int, _ request: Request, _ actor: Actor, _ language: Language,
        _ now: Instant
    ) -> Response {
        if let person = actor.member {
            let inside: any Page =
                person.account.kind == .patient
                ? ProblemPage.Own(problem: page) : ProblemPage.Inside(problem: page)
            if let drawn = try? render(inside, status, request, actor, language, now) { return drawn }
        }
        let outside = try? render(page, status, request, .nobody, language, now)
        let words = Array("\(page.title)\n\n\(page.message)\n".utf8)
        return outside ?? Response(status: status, type: "text/plain; charset=utf-8", words)
    }

    /// A change based on an older state is answered with the present one, with the tag for the next try.
    func refusal(
        _ report: ProblemResponse, _ request: Request, _ actor: Actor, _ language: Language, _ now: Instant,
        stale: StaleState? = nil
    ) -> Response {
        let look = Request(method: .get, target: stale?.target ?? request.target, peer: request.peer)
        guard let match = try? routes.match(.get, look.path),
            case .response(var present)? = try? match.route.run(
                look, match.places, actor, language, services, now)
        else { return report.json(for: request) }
        Conditional.tag(&present, look)
        let body = try? JSON.parse(present.bytes)
        var data = body?["data"]
        // The item itself from a list; nothing when it is gone.
        let isList = if case .array? = data { true } else { false }
        if let stale, case .array(let items)? = data { data = items.first { $0["id"]?.string == stale.id } }
        var response = report.json(for: request, present: data)
        if !isList, let tag = present.headers["ETag"] { response.headers.append("ETag", tag) }
        return response
    }

    /// What an earlier form of the page has made, in the time of its reader.
    func view(
        of before: SentBefore, for actor: Actor, _ request: Request, _ language: Language, at now: Instant
    ) -> SentBefore.View {
        let account = actor.signedIn?.account
        let zone = account?.kind == .patient ? account?.timezone : nil
        let texts = services.texts(language)
        return services.sentForms.view(
            of: before, above: pageAbove(request.path),
            DateFormat(texts, Zone(zone ?? services.timezone), now: now), texts)
    }

    /// The nearest page above an address that only takes forms.
    private func pageAbove(_ path: [String]) -> String {
        var parts = path
        while !parts.isEmpty, (try? routes.match(.get, parts)) == nil { parts.removeLast() }
        return "/" + parts.map(percentEncoded).joined(separator: "/")
    }

    /// Keeps a form that was sent after the session ended, to be given back after signing in again.
    func keep(_ request: Request, _ now: Instant) {
        guard request.method == .post, let cookie = request.cookie(identification.cookieName),
            let token = Token(cookie),
            let owner = try? services.records.read({ try CredentialStore.owner(ofSession: token.hash, $0) }),
            let form = InterruptedForm(
                request, action: Self.address(of: request), account: owner, now: now)
        else { return }
        try? services.interrupted.keep(form, for: cookie, now: now)
    }

    /// A fault of storage is worth another try; all other unknown errors are defects.
    static func problem(of error: any Error) -> Problem? {
        if let problem = error as? Problem { return problem }
        if error is StaleState { return .preconditionFailed }
        if let change = error as? TextChanged { return change.problem }
        if let before = error as? SentBefore { return before.problem }
        if let error = error as? DatabaseError, error.isStorageFailure { return .unavailable(retryAfter: 30) }
        if let errors = error as? FieldErrors { return .invalid(errors) }
        return nil
    }
}

extension Request {
    /// Whether the request comes from a script of our own pages, which expects JSON.
    package var wantsNoPage: Bool { headers["Accept"]?.hasPrefix("application/json") == true }
}

extension Response {
    mutating func set(_ cookie: NewCookie, _ services: Services, at now: Instant) {
        headers.append("Set-Cookie", cookie.header(at: now, isSecure: services.settings.isSecure))
    }
}
