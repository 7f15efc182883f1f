import HTTP
import JSON
import Wire
import Wording

/// A problem in words, for pages and the API.
package struct ProblemResponse: Sendable {
    package let status: Int
    package let message: String
    package let code: String
    package let fields: [(field: String, text: String)]
    package let headers: [(String, String)]
    /// Written to the log, too; shown for defects only.
    package let reference: String?

    /// - Parameter problem: nil for a defect, of which only a reference is disclosed.
    package init(_ problem: Problem?, id: String, texts: Texts) {
        status = problem?.status ?? 500
        message = texts[problem?.message ?? Message("problems.defect", ["reference": id])]
        code = problem.map(ProblemCode.of) ?? ProblemCode.defect
        fields = problem?.errors.list.map { ($0.field, texts[$0.message]) } ?? []
        headers = problem?.headers ?? []
        reference = problem == nil ? id : nil
    }

    /// `{message, errors, code}`; the same with the members of RFC 9457 for a client that asks for them.
    /// - Parameter present: what a `GET` answers now, where a change was based on an older state.
    package func json(for request: Request?, present: JSON? = nil) -> Response {
        var errors: [(key: String, value: [String]?)] = []
        var places: [String: Int] = [:]
        for field in fields {
            if let index = places[field.field] {
                errors[index].value?.append(field.text)
            } else {
                places[field.field] = errors.count
                errors.append((field.field, [field.text]))
            }
        }
        let wantsProblem = request?.headers["Accept"]?.contains("application/problem+json") ?? false
        let body = Body(
            message: message, errors: Ordered(errors), code: code, present: present, status: status,
            isProblem: wantsProblem)
        let bytes = (try? JSONWriter.bytes(of: body)) ?? []
        let type = wantsProblem ? "application/problem+json; charset=utf-8" : MediaType.json
        return adding(to: Response(status: status, type: type, bytes))
    }

    /// For requests that were never received completely: no page, no cookie.
    package func plain() -> Response {
        adding(to: Response(status: status, type: "text/plain; charset=utf-8", Array((message + "\n").utf8)))
    }

    package func adding(to response: Response) -> Response {
        var response = response
        for header in headers { response.headers.append(header.0, header.1) }
        return response
    }

    private struct Body: Encodable {
        let message: String
        let errors: Ordered<[String]>
        let code: String
        let present: JSON?
        let status: Int
        let isProblem: Bool

        private enum CodingKeys: String, CodingKey { case message, errors, code, data, type, title, status }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(message, forKey: .message)
            try container.encode(errors, forKey: .errors)
            try container.encode(code, forKey: .code)
            try container.encodeIfPresent(present, forKey: .data)
            guard isProblem else { return }
            try container.encode("about:blank", forKey: .type)
            try container.encode(message, forKey: .title)
            try container.encode(status, forKey: .status)
        }
    }
}

/// The page that says what went wrong and what to do now, for visitors who are not signed in.
package struct ProblemPage: Page {
    package static let template = "shared/problem"

    package let title: String
    package let message: String
    package let lines: [ErrorLine]
    /// The form that the same page has sent before.
    var sentBefore: SentBefore.View?
    /// What was sent now, to be sent all the same.
    var sentAgain: Again?

    /// A form that was refused because its page had sent another one: its fields, hidden.
    struct Again: Encodable, Sendable {
        let action: String
        let sentFields: [InterruptedForm.Field]

        /// Nil for forms with passwords or files: they have to be filled in again.
        init?(_ request: Request, to address: String) {
            guard let form = Form(body: request),
                !form.fields.contains(where: { $0.file != nil || $0.name.contains("password") })
            else { return nil }
            action = address
            sentFields = form.fields.filter { $0.name != "form_token" }.map {
                InterruptedForm.Field(name: $0.name, value: $0.value)
            }
        }
    }

    /// - Parameter problem: nil for a defect.
    package init(_ report: ProblemResponse, _ problem: Problem?, _ texts: Texts) {
        let isMissing = if case .notFound? = problem { true } else { false }
        title = texts[isMissing ? "problems.not_found_title" : "problems.title"]
        message = isMissing ? texts["problems.not_found"] : report.message
        lines = report.fields.map { ErrorLine(field: $0.field, text: $0.text) }
    }

    private init(message: String) {
        title = "Seite nicht gefunden"
        self.message = message
        lines = []
    }

    package static let example = ProblemPage(message: "Diese Seite gibt es nicht.")

    /// The same for a signed-in account: the navigation stays where it is.
    package struct Inside: Page {
        package static let template = "shared/problem-inside"
        package let problem: ProblemPage
        package static let example = Inside(problem: .example)
    }

    /// The same for a patient or participant.
    package struct Own: Page {
        package static let template = "shared/problem-own"
        package let problem: ProblemPage
        package static let example = Own(problem: .example)
    }
}
