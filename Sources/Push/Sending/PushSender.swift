import Dispatch
import Records
import Web

/// Sends due messages: one thread, at most a hundred at once. Each is claimed before it is sent and noted once the
/// relay has taken it; after a crash in between it may be sent once more, within its window, under a topic that makes
/// the relay replace it.
package struct PushSender: Sendable {
    private let desk: PushSignal
    private let thread: RoundThread

    package init(_ services: Services) {
        let desk = services.part(PushSignal.self)
        self.desk = desk
        thread = RoundThread("push", services) { thread in
            guard var round = PushRound(services) else {
                return services.log.line("error", "push cannot be started", at: services.clock.now)
            }
            thread.repeating(pause: 1_000, wait: desk.wait(milliseconds:)) {
                try round.go(takes: services.records.leads())
            }
            // A running request ends within ten seconds by itself; it is given five.
            let end = DispatchTime.now().uptimeNanoseconds + 5_000_000_000
            while round.isBusy, DispatchTime.now().uptimeNanoseconds < end {
                _ = try? round.go(takes: false)
            }
        }
    }

    /// Ends after the running requests; returns then.
    package func stop() { thread.stop(wake: desk.wake) }
}
