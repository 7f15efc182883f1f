import Foundation

struct Disk: Sendable {
    let path: String

    /// In bytes; nil when unknown.
    private var room: (free: Int64, size: Int64)? {
        guard let facts = try? FileManager.default.attributesOfFileSystem(forPath: path),
            let free = (facts[.systemFreeSize] as? NSNumber)?.int64Value,
            let size = (facts[.systemSize] as? NSNumber)?.int64Value
        else { return nil }
        return (free, size)
    }

    /// Less than a tenth and less than five gigabytes free: early enough to act.
    var isNearlyFull: Bool { room.map { $0.free < 5_000_000_000 && $0.free * 10 < $0.size } ?? true }

    /// Its name and free space, for the log.
    var facts: [(String, String)] {
        [("disk", path), ("free_megabytes", room.map { String($0.free / 1_000_000) } ?? "unknown")]
    }

    /// More than any single write needs. The log of the database may have reserved space, and other files have not.
    static let probeBytes: off_t = 4 << 20

    /// Whether a file can grow here: not on a full, read-only or missing disk, or over its quota.
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
