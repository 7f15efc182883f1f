import Wire

/// What the OpenAPI document says about a call of the API.
package struct Call: Sendable {
    package enum Content: Sendable {
        case nothing
        case one(type: String, Schema, example: @Sendable () throws -> [UInt8])
        case many(type: String, Schema, example: @Sendable () throws -> [UInt8])
        /// Something else than JSON.
        case other(String)
    }

    package let summary: String
    package let query: [String]
    package let takes: Schema?
    package let status: Int
    package let answers: Content
    /// Whether a change has to name the state that was seen.
    package var needsMatch = false

    /// A call that answers one thing.
    package static func one<R: Documented>(
        _ summary: String, _ type: R.Type, status: Int = 200, query: [String] = [], takes: Schema? = nil
    ) -> Call {
        let content = Content.one(type: R.type, R.schema) { try JSONBytes.of(One(R.example)) }
        return Call(summary: summary, query: query, takes: takes, status: status, answers: content)
    }

    /// A call that answers a list; `limit` and `cursor` come by themselves.
    package static func many<R: Documented>(
        _ summary: String, _ type: R.Type, status: Int = 200, query: [String] = [], takes: Schema? = nil
    ) -> Call {
        let content = Content.many(type: R.type, R.schema) {
            try JSONBytes.of(Many([Item(id: R.type, R.example)], total: 1, next: nil))
        }
        return Call(
            summary: summary, query: takes == nil ? query + ["limit", "cursor"] : query, takes: takes,
            status: status, answers: content)
    }

    package static func nothing(
        _ summary: String, status: Int = 204, query: [String] = [], takes: Schema? = nil
    )
        -> Call
    {
        Call(summary: summary, query: query, takes: takes, status: status, answers: .nothing)
    }

    /// - Parameter type: the media type; several with commas between.
    package static func other(_ summary: String, _ type: String, query: [String] = []) -> Call {
        Call(summary: summary, query: query, takes: nil, status: 200, answers: .other(type))
    }

    /// Whether the body may be left out altogether.
    package var isBodyOptional = false

    /// The same, with a body that may be left out.
    package var withOptionalBody: Call {
        var call = self
        call.isBodyOptional = true
        return call
    }

    /// Tells the revision of what the path names, for `ETag` and `If-Match`; nil where the call sees to both itself.
    package var revision: RevisionOf?

    /// The same, for a thing that carries a revision: a `GET` tags it, a change is held to `If-Match` where there is one.
    package func revised(_ revision: @escaping RevisionOf) -> Call {
        var call = self
        call.revision = revision
        return call
    }

    /// How what it does is undone; its answer says so in a header.
    package var undo: Undo?

    /// The same, for a change that can be undone.
    package func undone(_ undo: Undo) -> Call {
        var call = self
        call.undo = undo
        return call
    }

    /// The same, for things that change only with their present state in view.
    package var matching: Call {
        var call = self
        call.needsMatch = true
        return call
    }
}
