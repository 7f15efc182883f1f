import HTTP
import Records
import Wire

/// How a change is undone (PR-15): by which call, and where a change by another account shows. Placeholders in its
/// paths stand for the values in the path of the change.
package struct Undo: Sendable {
    /// The call that undoes it, posted to below `/api/v1`; it must have the same revision.
    package let path: String
    /// The address that shows the thing, or its list.
    package let shown: String
    package let revision: RevisionOf

    package init(by path: String, shown: String, _ revision: @escaping RevisionOf) {
        self.path = path
        self.shown = shown
        self.revision = revision
    }

    /// For how long a change can be undone.
    package static let seconds: Int64 = 600
    package static let header = "Undo"

    /// The answer to a change with its undo: in a header for a call, as the button beside the line for a page.
    func offered(
        in reply: Reply, _ places: [String: String], leaving revision: Int?, by account: ID<Account>,
        _ chance: Randomness, _ keys: Keyring, at now: Instant
    ) throws -> Reply {
        var token = UndoToken(
            id: chance.uuid(), account: account, path: Self.filled(path, places),
            shown: Self.filled(shown, places), revision: revision, until: now.adding(seconds: Self.seconds))
        switch reply {
        case .response(var response):
            guard (200..<300).contains(response.status) else { return reply }
            response.headers.append(Self.header, "/undo/\(try token.sealed(keys))")
            return .response(response)
        case .seeOther(let next, let flash?, nil, let cookies):
            token.next = next
            return .seeOther(
                next, flash: flash, undo: "/undo/\(try token.sealed(keys))", cookies: cookies)
        case .seeOther, .refused, .page: return reply
        }
    }

    private static func filled(_ path: String, _ places: [String: String]) -> String {
        path.split(separator: "/").map { part in
            "/" + (part.hasPrefix(":") ? places[String(part.dropFirst())] ?? "" : String(part))
        }.joined()
    }
}
