import Dispatch
import Foundation
import Locks
import Records
import Web

/// The state of links for as long as the portal runs: the providers that are set up, and a bell. In memory only.
package final class WearableSignal: Part {
    private let providers: Lock<[String: ConfiguredProvider]>
    private let bell = DispatchSemaphore(value: 0)
    /// Wakes callers that wait for another renewal.
    private let renewed = NSCondition()

    package init(_ settings: Settings) throws {
        let read = try WearableFile.read(settings)
        providers = Lock(Dictionary(uniqueKeysWithValues: read.map { ($0.name, $0) }))
    }

    func provider(_ name: String) -> ConfiguredProvider? { providers.withLock { $0[name] } }

    var isThereAny: Bool { providers.withLock { !$0.isEmpty } }

    /// Replaces the one from the file; for tests.
    func set(_ provider: ConfiguredProvider) { providers.withLock { $0[provider.name] = provider } }

    /// Wakes the fetching thread.
    func wake() { bell.signal() }

    func wait(milliseconds: Int) { _ = bell.wait(timeout: .now() + .milliseconds(milliseconds)) }

    func noteRenewed() {
        renewed.lock()
        renewed.broadcast()
        renewed.unlock()
    }

    /// Waits until a renewal in this process ends; one in another process is noticed by reading again.
    func waitForRenewal() {
        renewed.lock()
        _ = renewed.wait(until: Date(timeIntervalSinceNow: 0.02))
        renewed.unlock()
    }

    package func close() { bell.signal() }
}
