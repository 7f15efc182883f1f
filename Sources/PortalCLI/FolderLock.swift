import Foundation
import Records

/// Keeps other writers off a data folder for as long as this program runs.
enum FolderLock {
    /// - Parameter instead: an alternative while another program has the folder.
    /// - Throws: `StartError` when another program has the folder, or it may not be locked.
    static func take(_ settings: Settings, instead: String? = nil) throws {
        if try grasp(settings, saying: "") != nil { return }
        throw taken(settings, instead.map { "; \($0)" } ?? "")
    }

    /// The lock of a server.
    struct Held {
        fileprivate let descriptor: Int32
        fileprivate let isShared: Bool

        /// Lets the other servers of a database on PostgreSQL in.
        func share() {
            if isShared { flock(descriptor, LOCK_SH) }
        }
    }

    /// Takes it for a server, and notes that in the file: some commands work beside one. Removes what a server that was
    /// killed left half-made; the servers of one database on PostgreSQL share the folder, and then the first one does. A new clinic is
    /// begun alone.
    static func takeToServe(_ settings: Settings) throws -> Held {
        let isShared = settings.server != nil
        // Another one may be clearing up, which does not take long.
        for left in (0..<(isShared ? 50 : 1)).reversed() {
            if let descriptor = try grasp(settings, saying: word) {
                DataFolder.clearHalfMade(settings)
                let held = Held(descriptor: descriptor, isShared: isShared)
                if !settings.beginsAnew { held.share() }
                return held
            }
            if isShared, !settings.beginsAnew, let descriptor = try grasp(settings, saying: word, LOCK_SH) {
                return Held(descriptor: descriptor, isShared: true)
            }
            if left > 0 { usleep(100_000) }
        }
        throw taken(
            settings, settings.beginsAnew && isShared ? "; --new-clinic needs the folder for itself" : "")
    }

    /// For commands that work beside a server, but not beside other commands, which may be changing keys or restoring.
    /// - Returns: false when a server has it.
    static func takeOrStandBeside(_ settings: Settings) throws -> Bool {
        if try grasp(settings, saying: "") != nil { return true }
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

    /// - Parameter word: the file's content while this program runs.
    /// - Returns: the lock's descriptor; nil where another program has it.
    private static func grasp(
        _ settings: Settings, saying word: String, _ kind: Int32 = LOCK_EX
    ) throws -> Int32? {
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
            return descriptor
        }
        let reason = errno
        close(descriptor)
        guard reason == EWOULDBLOCK else { throw DataAccess.refusal(path, reason, settings) }
        return nil
    }
}
