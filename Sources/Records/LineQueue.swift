import Dispatch
import Foundation
import Locks

/// Lines on their way to a descriptor, written by a thread of its own: a reader that stalls (a log driver, a pipe to a full disk) holds
/// up nothing else. What does not fit is lost and counted.
public final class LineQueue: Sendable {
    /// What became of lines.
    public struct Losses: Sendable, Equatable {
        /// Since the start, those that could not be written included.
        public var count = 0
        /// Whether the reader stalls now: lines are lost, and those before them still wait.
        public var isStalled = false

        public init() {}
    }

    private struct State {
        var waiting: [[UInt8]] = []
        /// The place of the next line in `waiting`; those before it are written.
        var next = 0
        var bytes = 0
        var losses = Losses()
        /// Lost since the last line that said so.
        var untold = 0
        var isWriting = false
        var hasThread = false
    }

    private let descriptor: Int32
    private let limit: Int
    private let tell: @Sendable (Int) -> [UInt8]
    private let state = Lock(State())
    private let filled = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - limit: how many bytes may wait.
    ///   - tell: the line that says how many were lost before it.
    public init(descriptor: Int32, limit: Int = 256 * 1024, tell: @escaping @Sendable (Int) -> [UInt8]) {
        self.descriptor = descriptor
        self.limit = limit
        self.tell = tell
    }

    /// Returns at once.
    public func add(_ line: [UInt8]) {
        let isNew = state.withLock { state in
            guard state.bytes + line.count <= limit || state.bytes == 0 else {
                state.losses.count += 1
                state.losses.isStalled = true
                state.untold += 1
                return false
            }
            if state.untold > 0 {
                Self.append(tell(state.untold), &state)
                state.untold = 0
            }
            Self.append(line, &state)
            let isNew = !state.hasThread
            state.hasThread = true
            return isNew
        }
        if isNew { begin() }
        filled.signal()
    }

    private static func append(_ line: [UInt8], _ state: inout State) {
        state.waiting.append(line)
        state.bytes += line.count
    }

    public var losses: Losses { state.withLock { $0.losses } }

    /// Waits until all lines are written.
    /// - Returns: false when some still wait after so long.
    @discardableResult
    public func flush(within seconds: Double) -> Bool {
        let end = DispatchTime.now() + seconds
        repeat {
            if state.withLock({ $0.next == $0.waiting.count && $0.untold == 0 && !$0.isWriting }) {
                return true
            }
            usleep(2_000)
        } while DispatchTime.now() < end
        return false
    }

    private func begin() {
        let thread = Thread { [self] in
            while true {
                filled.wait()
                while let line = take() { write(line) }
            }
        }
        thread.name = "lines"
        thread.start()
    }

    /// The next line; nil when all are written.
    private func take() -> [UInt8]? {
        state.withLock { state in
            state.isWriting = false
            if state.next == state.waiting.count {
                state.waiting.removeAll(keepingCapacity: true)
                state.next = 0
                state.bytes = 0
                state.losses.isStalled = false
                guard state.untold > 0 else { return nil }
                Self.append(tell(state.untold), &state)
                state.untold = 0
            }
            let line = state.waiting[state.next]
            state.waiting[state.next] = []
            state.next += 1
            state.bytes -= line.count
            state.isWriting = true
            // Written lines go in large steps: moving the rest for each would cost more than the lines.
            if state.next >= 1024 {
                state.waiting.removeFirst(state.next)
                state.next = 0
            }
            return line
        }
    }

    /// A line that cannot be written (disk full, reader gone) is lost, and only it.
    private func write(_ line: [UInt8]) {
        var rest = line[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count < 0, errno == EAGAIN {
                // Another program has switched the shared descriptor over.
                var writable = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&writable, 1, -1)
            } else if count == 0 || errno != EINTR {
                state.withLock { $0.losses.count += 1 }
                return
            }
        }
    }
}
