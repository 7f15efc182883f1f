import Foundation
import HTTP
import JSON
import Records
import Web
import Wire

/// The OpenAPI 3.1 document, made from the route table and the wire types' schemas.
enum OpenAPI {
    /// The document's bytes. Made once: routes and schemas are fixed when the program is built.
    static let document: [UInt8] = (try? JSONWriter.bytes(of: make(Routes.all))) ?? []

    /// `/patients/:patient` as `/patients/{patient}`.
    static func path(of route: Route) -> String {
        route.pattern.description.split(separator: "/", omittingEmptySubsequences: false).map { part in
            part.hasPrefix(":") ? "{\(part.dropFirst())}" : String(part)
        }.joined(separator: "/")
    }

    static func make(_ routes: Routes) -> JSON {
        let calls = routes.list.filter { $0.call != nil }
        var paths: [JSON.Member] = []
        for path in Set(calls.map(path)).sorted() {
            let methods = calls.filter { self.path(of: $0) == path }
            let members = methods.compactMap { route in
                route.call.map { JSON.Member(route.method.rawValue.lowercased(), operation(route, $0)) }
            }
            paths.append(JSON.Member(path, .object(members)))
        }
        return object([
            ("openapi", .string("3.1.0")),
            ("info", object([("title", .string("Intersession")), ("version", .string(Settings.version))])),
            ("paths", .object(paths)),
            (
                "components",
                object([
                    (
                        "securitySchemes",
                        object([
                            ("bearer", object([("type", .string("http")), ("scheme", .string("bearer"))]))
                        ])
                    ),
                    ("schemas", object(schemas)),
                    ("responses", object([(Failures.name, Failures.response)])),
                ])
            ),
        ])
    }

    private static func operation(_ route: Route, _ call: Call) -> JSON {
        var members: [(String, JSON)] = [
            ("summary", .string(call.summary)), ("operationId", .string(name(of: route))),
            ("x-access", .string(route.rule.rawValue)),
        ]
        let parameters = parameters(route, call)
        if !parameters.isEmpty { members.append(("parameters", .array(parameters))) }
        if let takes = call.takes {
            let content = object([("application/json", object([("schema", schema(takes))]))])
            members.append(
                ("requestBody", object([("required", .bool(!call.isBodyOptional)), ("content", content)])))
        }
        members.append(("responses", .object(responses(route, call))))
        if route.rule != .anyone {
            members.append(("security", .array([object([("bearer", .array([]))])])))
        }
        return object(members)
    }

    private static func name(of route: Route) -> String {
        let parts = route.pattern.description.split(separator: "/").dropFirst(2).map {
            $0.replacingOccurrences(of: ":", with: "by-")
        }
        return ([route.method.rawValue.lowercased()] + parts).joined(separator: "-")
    }

    /// - Parameter isNeeded: whether a change without it is refused.
    private static func match(isNeeded: Bool) -> JSON {
        let words =
            "The ETag of the state that was seen; "
            + (isNeeded
                ? "needed to change what is there." : "with another than the present one nothing is changed.")
        return object([
            ("name", .string("If-Match")), ("in", .string("header")), ("schema", schema(.string)),
            ("description", .string(words)),
        ])
    }

    /// The type of a parameter of the query or the path.
    private static func kind(of parameter: String) -> JSON {
        switch parameter {
        case "limit": number(1, 200)
        case "days": number(1, 7)
        case "dailies", "acknowledged", "notes": schema(.boolean)
        case "from", "to": object([("type", .string("string")), ("format", .string("date-time"))])
        case "since", "until": object([("type", .string("string")), ("format", .string("date"))])
        case "email": schema(.formatted("email"))
        case "format": schema(.choice(["intersession", "fhir"]))
        case "cursor": text("^-?[0-9]{1,18}_[0-9A-Za-z-]{1,60}$")
        case "code": text("^[0-9]{4} ?[0-9]{4}$")
        case "token": text("^[A-Za-z0-9_-]+$")
        case "page": text("^[a-z][a-z0-9-]{1,39}$")
        case "questionnaire_key", "scale", "kind", "action": text("^[a-z0-9_.-]{1,60}$")
        default: schema(.id)
        }
    }

    /// An empty parameter counts as absent, as forms send it.
    private static func orEmpty(_ schema: JSON) -> JSON {
        let empty = object([("type", .string("string")), ("maxLength", .number(0))])
        return object([("anyOf", .array([schema, empty]))])
    }

    private static func number(_ first: Double, _ last: Double) -> JSON {
        object([("type", .string("integer")), ("minimum", .number(first)), ("maximum", .number(last))])
    }

    private static func text(_ pattern: String) -> JSON {
        object([("type", .string("string")), ("pattern", .string(pattern))])
    }

    /// Whether a change is checked against `If-Match`: it applies to everything that can be read at the same address
    /// and is not created there for good.
    static func honoursMatch(_ route: Route, _ call: Call) -> Bool {
        if call.needsMatch { return true }
        guard [.put, .patch, .delete].contains(route.method), call.status != 201 else { return false }
        return Routes.all.list.contains {
            $0.method == .get && $0.pattern.description == route.pattern.description
        }
    }

    private static func parameters(_ route: Route, _ call: Call) -> [JSON] {
        let places = route.pattern.description.split(separator: "/").filter { $0.hasPrefix(":") }.map {
            $0.dropFirst()
        }
        let path = places.map { place in
            return object([
                ("name", .string(String(place))), ("in", .string("path")), ("required", .bool(true)),
                ("schema", kind(of: String(place))),
            ])
        }
        let query = call.query.map { name in
            object([
                ("name", .string(name)), ("in", .string("query")),
                ("required", .bool(name == "email")),
                (
                    "schema",
                    ["email", "limit", "cursor"].contains(name) ? kind(of: name) : orEmpty(kind(of: name))
                ),
            ])
        }
        return path + query + (honoursMatch(route, call) ? [match(isNeeded: call.needsMatch)] : [])
    }

    private static func responses(_ route: Route, _ call: Call) -> [JSON.Member] {
        let answer: JSON
        switch call.answers {
        case .nothing: answer = object([("description", .string("Done"))])
        case .other(let type):
            let types = type.split(separator: ",").map { (String($0), file(of: String($0))) }
            answer = object([("description", .string("Found")), ("content", object(types))])
        case .one(let type, let attributes, _): answer = content(one(type, attributes))
        case .many(let type, let attributes, _): answer = content(many(type, attributes))
        }
        var members = [
            JSON.Member(String(call.status), call.undo == nil ? answer : withUndo(answer))
        ]
        if route.pattern.description == "/api/v1/undo/:token" {
            members.append(JSON.Member("204", object([("description", .string("Undone"))])))
        }
        // A repeated PUT with the same content answers 200 instead of 201.
        if route.method == .put && call.status == 201 { members.append(JSON.Member("200", answer)) }
        if route.method == .get {
            members.append(JSON.Member("304", object([("description", .string("Not modified"))])))
        }
        return members + Failures.members(of: route, call)
    }

    /// The undo in a header, for changes that can be undone.
    private static func withUndo(_ answer: JSON) -> JSON {
        guard case .object(let members) = answer else { return answer }
        let header = object([
            (
                "description",
                .string(
                    "Posted to below /api/v1 it undoes what was done: for ten minutes, once. Absent when nothing was "
                        + "changed, or what was done need not be undone.")
            ), ("schema", text("^/undo/[A-Za-z0-9_-]+$")),
        ])
        return .object(members + [JSON.Member("headers", object([(Undo.header, header)]))])
    }

    /// Shared schemas: errors, and types that refer to themselves.
    private static let schemas =
        [(Failures.name, Failures.schema)] + Schema.shared.map { ($0.name, schema($0.schema)) }
}
