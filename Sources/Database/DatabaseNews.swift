import Dispatch
import Foundation
import Glibc
import Synchronization

/// Hears what programs on the same database of PostgreSQL tell each other (`Connection.tell`).
public final class DatabaseNews: Sendable {
    private let isStopped = Atomic(false)
    private let ended = DispatchSemaphore(value: 0)
    /// A pipe whose one end is read to end the waiting for news.
    private let bell: (heard: Int32, rung: Int32)
    /// Milliseconds: until a lost connection is tried again, and until a dead one is noticed.
    private static let pause: Int32 = 500
    private static let patience: Int32 = 10_000

    /// - Parameters:
    ///   - began: called whenever listening begins, also after a lost connection: what was told before may have been missed.
    ///   - heard: called for each of the news, also for this program's own.
    /// - Returns: nil for a file, which has one program.
    public init?(
        of place: DatabasePlace, began: @escaping @Sendable () -> Void,
        heard: @escaping @Sendable (String) -> Void
    ) {
        guard case .server(let address) = place else { return nil }
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        bell = (ends[0], ends[1])
        let thread = Thread { [self] in
            while !isOver {
                listen(to: address, began, heard)
                wait(Self.pause)
            }
            ended.signal()
        }
        thread.name = "news"
        thread.start()
    }

    private var isOver: Bool { isStopped.load(ordering: .relaxed) }

    private func listen(to address: String, _ began: () -> Void, _ heard: (String) -> Void) {
        guard let session = try? PostgreSQLSession(address, role: .reader) else { return }
        defer { session.close() }
        do {
            try session.listen()
            began()
            while !isOver {
                try session.heard(waiting: Self.patience, or: bell.heard).forEach(heard)
                // Nothing was heard for long: is the other end still there?
                try session.script("")
            }
        } catch {}
    }

    private func wait(_ milliseconds: Int32) {
        var place = pollfd(fd: bell.heard, events: Int16(POLLIN), revents: 0)
        poll(&place, 1, milliseconds)
    }

    /// Returns once nothing is heard any more.
    public func stop() {
        guard !isStopped.exchange(true, ordering: .relaxed) else { return }
        var word: UInt8 = 1
        _ = write(bell.rung, &word, 1)
        ended.wait()
        close(bell.heard)
        close(bell.rung)
    }
}
