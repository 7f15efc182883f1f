import CArchive
import Foundation

/// Writes files into one ZIP archive, piece by piece (libarchive; ZIP64 where it has to be).
public enum ZipFile {
    /// What libarchive says was wrong.
    public struct Failure: Error {
        public let reason: String
    }

    private static let piece = 1 << 18

    /// - Parameters:
    ///   - path: of the archive; overwritten.
    ///   - files: where each lies, and its name in the archive.
    ///   - seconds: since 1970, as the time of every file, so that the same files give the same archive.
    /// - Throws: `Failure`, or what reading a file throws.
    public static func write(_ path: String, _ files: [(path: String, name: String)], seconds: Int64) throws {
        guard let archive = archive_write_new() else { throw Failure(reason: "no memory") }
        defer { archive_write_free(archive) }
        try check(archive_write_set_format_zip(archive), archive)
        try check(archive_write_open_filename(archive, path), archive)
        for file in files { try add(file.path, as: file.name, seconds, to: archive) }
        try check(archive_write_close(archive), archive)
    }

    private static func add(
        _ path: String, as name: String, _ seconds: Int64, to archive: OpaquePointer
    ) throws {
        guard let handle = FileHandle(forReadingAtPath: path), let entry = archive_entry_new() else {
            throw Failure(reason: "\(name) cannot be read")
        }
        defer {
            try? handle.close()
            archive_entry_free(entry)
        }
        let size = try handle.seekToEnd()
        try handle.seek(toOffset: 0)
        archive_entry_set_pathname(entry, name)
        archive_entry_set_size(entry, Int64(size))
        // A plain file that its owner may write.
        archive_entry_set_filetype(entry, 0o100000)
        archive_entry_set_perm(entry, 0o600)
        archive_entry_set_mtime(entry, time_t(seconds), 0)
        try check(archive_write_header(archive, entry), archive)
        while let data = try handle.read(upToCount: piece), !data.isEmpty {
            let written = data.withUnsafeBytes { archive_write_data(archive, $0.baseAddress, $0.count) }
            if written < 0 { try check(Int32(ARCHIVE_FATAL), archive) }
        }
    }

    private static func check(_ code: Int32, _ archive: OpaquePointer) throws {
        guard code < ARCHIVE_WARN else { return }
        throw Failure(reason: archive_error_string(archive).map { String(cString: $0) } ?? "code \(code)")
    }
}
