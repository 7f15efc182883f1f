import Dispatch
import Locks
import Records
import Secrets
import Web
import WebPush
import Wire

/// The state of sending while the portal runs: its key, and a bell. After a start everything is read again.
package final class PushSignal: Part {
    /// Identifies the sender to relays, and devices subscribe with it: it is stored in `keys/` and stays.
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

    /// Wakes the sender.
    func wake() { bell.signal() }

    /// Has the prompts of an account's studies planned soon.
    func plan(for account: ID<Account>) {
        _ = waiting.withLock { $0.insert(account) }
        bell.signal()
    }

    package func hear(_ news: News, _ records: Records) {
        if case .studiesChanged(let account) = news { plan(for: account) }
    }

    func takeWaiting() -> Set<ID<Account>> {
        waiting.withLock { accounts in
            defer { accounts = [] }
            return accounts
        }
    }

    func wait(milliseconds: Int) { _ = bell.wait(timeout: .now() + .milliseconds(milliseconds)) }

    package func close() { bell.signal() }
}
