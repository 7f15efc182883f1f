import Foundation

/// The disk below a folder.
struct Disk: Sendable {
    let path: String

    /// In bytes; nil where it cannot be told.
    private var room: (free: Int64, size: Int64)? {
        guard let facts = try? FileManager.default.attributesOfFileSystem(forPath: path),
            let free = (facts[.systemFreeSize] as? NSNumber)?.int64Value,
            let size = (facts[.systemSize] as? NSNumber)?.int64Value
        else { return nil }
        return (free, size)
    }

    /// Less than a tenth free, and less than five gigabytes: early enough to act, however fast it fills.
    var isNearlyFull: Bool { room.map { $0.free < 5_000_000_000 && $0.free * 10 < $0.size } ?? true }

    /// Which one it is, and what is left of it, for the log.
    var facts: [(String, String)] {
        [("disk", path), ("free_megabytes", room.map { String($0.free / 1_000_000) } ?? "unknown")]
    }

    /// More than any one write needs. The log of the database may have room of its own for a while, and nothing else has.
    static let probeBytes: off_t = 4 << 20

    /// Whether a file can grow here: full, read-only, over its quota or gone, it cannot.
    func takesWrites() -> Bool {
        let probe = path + "/probe"
        let descriptor = open(probe, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        defer {
            close(descriptor)
            unlink(probe)
        }
        return posix_fallocate(descriptor, 0, Self.probeBytes) == 0
    }
}
