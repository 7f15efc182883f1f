import HTTP
import Wire

/// One way into the program.
struct Route: Sendable {
    let surface: Surface
    let method: HTTP.Method
    let pattern: Pattern
    let rule: AccessRule
    /// What the OpenAPI document says; nil for pages.
    let call: Call?
    let run: @Sendable (Request, [String: String], Actor, Language, Services, Instant) throws -> Reply
}

/// All ways in, as data.
struct Routes: Sendable {
    private(set) var list: [Route] = []

    /// A page of the portal. The access rule has no default.
    mutating func page<Proof>(
        _ method: HTTP.Method, _ path: String, _ access: Access<Proof>,
        _ handler: @escaping @Sendable (Context<Proof>) throws -> Reply
    ) {
        add(.portal, method, path, access, nil, handler)
    }

    /// A call of the API, below `/api/v1`.
    mutating func call<Proof>(
        _ method: HTTP.Method, _ path: String, _ access: Access<Proof>, _ call: Call,
        _ handler: @escaping @Sendable (Context<Proof>) throws -> Reply
    ) {
        add(.api, method, "/api/v1" + path, access, call, handler)
    }

    private mutating func add<Proof>(
        _ surface: Surface, _ method: HTTP.Method, _ path: String, _ access: Access<Proof>, _ call: Call?,
        _ handler: @escaping @Sendable (Context<Proof>) throws -> Reply
    ) {
        let pattern = Pattern(path)
        for other in list where other.method == method {
            precondition(!other.pattern.isAmbiguous(with: pattern), "\(path) clashes with \(other.pattern)")
        }
        let route = Route(surface: surface, method: method, pattern: pattern, rule: access.rule, call: call) {
            request, places, actor, language, services, now in
            let account = actor.signedIn?.account.id ?? ""
            let inView = call?.revision.map { StateInView(request, places, of: account, $0) }
            // Looked at before anything is read: a newer answer under an older tag only costs another look.
            let before = try inView.flatMap { inView in try services.records.read { try inView.current($0) } }
            let proof: Proof
            do {
                proof = try access.admit(actor, places, services.records)
            } catch let problem as Problem where problem.status == 403 || problem.status == 404 {
                if let person = actor.signedIn {
                    services.visits.noteDenied(pattern.description, by: person.account.id, at: now)
                }
                throw problem
            }
            let context = Context(
                request: request, places: places, actor: actor, proof: proof, now: now, language: language,
                services: services,
                provesAgain: { connection in
                    try access.admitAgain(actor, places, having: proof, now: now, connection)
                }, inView: inView)
            // A call that takes nothing refuses fields like any other: nothing is silently dropped.
            if let call, call.takes == nil, !method.isSafe, !request.body.isEmpty {
                try context.body().finish()
            }
            var reply = try handler(context)
            if let inView { reply = inView.tagged(reply, before: before, language) }
            if method == .get, let file = proof as? Caseload {
                let area = pattern.part(after: "patient") ?? "overview"
                services.visits.note(area, of: file.patient.id, by: file.therapist.id, at: now)
            }
            return reply
        }
        list.append(route)
    }

    /// - Throws: `Problem.notFound`, or `.methodNotAllowed` with the methods the path has.
    func match(_ method: HTTP.Method, _ path: [String]) throws(Problem) -> (
        route: Route, places: [String: String]
    ) {
        let wanted = method == .head ? .get : method
        let routes = fitting(path)
        guard let route = routes.first(where: { $0.method == wanted }) else {
            throw routes.isEmpty ? .notFound : .methodNotAllowed(methods(for: path))
        }
        return (route, route.pattern.match(path) ?? [:])
    }

    /// The routes of the most exact pattern that a path has: `/questionnaires/import` is no questionnaire.
    private func fitting(_ path: [String]) -> [Route] {
        var best: [Route] = []
        for route in list where route.pattern.match(path) != nil {
            if let known = best.first, known.pattern.description != route.pattern.description {
                if !route.pattern.isMoreExact(than: known.pattern) { continue }
                best = []
            }
            best.append(route)
        }
        return best
    }

    /// The methods a path has, for `Allow`.
    func methods(for path: [String]) -> [String] {
        let found = fitting(path).map(\.method)
        let withHead = found.contains(.get) ? found + [.head] : found
        return HTTP.Method.allCases.filter { withHead.contains($0) }.map(\.rawValue)
    }

    /// The table a person reads and a test compares.
    var table: String {
        let rows = list.sorted {
            ($0.pattern.description, $0.method.rawValue) < ($1.pattern.description, $1.method.rawValue)
        }
        return rows.map { route in
            let method = route.method.rawValue.padding(to: 7)
            return "\(method)\(route.pattern.description.padding(to: 58))\(route.rule.rawValue)\n"
        }.joined()
    }

    /// Every feature, one line each.
    static let all: Routes = {
        var routes = Routes()
        AssetPages.routes(&routes)
        SystemAPI.routes(&routes)
        ProbePages.routes(&routes)
        LoginPages.routes(&routes)
        SecondFactorPages.routes(&routes)
        PresencePages.routes(&routes)
        VerificationPages.routes(&routes)
        LanguagePages.routes(&routes)
        RegistrationAPI.routes(&routes)
        LoginAPI.routes(&routes)
        PasswordPages.routes(&routes)
        PasswordAPI.routes(&routes)
        PrivacyAPI.routes(&routes)
        ErasureAPI.routes(&routes)
        ProfileAPI.routes(&routes)
        ProfilePages.routes(&routes)
        ChangePasswordPages.routes(&routes)
        OwnFactorPages.routes(&routes)
        DevicePages.routes(&routes)
        PatientPages.routes(&routes)
        PatientAPI.routes(&routes)
        EndingPages.routes(&routes)
        PairingPages.routes(&routes)
        PairingAPI.routes(&routes)
        SessionPages.routes(&routes)
        SessionAPI.routes(&routes)
        AppointmentAPI.routes(&routes)
        AppointmentPages.routes(&routes)
        CalendarPages.routes(&routes)
        PausePages.routes(&routes)
        PauseAPI.routes(&routes)
        NotificationAPI.routes(&routes)
        OwnDataAPI.routes(&routes)
        AccessLogAPI.routes(&routes)
        AuditLogAPI.routes(&routes)
        AdminHome.routes(&routes)
        SystemPages.routes(&routes)
        AuditLogPages.routes(&routes)
        TrailPages.routes(&routes)
        StaffAPI.routes(&routes)
        StaffPages.routes(&routes)
        ClosingPages.routes(&routes)
        HandOverPages.routes(&routes)
        HandOverAPI.routes(&routes)
        NoticeAPI.routes(&routes)
        WelcomePages.routes(&routes)
        StarterSetAPI.routes(&routes)
        StudyHandOver.routes(&routes)
        ClinicAPI.routes(&routes)
        ClinicPages.routes(&routes)
        InformationAPI.routes(&routes)
        InformationPages.routes(&routes)
        OverviewAPI.routes(&routes)
        QuestionnairePages.routes(&routes)
        QuestionnaireAPI.routes(&routes)
        EditorPages.routes(&routes)
        SectionPages.routes(&routes)
        ScalePages.routes(&routes)
        PreviewPages.routes(&routes)
        ExchangePages.routes(&routes)
        InstrumentPages.routes(&routes)
        AssignmentPages.routes(&routes)
        AssignmentAPI.routes(&routes)
        DailyAPI.routes(&routes)
        DraftAPI.routes(&routes)
        LedgerAPI.routes(&routes)
        BatteryAPI.routes(&routes)
        DeliveryRuleAPI.routes(&routes)
        BatteryPages.routes(&routes)
        DeliveryPages.routes(&routes)
        DeliveryRulePages.routes(&routes)
        LibraryPages.routes(&routes)
        LibraryAPI.routes(&routes)
        InterventionPages.routes(&routes)
        InterventionAPI.routes(&routes)
        VaultAPI.routes(&routes)
        RulePages.routes(&routes)
        RuleAPI.routes(&routes)
        AlertPages.routes(&routes)
        AlertAPI.routes(&routes)
        EnrolmentAPI.routes(&routes)
        FeedbackAPI.routes(&routes)
        StudyAPI.routes(&routes)
        StudyItemAPI.routes(&routes)
        NotificationPlanAPI.routes(&routes)
        GroupAPI.routes(&routes)
        GroupPages.routes(&routes)
        InvitationPages.routes(&routes)
        ParticipantAPI.routes(&routes)
        StudyPages.routes(&routes)
        StudyStatePages.routes(&routes)
        StudyLeadPages.routes(&routes)
        StudyItemPages.routes(&routes)
        ParticipantPages.routes(&routes)
        ResultPages.routes(&routes)
        ResultAPI.routes(&routes)
        ParticipantPage.routes(&routes)
        PaperParticipantPages.routes(&routes)
        StudyExportPages.routes(&routes)
        AnswersPages.routes(&routes)
        QuarantinePages.routes(&routes)
        QuarantineAPI.routes(&routes)
        StudyQuarantinePages.routes(&routes)
        StudyQuarantineAPI.routes(&routes)
        SubmissionAPI.routes(&routes)
        WaitingAPI.routes(&routes)
        PaperEntry.routes(&routes)
        ContributionPages.routes(&routes)
        TimelinePages.routes(&routes)
        BriefingPages.routes(&routes)
        ComparisonPages.routes(&routes)
        TimelineAPI.routes(&routes)
        TodayPages.routes(&routes)
        return routes
    }()
}

extension String {
    fileprivate func padding(to width: Int) -> String {
        count < width ? self + String(repeating: " ", count: width - count) : self + " "
    }
}
