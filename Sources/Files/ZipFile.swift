import CArchive

/// Writes files into one ZIP archive, piece by piece (libarchive; ZIP64 when needed).
public final class ZipFile {
    /// libarchive's error message.
    public struct Failure: Error {
        public let reason: String
    }

    private final class Collected {
        var bytes: [UInt8] = []
    }

    private let archive: OpaquePointer
    private let collected = Collected()
    private let seconds: Int64

    /// - Parameter seconds: since 1970, as the time of every file, so that the same files give the same archive.
    /// - Throws: `Failure`.
    public init(seconds: Int64) throws {
        guard let archive = archive_write_new() else { throw Failure(reason: "no memory") }
        self.archive = archive
        self.seconds = seconds
        try check(archive_write_set_format_zip(archive))
        // No padding at the end.
        try check(archive_write_set_bytes_in_last_block(archive, 1))
        let context = Unmanaged.passUnretained(collected).toOpaque()
        let write:
            @convention(c) (
                OpaquePointer?, UnsafeMutableRawPointer?, UnsafeRawPointer?, Int
            ) -> Int = { _, context, bytes, count in
                guard let context, let bytes else { return -1 }
                let collected = Unmanaged<Collected>.fromOpaque(context).takeUnretainedValue()
                collected.bytes.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
                return count
            }
        try check(archive_write_open(archive, context, nil, write, nil))
    }

    deinit { archive_write_free(archive) }

    /// Begins a file that its owner may read and write.
    /// - Parameter count: the exact number of bytes that follow.
    public func begin(_ name: String, count: Int) throws {
        guard let entry = archive_entry_new() else { throw Failure(reason: "no memory") }
        defer { archive_entry_free(entry) }
        archive_entry_set_pathname(entry, name)
        archive_entry_set_size(entry, Int64(count))
        archive_entry_set_filetype(entry, 0o100000)
        archive_entry_set_perm(entry, 0o600)
        archive_entry_set_mtime(entry, time_t(seconds), 0)
        try check(archive_write_header(archive, entry))
    }

    /// The next bytes of the file that was begun last.
    public func write(_ bytes: [UInt8]) throws {
        if archive_write_data(archive, bytes, bytes.count) < 0 { try check(Int32(ARCHIVE_FATAL)) }
    }

    public func end() throws { try check(archive_write_close(archive)) }

    /// The bytes since they were last taken.
    public func taken() -> [UInt8] {
        defer { collected.bytes.removeAll(keepingCapacity: true) }
        return collected.bytes
    }

    private func check(_ code: Int32) throws {
        guard code < ARCHIVE_WARN else { return }
        throw Failure(reason: archive_error_string(archive).map { String(cString: $0) } ?? "code \(code)")
    }
}
