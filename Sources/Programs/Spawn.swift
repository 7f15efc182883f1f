import CSpawn
public import Foundation

/// Starting a process. It gets the files that it is given and no other one, and none of the signals that this process blocks or
/// ignores.
public enum Spawn {
    /// What becomes of one of its three standard files.
    public enum File: Sendable {
        /// An open file of this process.
        case open(Int32)
        /// Nothing to read, and what is written is lost.
        case nothing
    }

    /// - Parameters:
    ///   - program: its path; no search.
    ///   - variables: its whole environment.
    ///   - folder: where it starts; nil for where this process is.
    ///   - files: its standard input, output and error.
    /// - Throws: the system's reason, as `POSIXError`.
    public static func start(
        _ program: String, _ arguments: [String], variables: [String], folder: String? = nil,
        files: [File]
    ) throws(POSIXError) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let folder { posix_spawn_file_actions_addchdir_np(&actions, folder) }
        for (number, file) in files.enumerated() {
            let number = Int32(number)
            switch file {
            case .open(let other): posix_spawn_file_actions_adddup2(&actions, other, number)
            case .nothing: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
            }
        }
        posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var process = pid_t()
        let failure = withTexts([program] + arguments) { words in
            withTexts(variables) { variables in
                posix_spawn(&process, program, &actions, &attributes, words, variables)
            }
        }
        guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EIO) }
        return process
    }

    private static func withTexts<Result>(
        _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = texts.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        return body(copies + [nil])
    }
}
