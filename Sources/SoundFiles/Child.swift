import CSpawn
import Foundation
import Programs

/// A process that gets nothing from this one but its arguments and at most one open file, and may only write to one pipe.
package struct Child {
    private let process: pid_t
    private let pipe: Int32

    /// - Parameter input: an open file that it reads as its standard input; nil for none.
    /// - Returns: nil when it could not be started.
    package init?(_ program: String, _ arguments: [String], input: Int32? = nil) {
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { return nil }
        defer { close(ends[1]) }
        pipe = ends[0]
        // The only variable: otherwise Swift would print a backtrace, which takes time. Decoders write notes to the standard error,
        // which do not belong in the log.
        let process = try? Spawn.start(
            program, arguments, variables: ["SWIFT_BACKTRACE=enable=no"],
            files: [input.map { .open($0) } ?? .nothing, .open(ends[1]), .nothing])
        guard let process else {
            close(ends[0])
            return nil
        }
        self.process = process
    }

    /// Reads its output to the end. Closes the pipe.
    /// - Returns: nothing when it wrote more than `limit`; nil when it took too long.
    package func output(until deadline: ContinuousClock.Instant, limit: Int) -> [UInt8]? {
        defer { close(pipe) }
        var all: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 16 << 10)
        while all.count <= limit {
            var waiting = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
            let rest = (deadline - .now) / .milliseconds(1)
            guard rest > 0 else { return nil }
            guard poll(&waiting, 1, Int32(min(rest + 1, 60_000))) > 0 else { continue }
            let count = read(pipe, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return all }
            all += part.prefix(count)
        }
        return []
    }

    /// Waits for its end, and brings it about when it takes longer.
    /// - Returns: its status as `waitpid` tells it; nil when it had to be killed.
    package func end(by deadline: ContinuousClock.Instant) -> Int32? {
        var status = Int32(0)
        // Its output is complete, so it ends at once, or it hangs.
        let soon = min(deadline, .now + .seconds(2))
        while ContinuousClock.now < soon {
            let ended = waitpid(process, &status, WNOHANG)
            if ended == process { return status }
            if ended < 0, errno != EINTR { return nil }
            poll(nil, 0, 2)
        }
        kill(process, SIGKILL)
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return nil
    }
}
