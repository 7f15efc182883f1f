import Foundation
import Portal
import Records

/// Keeps a second writer off a data folder for as long as this program runs.
enum FolderLock {
    /// - Parameter instead: what to do while another program has the folder, where there is another way.
    /// - Throws: `StartError` when another program has the folder, or the operating system keeps this one out.
    static func take(_ settings: Settings, instead: String? = nil) throws {
        if try grasp(settings, saying: "") { return }
        throw taken(settings, instead.map { "; \($0)" } ?? "")
    }

    /// Takes it for a server, and leaves word of that in the file: some commands work beside one.
    static func takeToServe(_ settings: Settings) throws {
        guard try grasp(settings, saying: word) else {
            throw taken(settings)
        }
    }

    /// For commands that work beside a server; not beside any other, which may be changing keys or restoring.
    /// - Returns: false where a server has it.
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

    /// - Parameter word: what the file says while this program runs.
    private static func grasp(_ settings: Settings, saying word: String) throws -> Bool {
        try DataAccess.makeFolder(settings.data, settings)
        try DataAccess.require(settings, writing: true)
        let path = path(settings)
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw DataAccess.refusal(path, errno, settings) }
        // The descriptor stays open: the lock goes with the process, however it ends.
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
            _ = ftruncate(descriptor, 0)
            _ = word.utf8.withContiguousStorageIfAvailable { write(descriptor, $0.baseAddress, $0.count) }
            return true
        }
        let reason = errno
        close(descriptor)
        guard reason == EWOULDBLOCK else { throw DataAccess.refusal(path, reason, settings) }
        return false
    }
}
