import Database
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

    /// At a start: subscriptions from before their key was noted are taken for ones of the present key.
    package func adopt(_ records: Records) throws {
        guard try records.read({ try PushSubscriptionStore.hasUnknownSender($0) }) else { return }
        try records.writeUnaudited(.push) { [publicKey] in
            try PushSubscriptionStore.adopt(publicKey, $0)
        }
    }

    private static let daysInUse: Int64 = 14

    /// The number of devices whose messages no relay takes any more, because `keys/push.key` is another one than when they
    /// subscribed. A device that comes back subscribes anew; one that has not for two weeks is not counted.
    package func strangers(at now: Instant, _ connection: borrowing Connection) throws -> Int {
        try PushSubscriptionStore.count(
            withoutSender: publicKey, usedSince: now.adding(days: -Self.daysInUse), connection)
    }

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
