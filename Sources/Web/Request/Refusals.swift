import HTTP
import Records
import Wording

/// Answers to the server layer before a request is complete, and for requests that never are.
extension Pipeline {
    /// A form with large files is taken only from accounts that may send it: others must not fill the disk.
    package func bodyPlan(for head: RequestHead, peer: String) -> BodyPlan {
        guard let method = head.method, let target = head.target,
            let match = try? routes.match(method, target.path), let upload = match.route.upload
        else { return .memory(limit: bodyLimit(for: head)) }
        let request = Request(method: method, target: target, headers: head.headers, peer: peer)
        // Any other body is refused in the handler's own words.
        guard request.mediaType == "multipart/form-data" else { return .memory(limit: 64 * 1024) }
        let now = services.clock.now
        let surface = Surface(target.path)
        var actor = Actor.nobody
        do {
            actor = try identification.actor(of: request, on: surface, now: now)
            try throttle(request, match.route, actor, now)
            try match.route.admits(actor, match.places, services, now)
            return .upload(folder: services.settings.incomingPath, limit: upload)
        } catch {
            let id = requestID()
            var response = explain(error, request, actor, surface, id, now)
            finish(&response, Surroundings(surface, target.path), id, isPublic: false)
            services.log.request(
                id, method.rawValue, route: match.route.pattern.description, status: response.status,
                milliseconds: 0, at: now)
            return .answered(response)
        }
    }

    /// Requests without a token get a small limit: a large body costs many times its size while it is read.
    package func bodyLimit(for head: RequestHead) -> Int {
        let path = head.target?.path ?? []
        guard Surface(path) == .api else {
            if head.headers["Cookie"] == nil { return 16 * 1024 }
            // Files and pictures come in on few pages; 64 kB are for a form's other fields.
            let takesFiles =
                [["questionnaires", "import"], ["studies", "new"], ["studies", "new", "plan"]].contains(path)
            let isStudy =
                path.count == 3 && path.first == "studies" && ["edit", "plan"].contains(path.last)
            return takesFiles || isStudy ? (1024 + 64) * 1024 : 256 * 1024
        }
        if path.starts(with: ["api", "v1", "auth"]) { return 16 * 1024 }
        return head.headers["Authorization"] == nil ? 64 * 1024 : 1024 * 1024
    }

    private func uploadLimit(of head: RequestHead) -> Int? {
        guard let method = head.method, let target = head.target else { return nil }
        return (try? routes.match(method, target.path))?.route.upload
    }

    package func refuse(_ head: RequestHead, status: Int) -> Response {
        let surface: Surface = head.rawTarget.hasPrefix("/api/v1/") ? .api : .portal
        let problem: Problem =
            switch status {
            case 404: .notFound
            case 405: .methodNotAllowed(head.target.map { routes.methods(for: $0.path) } ?? [])
            case 413: .tooLarge(limit: uploadLimit(of: head) ?? bodyLimit(for: head))
            default: .malformed(Message("problems.malformed"))
            }
        let texts = services.texts(
            services.language(of: Language.accepted(by: head.headers["Accept-Language"])))
        let id = requestID()
        let report = ProblemResponse(problem, id: id, texts: texts)
        var response = surface == .api ? report.json(for: nil) : report.plain()
        finish(&response, Surroundings(surface, []), id, isPublic: false)
        services.log.request(
            id, head.method?.rawValue ?? "-", route: "-", status: response.status, milliseconds: 0,
            at: services.clock.now)
        return response
    }
}
