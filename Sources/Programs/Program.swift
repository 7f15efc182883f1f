import CSpawn
public import Foundation
import Locks

/// A file or a pipe as a standard file of a program.
public protocol ProgramFile {
    /// The end that the program gets.
    func descriptor(isInput: Bool) -> Int32
    /// The program has its end; nothing else may keep a pipe open.
    func hasStarted(isInput: Bool)
}

extension FileHandle: ProgramFile {
    public func descriptor(isInput: Bool) -> Int32 { fileDescriptor }
    public func hasStarted(isInput: Bool) {}
}

extension Pipe: ProgramFile {
    private func end(_ isInput: Bool) -> FileHandle { isInput ? fileHandleForReading : fileHandleForWriting }
    public func descriptor(isInput: Bool) -> Int32 { end(isInput).fileDescriptor }
    public func hasStarted(isInput: Bool) { try? end(isInput).close() }
}

/// A program that is started and waited for, with the names of Foundation's `Process`. That one must not be used: it copies 256 bytes of
/// each name in `/proc/self/fd`, which is more than its buffer has where some 1,360 files are open, and ends this process with
/// `SIGSEGV` (Swift 6.3.1). It also passes on which signals are blocked.
///
/// What is set is set before it runs, by one thread; from then on it is only read, and its end has a lock of its own.
public final class Program: @unchecked Sendable {
    public var executableURL: URL?
    public var arguments: [String] = []
    /// Nil for this process's own.
    public var environment: [String: String]?
    public var currentDirectoryURL: URL?
    /// Nil for this process's own, as the next two.
    public var standardInput: (any ProgramFile)?
    public var standardOutput: (any ProgramFile)?
    public var standardError: (any ProgramFile)?

    /// Nought before it runs.
    public private(set) var processIdentifier: Int32 = 0
    /// As `waitpid` tells it, once it is known.
    private let ended = Lock<Int32?>(nil)

    public init() {}

    /// - Throws: the system's reason for not starting it.
    public func run() throws {
        let variables = environment ?? ProcessInfo.processInfo.environment
        let files = [standardInput, standardOutput, standardError]
        let ends = files.enumerated().map { number, file in
            Spawn.File.open(file?.descriptor(isInput: number == 0) ?? Int32(number))
        }
        processIdentifier = try Spawn.start(
            executableURL?.path ?? "", arguments, variables: variables.map { "\($0.key)=\($0.value)" },
            folder: currentDirectoryURL?.path, files: ends)
        for (number, file) in files.enumerated() { file?.hasStarted(isInput: number == 0) }
    }

    public var isRunning: Bool { processIdentifier > 0 && look() == nil }

    /// Blocks until it has ended; at once where it was never started.
    public func waitUntilExit() {
        guard processIdentifier > 0 else { return }
        var facts = siginfo_t()
        // It stays as it is for `look`, which asks for one thread at a time.
        while look() == nil,
            waitid(P_PID, id_t(processIdentifier), &facts, WEXITED | WNOWAIT) == 0 || errno == EINTR
        {}
    }

    private func look() -> Int32? {
        ended.withLock { ended in
            var status = Int32(0)
            if ended == nil, waitpid(processIdentifier, &status, WNOHANG) == processIdentifier {
                ended = status
            }
            return ended
        }
    }

    /// What it ended with: its own number, or that of the signal.
    public var terminationStatus: Int32 {
        let status = look() ?? 0
        return signal ?? (status >> 8 & 0xff)
    }

    /// The signal that ended it; nil where it ended by itself or runs.
    public var signal: Int32? {
        guard let status = look(), status & 0x7f != 0 else { return nil }
        return status & 0x7f
    }

    /// Asks it to end.
    public func terminate() {
        // Once it was waited for, its number may be another one's.
        ended.withLock { if $0 == nil, processIdentifier > 0 { kill(processIdentifier, SIGTERM) } }
    }
}
