import Foundation
import HTTP
import Wording

/// Changes to things that two people may have open at once: each says which state it was made with in view, and what
/// was made with an older one changes nothing. Over the API `If-Match` says it, in a form the hidden field `revision`.
extension Conditional {
    /// The answer that shows a changeable thing, with its tag: the revision, which is all that `If-Match` compares, the
    /// language, and a digest of what else is told beside the settings, so that it stays a strong tag of the answer.
    package static func tagged(_ reply: Reply, revision: Int, _ language: Language) -> Reply {
        guard case .response(var response) = reply else { return reply }
        let tag = "\"\(revision)-\(language.rawValue)-\(Assets.tag(response.bytes))\""
        response.headers.append("ETag", tag)
        return .response(response)
    }

    /// Whether a change was made with the present state in view. Belongs inside the transaction of the write.
    /// - Parameters:
    ///   - current: the revision as it stands in the transaction; nil when there is nothing yet, which needs no match.
    ///   - base: the revision that the change was worked out from, where that was read before the transaction.
    ///   - isRequired: whether a call has to name one; a form always has to.
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
                // The form of something that is not there yet names no revision.
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
            let tags = header.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            self = tags.contains("*") ? .anything : .revisions(tags.compactMap(Self.revision))
        }

        /// The number that a strong tag begins with.
        private static func revision(of tag: String) -> Int? {
            guard tag.count > 2, tag.hasPrefix("\""), tag.hasSuffix("\"") else { return nil }
            return Int(tag.dropFirst().prefix { $0 != "-" && $0 != "\"" })
        }
    }
}
