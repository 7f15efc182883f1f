import Foundation

/// Why the master key cannot be used.
public enum KeyFileError: Error, CustomStringConvertible {
    case unreadable(String)
    case damaged(String)

    public var description: String {
        switch self {
        case .unreadable(let path): "the key file \(path) cannot be read or written"
        case .damaged(let path): "the key file \(path) does not hold a key of \(SecretKey.length) bytes"
        }
    }
}

/// The master key in a file of its own, mode 600, created at the first start.
public enum KeyFile {
    /// Reads the key; creates it when the file is missing.
    /// - Throws: `KeyFileError`.
    public static func loadOrCreate(_ path: String) throws -> SecretKey {
        if FileManager.default.fileExists(atPath: path) { return try load(path) }
        let folder = (path as NSString).deletingLastPathComponent
        let key = SecretKey.random()
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch { throw KeyFileError.unreadable(path) }
        try write(key, to: path)
        return key
    }

    /// - Throws: `KeyFileError`, also when there is none.
    public static func load(_ path: String) throws -> SecretKey {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw KeyFileError.unreadable(path)
        }
        guard let key = SecretKey(Array(data)) else { throw KeyFileError.damaged(path) }
        return key
    }

    /// The key is in its place whole or not at all, and durable before anything is sealed with it.
    /// - Throws: `KeyFileError`, also when there is one already.
    public static func write(_ key: SecretKey, to path: String) throws {
        let partial = path + ".partial"
        unlink(partial)
        let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard descriptor >= 0 else { throw KeyFileError.unreadable(path) }
        let written = key.bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
        let isSynced = fsync(descriptor) == 0
        close(descriptor)
        // link, not rename: of two programs that start at once only one creates the key.
        guard written == SecretKey.length, isSynced, link(partial, path) == 0 else {
            throw KeyFileError.unreadable(path)
        }
        unlink(partial)
        let folder = open((path as NSString).deletingLastPathComponent, O_RDONLY)
        guard folder >= 0 else { throw KeyFileError.unreadable(path) }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw KeyFileError.unreadable(path) }
    }
}
