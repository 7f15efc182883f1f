import Records
import Web

/// Fetches data of links in the background: one thread, one link at a time.
package struct LinkPuller: Sendable {
    private let desk: WearableSignal
    private let thread: RoundThread

    package init(_ services: Services) {
        let desk = services.part(WearableSignal.self)
        self.desk = desk
        thread = RoundThread("wearables", services) { thread in
            let round = PullRound(services)
            thread.repeating(pause: 5_000, wait: desk.wait(milliseconds:)) {
                try desk.isThereAny && services.records.leads() && round.go { thread.isStopped } > 0
            }
        }
    }

    /// Ends after the running call, which takes ten seconds at most: it may bring a new token whose predecessor is
    /// used up. Data that was not filed yet is fetched again.
    package func stop() { thread.stop(within: 12, wake: desk.wake) }
}
