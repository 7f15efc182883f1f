import Dispatch
import Records
import Web

/// Sends what waits: one thread, a hundred messages under way at most. Each is claimed before it is sent and noted once the
/// relay has taken it; what lies between at the moment of a crash may be sent once more, while its window lasts, under a topic
/// that makes the relay replace it.
package struct PushSender: Sendable {
    private let desk: PushDesk
    private let thread: RoundThread

    package init(_ services: Services) {
        let desk = services.part(PushDesk.self)
        self.desk = desk
        thread = RoundThread("push", services) { thread in
            guard var round = PushRound(services) else {
                return services.log.line("error", "push cannot be started", at: services.clock.now)
            }
            thread.repeating(pause: 1_000, wait: desk.wait(milliseconds:)) { try round.go(takes: true) }
            // What is under way ends within ten seconds of its own; five are given.
            let end = DispatchTime.now().uptimeNanoseconds + 5_000_000_000
            while round.isBusy, DispatchTime.now().uptimeNanoseconds < end {
                _ = try? round.go(takes: false)
            }
        }
    }

    /// Ends after what is under way; returns then.
    package func stop() { thread.stop(wake: desk.wake) }
}
