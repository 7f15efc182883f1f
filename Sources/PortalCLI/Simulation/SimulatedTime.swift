import Foundation
import Locks
import Wire

/// The time of a simulation. The server reads it from a file, phones from here.
final class SimulatedTime: Sendable {
    private let present: Lock<Instant>
    private let file: String

    /// Monday, 2 March 2026, seven in the morning in Vienna: the clocks are put forward four weeks later.
    static let begin = Instant(milliseconds: 1_772_431_200_000)

    init(file: String) throws {
        self.file = file
        present = Lock(Self.begin)
        try write(Self.begin)
    }

    var now: Instant { present.withLock { $0 } }

    /// Time never goes back.
    func advance(to time: Instant) throws {
        guard time > now else { return }
        try write(time)
        present.withLock { $0 = time }
    }

    private func write(_ time: Instant) throws {
        let descriptor = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
        defer { close(descriptor) }
        let text = Array("\(time.milliseconds)\n".utf8)
        guard pwrite(descriptor, text, text.count, 0) == text.count else {
            throw CocoaError(.fileWriteUnknown)
        }
    }
}
