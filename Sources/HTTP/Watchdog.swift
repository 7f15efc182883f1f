import Foundation
import Synchronization

/// Ends connections that take too long. libmicrohttpd's own time-out counts inactivity only: one header line
/// every two seconds keeps a connection for ever.
final class Watchdog: Sendable {
    enum Phase { case head, body, handling, answer }

    private struct State {
        var deadlines: [Int32: Double] = [:]
        var isStopped = false
    }

    private let settings: ServerSettings
    private let state = Mutex(State())

    init(_ settings: ServerSettings) { self.settings = settings }

    func start() {
        let thread = Thread { [self] in
            while !isStopped {
                Thread.sleep(forTimeInterval: 0.5)
                shutDown { $0 < monotonicSeconds() }
            }
        }
        thread.name = "watchdog"
        thread.start()
    }

    /// Ends every connection and the watching.
    func stop() {
        state.withLock { $0.isStopped = true }
        shutDown { _ in true }
    }

    /// Notes what a connection is doing now, and so how long it may take.
    func enter(_ phase: Phase, socket: Int32) {
        let seconds =
            switch phase {
            case .head: Double(settings.headSeconds)
            case .body: Double(settings.bodySeconds)
            case .handling: Double.infinity
            case .answer: Double(settings.answerSeconds)
            }
        let deadline = monotonicSeconds() + seconds
        state.withLock { $0.deadlines[socket] = deadline }
    }

    /// Forgets a connection. Called before its socket is closed, so that no other gets its number meanwhile.
    func forget(socket: Int32) { state.withLock { $0.deadlines[socket] = nil } }

    private var isStopped: Bool { state.withLock { $0.isStopped } }

    private func shutDown(_ isOver: (Double) -> Bool) {
        state.withLock { state in
            for (socket, deadline) in state.deadlines where isOver(deadline) {
                // Only shut down: the descriptor belongs to libmicrohttpd, which closes it.
                shutdown(socket, Int32(SHUT_RDWR))
            }
        }
    }
}
