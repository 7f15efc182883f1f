import Foundation
import HTTP
import Wording

/// Strong entity tags for what the API answers, and 304 for those who have it already.
package enum Conditional {
    package static func tag(_ response: inout Response, _ request: Request) {
        response.headers.append("Vary", "Accept-Language")
        // A file is made anew for each who asks, and not read for a tag: all would have the same.
        guard request.method.isSafe, response.status == 200, case .bytes = response.body else { return }
        // A changeable thing has named its own, made from its revision.
        let known = response.headers["ETag"]
        let tag = known ?? "\"" + Assets.tag(response.bytes) + "\""
        if known == nil { response.headers.append("ETag", tag) }
        guard request.hasTag(tag) else { return }
        var unchanged = Response(status: 304)
        for field in response.headers.fields where field.name != "Content-Type" {
            unchanged.headers.append(field.name, field.value)
        }
        response = unchanged
    }
}

/// Changes to things that two people may have open at once: each says which state it was made with in view, and what
/// was made with an older one changes nothing. Over the API `If-Match` says it, in a form the hidden field `revision`.
extension Conditional {
    /// The answer that shows a changeable thing, with its tag: the revision, which is all that `If-Match` compares,
    /// the language, and a digest of the answer, so that the tag stays a strong one.
    package static func tagged(_ reply: Reply, revision: Int, _ language: Language) -> Reply {
        guard case .response(var response) = reply else { return reply }
        let tag = "\"\(revision)-\(language.rawValue)-\(Assets.tag(response.bytes))\""
        response.headers.append("ETag", tag)
        return .response(response)
    }

    /// Refuses a change that is not based on the present state. Belongs inside the transaction of the write.
    /// - Parameters:
    ///   - current: the revision in the transaction; nil when there is nothing yet, which needs no match.
    ///   - base: the revision that the change was computed from, where that was read before the transaction.
    ///   - isRequired: whether a call must name one; a form always must.
    /// - Throws: `Problem.preconditionRequired` without one, `.preconditionFailed` for another than the present one.
    package static func requireRevision(
        _ request: Request, current: Int?, base: Int? = nil, isRequired: Bool = true
    ) throws(Problem) {
        if let base, base != current { throw .preconditionFailed }
        switch Seen(request) {
        case .nothing:
            if isRequired, current != nil { throw .preconditionRequired }
        case .anything:
            if current == nil { throw .preconditionFailed }
        case .revisions(let seen):
            guard let current else {
                // The form of a thing that does not exist yet names no revision.
                if seen.isEmpty, request.headers["If-Match"] == nil { return }
                throw .preconditionFailed
            }
            if !seen.contains(current) { throw .preconditionFailed }
        }
    }

    private enum Seen {
        case nothing, anything
        case revisions([Int])

        init(_ request: Request) {
            guard let header = request.headers["If-Match"] else {
                guard let form = Form(body: request) else {
                    self = .nothing
                    return
                }
                self = .revisions([form["revision"].flatMap { Int($0) }].compactMap(\.self))
                return
            }
            let tags = EntityTags(header)
            self = tags.isAny ? .anything : .revisions(tags.list.compactMap(Self.revision))
        }

        /// The number that a tag begins with.
        private static func revision(of tag: String) -> Int? {
            Int(tag.dropFirst().prefix { $0 != "-" && $0 != "\"" })
        }
    }
}
