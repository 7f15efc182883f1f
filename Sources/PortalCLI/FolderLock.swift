import Foundation
import Portal
import Records

/// Keeps a second writer off a data folder for as long as this program runs.
enum FolderLock {
    /// - Parameter instead: what to do while another program has the folder, where there is another way.
    /// - Throws: `StartError` when another program has the folder, or the operating system keeps this one out.
    static func take(_ settings: Settings, instead: String? = nil) throws {
        try DataAccess.makeFolder(settings.data, settings)
        try DataAccess.require(settings, writing: true)
        let path = settings.data + "/lock"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw DataAccess.refusal(path, errno, settings) }
        // The descriptor stays open: the lock goes with the process, however it ends.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            guard errno == EWOULDBLOCK else { throw DataAccess.refusal(path, errno, settings) }
            let advice = instead.map { "; \($0)" } ?? ""
            throw StartError("another intersession is running on \(settings.data)\(advice)")
        }
    }
}
