import Dispatch
import Identity
import Locks
import Records
import Secrets
import Web
import WebPush
import Wire

/// What sending needs for as long as the portal runs: its key, and a bell. In memory only: after a start everything is looked
/// for anew.
package final class PushDesk: Part {
    /// Relays know the sender by it, and devices subscribe for it: it lies in `keys/` and stays.
    let key: EllipticKey
    private let bell = DispatchSemaphore(value: 0)
    private let waiting = Lock<Set<ID<Account>>>([])

    package init(_ settings: Settings) throws {
        let path = settings.data + "/keys/push.key"
        guard let key = EllipticKey(secret: try KeyFile.loadOrCreate(path).bytes) else {
            throw StartError("\(path) holds no key of P-256")
        }
        self.key = key
    }

    package var publicKey: String { Base64URL.text(key.publicPoint) }

    /// Something waits to be sent.
    func wake() { bell.signal() }

    /// The prompts of somebody's studies are planned soon.
    func plan(for account: ID<Account>) {
        _ = waiting.withLock { $0.insert(account) }
        bell.signal()
    }

    package func studiesChanged(of account: ID<Account>) { plan(for: account) }

    func takeWaiting() -> Set<ID<Account>> {
        waiting.withLock { accounts in
            defer { accounts = [] }
            return accounts
        }
    }

    func wait(milliseconds: Int) { _ = bell.wait(timeout: .now() + .milliseconds(milliseconds)) }

    package func close() { bell.signal() }
}
