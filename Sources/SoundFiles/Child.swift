import CSpawn
import Foundation

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
        guard let process = Self.start(program, arguments, input, output: ends[1]) else {
            close(ends[0])
            return nil
        }
        self.process = process
    }

    private static func start(
        _ program: String, _ arguments: [String], _ input: Int32?, output: Int32
    ) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        // Decoders write notes there, which do not belong in the log.
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A child would inherit the signals that a server blocks and ignores.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        // The only variable: otherwise Swift would print a backtrace, which takes time.
        let environment = ["SWIFT_BACKTRACE=enable=no"]
        var process = pid_t()
        let failure = withTexts([program] + arguments) { words in
            withTexts(environment) { variables in
                posix_spawn(&process, program, &actions, &attributes, words, variables)
            }
        }
        return failure == 0 ? process : nil
    }

    private static func withTexts<Result>(
        _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = texts.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        return body(copies + [nil])
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
