import Foundation

/// Files that get their name once they are whole, and still have it after a loss of power: the content is on the disk
/// before the name, and the name before anything relies on it.
public enum DurableFile {
    /// Writes a file that only its owner may read, beside its place, and moves it there.
    /// - Throws: `POSIXError`; then an older file is still there.
    public static func write(_ bytes: some Sequence<UInt8>, to path: String) throws {
        let partial = path + ".partial"
        do {
            unlink(partial)
            let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw failure }
            let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            try file.write(contentsOf: Data(bytes))
            try file.close()
            try move(partial, to: path)
        } catch {
            unlink(partial)
            throw error
        }
    }

    /// Moves a file of the same file system to its place, instead of the file there.
    /// - Throws: `POSIXError`.
    public static func move(_ path: String, to place: String) throws {
        try synchronise(path)
        guard rename(path, place) == 0 else { throw failure }
        try synchroniseFolder(of: place)
        if folder(of: path) != folder(of: place) { try synchroniseFolder(of: path) }
    }

    /// Gives a file a second name.
    /// - Throws: `POSIXError`, also when the name is taken.
    public static func link(_ path: String, to second: String) throws {
        try synchronise(path)
        guard Foundation.link(path, second) == 0 else { throw failure }
        try synchroniseFolder(of: second)
    }

    /// Keeps a file under another name, too, and leaves it where it is; on another disk as a copy.
    public static func lay(_ path: String, aside second: String) throws {
        do {
            try link(path, to: second)
        } catch let error as POSIXError where error.code == .EXDEV || error.code == .EPERM {
            try FileManager.default.copyItem(atPath: path, toPath: second)
            try synchronise(second)
            try synchroniseFolder(of: second)
        }
    }

    /// Removes those of these files that exist, all in one folder.
    /// - Throws: `POSIXError`.
    public static func remove(_ paths: [String]) throws {
        for path in paths where unlink(path) != 0 && errno != ENOENT { throw failure }
        if let first = paths.first { try synchroniseFolder(of: first) }
    }

    /// - Throws: `POSIXError`.
    public static func synchroniseFolder(of path: String) throws { try synchronise(folder(of: path)) }

    /// Puts a file's content, or a folder's names, onto the disk.
    /// - Throws: `POSIXError`.
    public static func synchronise(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure }
    }

    private static func folder(of path: String) -> String {
        let folder = (path as NSString).deletingLastPathComponent
        return folder.isEmpty ? "." : folder
    }

    private static var failure: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
