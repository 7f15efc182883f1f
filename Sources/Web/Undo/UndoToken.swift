import Database
import Foundation
import HTTP
import Locks
import Records
import Secrets
import Wire
import Wording

/// An undo as it is handed out: the account, the call, the state to start from, the expiry. Sealed by the server, so
/// that nothing waits in memory and no client can make one.
struct UndoToken: Codable, Sendable {
    let id: String
    let account: String
    let path: String
    let shown: String
    /// The revision that the change left; nil when it left nothing.
    let revision: Int?
    /// In milliseconds.
    let until: Int64
    /// The page that a form leads back to.
    var next: String?

    init(
        id: String, account: ID<Account>, path: String, shown: String, revision: Int?, until: Instant
    ) {
        self.id = id
        self.account = account.text
        self.path = path
        self.shown = shown
        self.revision = revision
        self.until = until.milliseconds
    }

    /// Nil for text that this server has not sealed.
    init?(_ text: String, _ keys: Keyring) {
        let plain = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        let padded = plain + String(repeating: "=", count: (4 - plain.count % 4) % 4)
        guard text.utf8.count < 4_096, let sealed = Data(base64Encoded: padded),
            let bytes = try? keys.open(Array(sealed), from: Self.place),
            let token = try? JSONDecoder().decode(Self.self, from: Data(bytes))
        else { return nil }
        self = token
    }

    func sealed(_ keys: Keyring) throws -> String {
        Token.base64url(keys.seal(Array(try JSONEncoder().encode(self)), for: Self.place))
    }

    private static let place = SealContext("undo", "token", "sealed")
}

/// An undo under way: the call's transaction checks it against the state it was made for, and marks it used.
package final class UndoClaim: Sendable {
    /// The undo that the running call carries out; nil for an ordinary call.
    @TaskLocal static var current: UndoClaim?

    private let token: UndoToken
    private let isTaken = Lock(false)

    init(_ token: UndoToken) { self.token = token }

    /// - Throws: `Problem.gone` for a used one, `.preconditionFailed` when the thing was changed by another account.
    func take(_ present: Int?, _ connection: borrowing Connection) throws {
        let isFirst = isTaken.withLock { taken in
            defer { taken = true }
            return !taken
        }
        guard isFirst else { return }
        guard present == token.revision else { throw Problem.preconditionFailed }
        try UndoStore.spend(token.id, until: Instant(milliseconds: token.until), connection)
    }
}
