import Records
import Web

/// Looks at links in the background: one thread, one link at a time.
package struct LinkPuller: Sendable {
    private let desk: WearableDesk
    private let thread: RoundThread

    package init(_ services: Services) {
        let desk = services.part(WearableDesk.self)
        self.desk = desk
        thread = RoundThread("wearables", services) { thread in
            let round = PullRound(services)
            thread.repeating(pause: 5_000, wait: desk.wait(milliseconds:)) {
                try desk.isThereAny && round.go { thread.isStopped } > 0
            }
        }
    }

    /// Ends after the call that is under way, which takes ten seconds at most: it may bring a token whose forerunner is spent. What
    /// had not been filed yet is fetched again.
    package func stop() { thread.stop(within: 12, wake: desk.wake) }
}
