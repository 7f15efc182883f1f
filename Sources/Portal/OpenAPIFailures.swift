import HTTP
import JSON
import Web
import Wire

extension OpenAPI {
    /// Errors in the document: their shape with the list of codes, and the statuses a call may answer.
    enum Failures {
        static let name = "Failure"

        static let schema = object([
            ("type", .string("object")),
            ("description", .string("What is wrong, in the language asked for")),
            (
                "properties",
                object([
                    ("message", described(.string, "The sentence for the person")),
                    ("errors", described(.map(.list(.string)), "By field, places inside with dots")),
                    (
                        "code",
                        described(.choice(ProblemCode.all), "Which sentence it is: stable, never translated")
                    ),
                    (
                        "data",
                        described(
                            .either([.of(QuestionnaireUsers.self), .of(AnotherForm.self), .record]),
                            "With 412 the present state, as a GET answers it, and with the code consent_changed the present text; with the code in_use what rests on a questionnaire; with the code another_form the questionnaire whose key a form has, too"
                        )
                    ),
                ])
            ),
            ("required", .array(["message", "errors", "code"].map { .string($0) })),
        ])

        static let response = object([
            ("description", .string("What is wrong")),
            (
                "content",
                object(
                    ["application/json", "application/problem+json"].map { type in
                        (
                            type,
                            object([
                                ("schema", object([("$ref", .string("#/components/schemas/\(name)"))]))
                            ])
                        )
                    })
            ),
        ])

        /// The error statuses that a call is known to answer, and `default` for those of any call.
        static func members(of route: Route, _ call: Call) -> [JSON.Member] {
            var statuses: [Int] = []
            if call.takes != nil { statuses += [400, 413, 415] }
            if route.rule != .anyone { statuses += [401, 403] }
            if route.pattern.description.contains(":") { statuses.append(404) }
            if call.takes != nil || !call.query.isEmpty { statuses.append(422) }
            if honoursMatch(route, call) { statuses.append(412) }
            if call.needsMatch { statuses.append(428) }
            if route.pattern.description == "/api/v1/undo/:token" { statuses += [410, 412] }
            statuses.append(429)
            let reference = object([("$ref", .string("#/components/responses/\(name)"))])
            return (statuses.sorted().map { String($0) } + ["default"]).map { JSON.Member($0, reference) }
        }

        private static func described(_ schema: Schema, _ words: String) -> JSON {
            guard case .object(let members) = OpenAPI.schema(schema) else { return .null }
            return .object(members + [JSON.Member("description", .string(words))])
        }
    }
}
