import Database
import HTTP
import Locks
import Records
import Wire
import Wording

/// Holds a change to the state that it was made with in view: `If-Match` is compared in the transaction of the request's
/// first write, by `Context.write` itself, and the revision that this transaction leaves is the answer's tag.
final class StateInView: Sendable {
    private let request: Request
    private let fixed: [String: String]
    private let made = Lock<[String: String]>([:])
    private let account: ID<Account>
    private let revision: RevisionOf
    private let written = Lock<(isDone: Bool, revision: Int?)>((false, nil))

    init(
        _ request: Request, _ places: [String: String], of account: ID<Account>,
        _ revision: @escaping RevisionOf
    ) {
        self.request = request
        fixed = places
        self.account = account
        self.revision = revision
    }

    /// The values of the path, and the ids made during the request.
    var places: [String: String] { fixed.merging(made.withLock { $0 }) { _, new in new } }

    /// Adds the id of a thing that the request makes.
    func name(_ place: String, _ id: String) { made.withLock { $0[place] = id } }

    func current(_ connection: borrowing Connection) throws -> Int? {
        try revision(places, account, connection)
    }

    /// - Throws: `Problem.preconditionFailed` for a change that is based on another state.
    func check(_ connection: borrowing Connection) throws {
        guard request.headers["If-Match"] != nil, !written.withLock({ $0.isDone }) else { return }
        try Conditional.requireRevision(request, current: try current(connection), isRequired: false)
    }

    func note(_ connection: borrowing Connection) throws {
        let revision = try current(connection)
        written.withLock { $0 = (true, revision) }
    }

    /// Whether there was a write at all.
    var isWritten: Bool { written.withLock { $0.isDone } }

    private let withheld = Lock(false)
    var isWithheld: Bool { withheld.withLock { $0 } }
    func withhold() { withheld.withLock { $0 = true } }

    /// The revision after the last write; nil without a write, and when the thing is gone.
    var left: Int? { written.withLock { $0.revision } }

    /// The answer with its tag, where it shows the thing.
    func tagged(_ reply: Reply, before: Int?, _ language: Language) -> Reply {
        guard case .response(let response) = reply, [200, 201].contains(response.status),
            response.headers["ETag"] == nil, let revision = left ?? before
        else { return reply }
        return Conditional.tagged(reply, revision: revision, language)
    }
}
