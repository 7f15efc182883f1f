import Database
import Foundation
import Wire

/// A folder with scheduled backups: one a day, each checked after it was made, the old ones deleted.
struct BackupFolder: Sendable {
    let path: String

    struct File: Sendable {
        let name: String
        let path: String
        let madeAt: Instant
        let bytes: Int
        /// The modification time: when it was made, or, for a backup dated ahead, when that was noticed.
        let noticedAt: Instant

        /// Its age in seconds; for a date in the future, since that was noticed.
        func age(at now: Instant) -> Int64 {
            now.seconds - (madeAt <= now ? madeAt : noticedAt).seconds
        }
    }

    /// The newest first; only sound ones, because only these get this name.
    func files() -> [File] { names().compactMap { file($0, as: $0) }.sorted { $0.madeAt > $1.madeAt } }

    /// Those not dated in the future: for a backup dated ahead the clock was wrong, or is wrong now.
    func files(at now: Instant) -> [File] { files().filter { $0.madeAt <= now } }

    /// Those dated further ahead than the daily correction of a clock.
    func ahead(at now: Instant) -> [File] {
        files().filter { $0.madeAt > now.adding(seconds: Self.slackSeconds) }
    }

    static let slackSeconds: Int64 = 3600

    /// Databases that restores have replaced, with their logs.
    func replaced() -> [File] {
        names().filter { $0.hasPrefix("replaced-") }.compactMap { name in
            let plain = name.replacing("replaced-", with: "intersession-")
            return file(name, as: plain.replacing(/\.sqlite.+/, with: ".sqlite"))
        }
    }

    private func names() -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }

    private func file(_ name: String, as plain: String) -> File? {
        guard let madeAt = Self.time(of: plain) else { return nil }
        let facts = try? FileManager.default.attributesOfItem(atPath: path + "/" + name)
        let changed = (facts?[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
        return File(
            name: name, path: path + "/" + name, madeAt: madeAt,
            bytes: (facts?[.size] as? NSNumber)?.intValue ?? 0,
            noticedAt: Instant(milliseconds: Int64(changed * 1000)))
    }

    static func name(at now: Instant) -> String {
        "intersession-\(now.text.filter { $0.isNumber || $0 == "T" }.prefix(15)).sqlite"
    }

    /// `intersession-20261120T090000.sqlite`.
    private static func time(of name: String) -> Instant? {
        guard let found = name.wholeMatch(of: /intersession-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)\.sqlite/)
        else { return nil }
        return Instant("\(found.1)-\(found.2)-\(found.3)T\(found.4):\(found.5):\(found.6)Z")
    }

    /// The name of a database that a restore replaced: kept like a backup, but never taken for one.
    static func replacedName(at now: Instant) -> String {
        name(at: now).replacing("intersession-", with: "replaced-")
    }

    /// Gives a copy that was found sound its name.
    func keep(_ copy: String, at now: Instant) throws {
        let place = path + "/" + Self.name(at: now)
        Self.mark(copy, at: now)
        try DurableFile.move(copy, to: place)
    }

    /// Counts the days of backups dated ahead from now on.
    func noteAhead(at now: Instant) {
        for file in files() where file.madeAt > now && file.noticedAt > now { Self.mark(file.path, at: now) }
    }

    private static func mark(_ path: String, at now: Instant) {
        let date = Date(timeIntervalSince1970: Double(now.milliseconds) / 1000)
        try? FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
    }

    /// Removes half-made copies of a crash, of any age: none is in progress now.
    func clearHalfMade() {
        for name in names() where name.hasPrefix("intersession-") || name.hasPrefix("replaced-") {
            guard name.contains(".unchecked") || name.contains(".partial") else { continue }
            try? FileManager.default.removeItem(atPath: path + "/" + name)
        }
    }
}
