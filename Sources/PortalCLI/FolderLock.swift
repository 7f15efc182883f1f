import Foundation
import Portal

/// Keeps a second writer off a data folder for as long as this program runs.
enum FolderLock {
    /// - Parameter instead: what to do while another program has the folder, where there is another way.
    /// - Throws: `StartError` when another program has the folder.
    static func take(_ settings: Settings, instead: String? = nil) throws {
        try FileManager.default.createDirectory(
            atPath: settings.data, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let descriptor = open(settings.data + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        // The descriptor stays open: the lock goes with the process, however it ends.
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let advice = instead.map { "; \($0)" } ?? ""
            throw StartError("another intersession is running on \(settings.data)\(advice)")
        }
    }
}
