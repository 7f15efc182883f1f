import Foundation
import Records

/// Keeps other writers off a data folder for as long as this program runs.
enum FolderLock {
    /// - Parameter instead: an alternative while another program has the folder.
    /// - Throws: `StartError` when another program has the folder, or it may not be locked.
    static func take(_ settings: Settings, instead: String? = nil) throws {
        if try grasp(settings, saying: "") { return }
        throw taken(settings, instead.map { "; \($0)" } ?? "")
    }

    /// Takes it for a server, and notes that in the file: some commands work beside one. Removes what a server that was
    /// killed left half-made; the servers of one database on PostgreSQL share the folder, and then the first one does.
    static func takeToServe(_ settings: Settings) throws {
        // Another one may be clearing up, which does not take long.
        for left in (0..<(settings.server == nil ? 1 : 50)).reversed() {
            if try grasp(settings, saying: word, thenShare: settings.server != nil) { return }
            if settings.server != nil, try grasp(settings, saying: word, LOCK_SH) { return }
            if left > 0 { usleep(100_000) }
        }
        throw taken(settings)
    }

    /// For commands that work beside a server, but not beside other commands, which may be changing keys or restoring.
    /// - Returns: false when a server has it.
    static func takeOrStandBeside(_ settings: Settings) throws -> Bool {
        if try grasp(settings, saying: "") { return true }
        let found = FileManager.default.contents(atPath: path(settings))
        guard found == Data(word.utf8) else {
            throw taken(settings)
        }
        return false
    }

    private static func taken(_ settings: Settings, _ advice: String = "") -> StartError {
        StartError("another intersession is running on \(settings.data)\(advice)")
    }

    private static let word = "serve\n"

    private static func path(_ settings: Settings) -> String { settings.data + "/lock" }

    /// - Parameters:
    ///   - word: the file's content while this program runs.
    ///   - share: clears up and lets other servers in, too; nil for one that does not serve.
    private static func grasp(
        _ settings: Settings, saying word: String, _ kind: Int32 = LOCK_EX, thenShare share: Bool? = nil
    ) throws -> Bool {
        try FolderOwner.become(settings)
        try DataAccess.makeFolder(settings.data, settings)
        try DataAccess.require(settings, writing: true)
        let path = path(settings)
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw DataAccess.refusal(path, errno, settings) }
        // The descriptor stays open: the lock goes with the process, however it ends.
        if flock(descriptor, kind | LOCK_NB) == 0 {
            // One that shares it finds the word there.
            if kind == LOCK_EX {
                _ = ftruncate(descriptor, 0)
                _ = word.utf8.withContiguousStorageIfAvailable {
                    write(descriptor, $0.baseAddress, $0.count)
                }
            }
            if let share {
                DataFolder.clearHalfMade(settings)
                if share { flock(descriptor, LOCK_SH) }
            }
            return true
        }
        let reason = errno
        close(descriptor)
        guard reason == EWOULDBLOCK else { throw DataAccess.refusal(path, reason, settings) }
        return false
    }
}
