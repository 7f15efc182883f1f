import Foundation

/// Checks the permissions of the data folder: the commonest fault of a first start, with a dozen symptoms.
public enum DataAccess {
    /// - Parameter writing: whether the command changes something; others may run under a user that only reads.
    /// - Throws: `StartError` with the path, the reason and what to do.
    public static func require(_ settings: Settings, writing: Bool) throws {
        let change = writing ? W_OK : 0
        let needs = [
            (settings.data, R_OK | X_OK | change), (settings.databasePath, R_OK | change),
            (settings.databasePath + "-wal", R_OK | change), (settings.data + "/keys", R_OK | X_OK | change),
            (settings.keyPath, R_OK), (settings.outboxPath, R_OK | X_OK | change),
        ]
        for (path, mode) in needs where access(path, mode) != 0 {
            let reason = errno
            // A missing file is made later, or reported where it is needed.
            if reason != ENOENT { throw refusal(path, reason, settings) }
        }
    }

    /// Makes a folder of the data folder, readable by its owner only.
    /// - Throws: `StartError` with the path, the reason and what to do.
    public static func makeFolder(_ path: String, _ settings: Settings) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            let reason: Int32 =
                switch (error as? CocoaError)?.code {
                case .fileWriteNoPermission?: EACCES
                case .fileWriteVolumeReadOnly?: EROFS
                case .fileWriteOutOfSpace?: ENOSPC
                case .fileWriteFileExists?: EEXIST
                default: EIO
                }
            throw refusal(path, reason, settings)
        }
    }

    /// Why a path cannot be opened, in the operating system's words, and the remedy.
    public static func refusal(_ path: String, _ reason: Int32, _ settings: Settings) -> StartError {
        let words = "\(path): \(String(cString: strerror(reason)).lowercased())"
        guard reason == EACCES || reason == EPERM else { return StartError(words) }
        let user = getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) } ?? String(geteuid())
        return StartError(
            """
            \(words)
            This program runs as \(user) and has to read and write everything in \(settings.data).
            Start it as the folder's owner, or give it the folder: chown -R \(user) \(settings.data)
            """)
    }
}
