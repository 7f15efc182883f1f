import Wire

/// What the OpenAPI document says about a call of the API.
package struct Call: Sendable {
    package enum Content: Sendable {
        case nothing
        case one(type: String, Schema, example: @Sendable () throws -> [UInt8])
        case many(type: String, Schema, example: @Sendable () throws -> [UInt8])
        /// A media type other than JSON.
        case other(String)
    }

    package let summary: String
    package let query: [String]
    package let takes: Schema?
    package let status: Int
    package let answers: Content
    /// Whether a change must name the revision it is based on.
    package var needsMatch = false

    /// A call that answers one thing.
    package static func one<R: Documented>(
        _ summary: String, _ type: R.Type, status: Int = 200, query: [String] = [], takes: Schema? = nil
    ) -> Call {
        let content = Content.one(type: R.type, R.schema) { try JSONBytes.of(One(R.example)) }
        return Call(summary: summary, query: query, takes: takes, status: status, answers: content)
    }

    /// A call that answers a list; `limit` and `cursor` are added by itself.
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

    /// - Parameter type: the media type; several are separated by commas.
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

    /// The revision of the thing in the path, for `ETag` and `If-Match`; nil where the call handles both itself.
    package var revision: RevisionOf?

    /// The same, for a thing with a revision: a `GET` tags it, and a change is checked against `If-Match` where sent.
    package func revised(_ revision: @escaping RevisionOf) -> Call {
        var call = self
        call.revision = revision
        return call
    }

    /// How the change is undone; its answer says so in a header.
    package var undo: Undo?

    /// The same, for a change that can be undone.
    package func undone(_ undo: Undo) -> Call {
        var call = self
        call.undo = undo
        return call
    }

    /// The same, for changes that must name the present state.
    package var matching: Call {
        var call = self
        call.needsMatch = true
        return call
    }
}
