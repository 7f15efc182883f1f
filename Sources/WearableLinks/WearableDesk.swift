import Dispatch
import Foundation
import Locks
import Records
import Web

/// What links need for as long as the portal runs: the providers that are set up, and a bell. In memory only.
package final class WearableDesk: Part {
    private let providers: Lock<[String: ConfiguredProvider]>
    private let bell = DispatchSemaphore(value: 0)
    /// Wakes who waits for tokens that somebody else renews.
    private let renewed = NSCondition()

    package init(_ settings: Settings) throws {
        let read = try WearableFile.read(settings)
        providers = Lock(Dictionary(uniqueKeysWithValues: read.map { ($0.name, $0) }))
    }

    func provider(_ name: String) -> ConfiguredProvider? { providers.withLock { $0[name] } }

    var isThereAny: Bool { providers.withLock { !$0.isEmpty } }

    /// In the place of what the file says; for tests.
    func set(_ provider: ConfiguredProvider) { providers.withLock { $0[provider.name] = provider } }

    /// Something is to be fetched.
    func wake() { bell.signal() }

    func wait(milliseconds: Int) { _ = bell.wait(timeout: .now() + .milliseconds(milliseconds)) }

    func noteRenewed() {
        renewed.lock()
        renewed.broadcast()
        renewed.unlock()
    }

    /// Until somebody here has renewed tokens; another program at the same database is noticed by looking again.
    func waitForRenewal() {
        renewed.lock()
        _ = renewed.wait(until: Date(timeIntervalSinceNow: 0.02))
        renewed.unlock()
    }

    package func close() { bell.signal() }
}
