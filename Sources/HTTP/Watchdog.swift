import Foundation
import Locks

/// Ends connections that take too long. libmicrohttpd's own time-out counts inactivity only: one header line every
/// two seconds keeps a connection for ever. When there are too many, silent ones are closed for new ones: thousands
/// of them would otherwise keep all other clients out until their time is over.
final class Watchdog: Sendable {
    enum Phase {
        /// No complete head was received yet: silence, or half a head.
        case new
        /// Kept alive after an answer.
        case idle
        case body, upload, handling, answer
    }

    private struct Connection {
        var phase: Phase
        /// When its phase began, and until when it may last.
        var since: Double
        var deadline: Double
        /// Was told to end; libmicrohttpd closes it soon.
        var isLeaving = false
    }

    private struct State {
        var connections: [Int32: Connection] = [:]
        var staying = 0
        var isStopped = false
    }

    private let settings: ServerSettings
    private let state = Lock(State())

    init(_ settings: ServerSettings) { self.settings = settings }

    func start() {
        let thread = Thread { [self] in
            while !isStopped {
                Thread.sleep(forTimeInterval: 0.5)
                let now = monotonicSeconds()
                shutDown { $0.deadline < now }
            }
        }
        thread.name = "watchdog"
        thread.start()
    }

    /// Ends every connection, and the watchdog's thread.
    func stop() {
        state.withLock { $0.isStopped = true }
        shutDown { _ in true }
    }

    /// Adds a new connection. When there are too many, the one that has been silent for longest is closed, then the
    /// one that was kept alive for longest; the new one itself when all others are at work.
    func begin(socket: Int32) {
        state.withLock { state in
            let now = monotonicSeconds()
            state.connections[socket] = Connection(phase: .new, since: now, deadline: now)
            state.staying += 1
            note(.new, socket, &state)
            guard state.staying > settings.connectionLimit else { return }
            end(Self.longestWaiting(in: state, but: socket) ?? socket, &state)
        }
    }

    private static func longestWaiting(in state: State, but socket: Int32) -> Int32? {
        var new: (socket: Int32, since: Double)?
        var idle: (socket: Int32, since: Double)?
        for (other, connection) in state.connections where !connection.isLeaving && other != socket {
            let since = connection.since
            if connection.phase == .new, since < new?.since ?? .infinity { new = (other, since) }
            if connection.phase == .idle, since < idle?.since ?? .infinity { idle = (other, since) }
        }
        return new?.socket ?? idle?.socket
    }

    /// Notes the phase of a connection, which sets its deadline.
    func enter(_ phase: Phase, socket: Int32) { state.withLock { note(phase, socket, &$0) } }

    /// Forgets a connection. Called before its socket is closed, so that no other connection gets its number meanwhile.
    func forget(socket: Int32) {
        state.withLock { state in
            guard let gone = state.connections.removeValue(forKey: socket) else { return }
            if !gone.isLeaving { state.staying -= 1 }
        }
    }

    private func note(_ phase: Phase, _ socket: Int32, _ state: inout State) {
        let now = monotonicSeconds()
        let seconds =
            switch phase {
            case .new, .idle: Double(settings.headSeconds)
            case .body: Double(settings.bodySeconds)
            case .upload: Double(settings.uploadSeconds)
            case .handling: Double.infinity
            case .answer: Double(settings.answerSeconds)
            }
        state.connections[socket]?.phase = phase
        state.connections[socket]?.since = now
        state.connections[socket]?.deadline = now + seconds
    }

    private var isStopped: Bool { state.withLock { $0.isStopped } }

    private func shutDown(_ isOver: (Connection) -> Bool) {
        state.withLock { state in
            for socket in state.connections.filter({ isOver($0.value) }).keys { end(socket, &state) }
        }
    }

    /// Shuts down only: the descriptor belongs to libmicrohttpd, which closes it.
    private func end(_ socket: Int32, _ state: inout State) {
        shutdown(socket, Int32(SHUT_RDWR))
        guard state.connections[socket]?.isLeaving == false else { return }
        state.connections[socket]?.isLeaving = true
        state.staying -= 1
    }
}
