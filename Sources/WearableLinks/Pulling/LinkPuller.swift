import Dispatch
import Foundation
import Records
import Synchronization
import Web
import Wire

/// Looks at links in the background: one thread, one link at a time.
package final class LinkPuller: Sendable {
    private let services: Services
    private let isStopped = Atomic(false)
    private let ended = DispatchSemaphore(value: 0)

    package init(_ services: Services) {
        self.services = services
        let thread = Thread { [self] in
            run()
            ended.signal()
        }
        thread.name = "wearables"
        thread.start()
    }

    /// Ends after the call that is under way, which takes ten seconds at most: it may bring a token whose forerunner is spent. What
    /// had not been filed yet is fetched again.
    package func stop() {
        isStopped.store(true, ordering: .relaxed)
        services.part(WearableDesk.self).wake()
        _ = ended.wait(timeout: .now() + .seconds(12))
    }

    private func run() {
        let desk = services.part(WearableDesk.self)
        let round = PullRound(services)
        // In a simulation an hour takes less than a second.
        let pause = services.settings.clockFile == nil ? 5_000 : 50
        while !isStopped.load(ordering: .relaxed) {
            do {
                let count =
                    desk.isThereAny ? try round.go { [self] in isStopped.load(ordering: .relaxed) } : 0
                if count == 0 { desk.wait(milliseconds: pause) }
            } catch {
                services.log.line(
                    "error", "wearables failed", [("detail", Log.detail(of: error))], at: services.clock.now)
                desk.wait(milliseconds: 5_000)
            }
        }
    }
}
