import Dispatch
import Foundation
import Records
import Synchronization

/// A thread that runs one round after the other beside the requests, until it is stopped.
package final class RoundThread: Sendable {
    private let services: Services
    private let name: String
    private let flag = Atomic(false)
    private let ended = DispatchSemaphore(value: 0)
    /// After a round that failed, in milliseconds.
    private static let pauseAfterFault = 5_000

    /// - Parameter body: returns once it was told to stop; usually `repeating` is all it does.
    package init(
        _ name: String, _ services: Services,
        body: @escaping @Sendable (_ thread: RoundThread) -> Void
    ) {
        self.name = name
        self.services = services
        let thread = Thread { [self] in
            body(self)
            ended.signal()
        }
        thread.name = name
        thread.start()
    }

    /// To be asked in long loops.
    package var isStopped: Bool { flag.load(ordering: .relaxed) }

    /// - Parameters:
    ///   - pause: between rounds without work, in milliseconds.
    ///   - wait: waits for so many milliseconds, or until there is work.
    ///   - round: returns whether there may be more to do at once.
    package func repeating(
        pause: Int, wait: (_ milliseconds: Int) -> Void, round: () throws -> Bool
    ) {
        // In a simulation an hour takes less than a second.
        let pause = services.settings.clockFile == nil ? pause : 50
        while !isStopped {
            do {
                if try !round() { wait(pause) }
            } catch {
                services.log.line(
                    "error", "\(name) failed", [("detail", Log.detail(of: error))], at: services.clock.now)
                wait(Self.pauseAfterFault)
            }
        }
    }

    /// - Parameters:
    ///   - seconds: how long to wait for it at most; nil without limit.
    ///   - wake: ends its waiting.
    package func stop(within seconds: Int? = nil, wake: () -> Void) {
        flag.store(true, ordering: .relaxed)
        wake()
        _ = ended.wait(timeout: seconds.map { .now() + .seconds($0) } ?? .distantFuture)
    }
}
