import Database
import Foundation
import Secrets
import Wire

/// The ids of erased accounts and therapies with the moments of their erasures, so that no backup brings them back. The list is
/// kept in `keys/`; signed copies of it lie beside the backups and in each of them, because `keys/` may be lost, or older than they.
package struct ErasedList: Sendable, Equatable {
    /// A time of which erasures may be missing: those after `from`, until `until`; nil for no end.
    package struct Gap: Sendable, Equatable {
        package let from: Instant
        package let until: Instant?

        package init(from: Instant, until: Instant?) {
            self.from = from
            self.until = until
        }
    }

    private var moments: [String: Instant] = [:]
    /// Until when a copy of the list is known to be whole, but for its gaps; nil for the list in `keys/`, which goes on.
    package var completeUntil: Instant?
    /// What restores could not know, each with its end.
    package var gaps: [Gap] = []

    package var ids: [String] { moments.keys.sorted() }
    package var isEmpty: Bool { moments.isEmpty }
    /// The moment of the latest erasure.
    package var latest: Instant? { moments.values.max() }
    /// How many erasures it has, by their second.
    package var counts: [Int64: Int] {
        Dictionary(moments.values.map { ($0.seconds, 1) }, uniquingKeysWith: +)
    }

    package init() {}

    /// A line that was cut short by a loss of power belongs to an erasure that was not confirmed, and is left out.
    package init(_ bytes: some Sequence<UInt8>) {
        for line in String(decoding: Array(bytes), as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            guard let first = words.first else { continue }
            let moment = words.last.flatMap { Instant($0) }
            if first == Self.heading { completeUntil = moment }
            if first == Self.gap, words.count == 3, let from = Instant(words[1]), let moment {
                gaps.append(Gap(from: from, until: moment))
            }
            if let id = uuid(first) { moments[id] = moment ?? .distantPast }
        }
    }

    /// - Throws: `StartError` when it cannot be read: then it is unknown who must not come back.
    package static func read(_ path: String) throws -> [UInt8]? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw StartError("\(path) cannot be read; it says who must not come back from a backup")
        }
        return Array(data)
    }

    /// The list in `keys/`. An erasure that is being made may be in it, and be taken back: what goes on to a copy is read under the lock.
    package static func kept(_ settings: Settings) throws -> ErasedList {
        try read(settings.erasedPath).map { ErasedList($0) } ?? ErasedList()
    }

    /// Adds ids, each with the earliest moment.
    package mutating func add(_ other: ErasedList) {
        moments.merge(other.moments) { min($0, $1) }
    }

    /// The lines of some ids, for adding them to the list in `keys/`.
    package func lines(of ids: some Sequence<String>) -> String {
        ids.compactMap { id in moments[id].map { "\(id) \($0.text)\n" } }.joined()
    }

    private static let heading = "complete-until"
    private static let gap = "unknown"
    private static let signature = "signature "
    /// The name of the list in a folder of backups.
    package static let fileName = "erased"

    /// A line for each id, the earliest first.
    package var bytes: [UInt8] {
        let head = completeUntil.map { "\(Self.heading) \($0.text)\n" } ?? ""
        let unknown = gaps.compactMap { one in
            one.until.map { "\(Self.gap) \(one.from.text) \($0.text)\n" }
        }
        let lines = moments.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map {
            "\($0.key) \($0.value.text)\n"
        }
        return Array((head + unknown.joined() + lines.joined()).utf8)
    }
}

// MARK: Copies

extension ErasedList {
    /// The statement that puts the list, as it is now, into a copy of the database.
    package static func note(_ settings: Settings, at now: Instant) throws -> SQL {
        let lock = try locked(settings, LOCK_SH)
        defer { try? lock?.close() }
        var list = try kept(settings)
        list.completeUntil = now
        return InstallationStore.noteErased(list.signed(settings))
    }

    /// Lays a copy of the list, as it is now, beside the backups. What a list that lies there already knows more is kept in it; one that is
    /// not of these keys is laid aside.
    package static func layBeside(_ settings: Settings, at now: Instant) throws {
        try DataAccess.makeFolder(settings.backupPath, settings)
        let path = "\(settings.backupPath)/\(fileName)"
        let lock = try locked(settings, LOCK_EX)
        defer { try? lock?.close() }
        var list = try kept(settings)
        list.completeUntil = now
        if let there = try read(path) {
            if let other = ErasedList(signed: there, settings) {
                list.add(other)
                list.gaps = Self.common(list.unknown, other.unknown).filter { $0.until != nil }
            } else {
                try DurableFile.move(path, to: "\(path)-\(UUID().uuidString.lowercased())")
            }
        }
        try DurableFile.write(list.signed(settings), to: path)
    }

    /// The list in `keys/` under its lock, until it is closed: against erasures, which may be taken back, and other copies.
    /// - Returns: nil where there is no list yet and it is only read.
    /// - Throws: `POSIXError`.
    package static func locked(_ settings: Settings, _ kind: Int32) throws -> FileHandle? {
        let path = settings.erasedPath
        let flags = kind == LOCK_EX ? O_RDWR | O_CREAT : O_RDONLY
        let isNew = !FileManager.default.fileExists(atPath: path)
        let descriptor = open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            if kind == LOCK_SH, errno == ENOENT { return nil }
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        if isNew, kind == LOCK_EX { try DurableFile.synchroniseFolder(of: path) }
        while flock(descriptor, kind) != 0 {
            guard errno == EINTR else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        }
        return file
    }

    /// The copy with its signature as the last line; without one where there is no key to sign with.
    package func signed(_ settings: Settings) -> [UInt8] {
        guard let master = try? KeyFile.load(settings.keyPath) else { return bytes }
        return bytes + Array("\(Self.signature)\(Self.mark(bytes, master))\n".utf8)
    }

    /// A copy that was signed with a present or former key of this folder; nil for any other.
    package init?(signed bytes: [UInt8], _ settings: Settings) {
        let newline = UInt8(ascii: "\n")
        guard bytes.last == newline else { return nil }
        let start = (bytes.dropLast().lastIndex(of: newline) ?? -1) + 1
        let line = bytes[start...].dropLast()
        guard line.starts(with: Self.signature.utf8) else { return nil }
        let found = Array(line.dropFirst(Self.signature.utf8.count))
        let content = Array(bytes[..<start])
        let isOurs = ([settings.keyPath] + settings.retiredKeyPaths).contains { path in
            guard let master = try? KeyFile.load(path) else { return false }
            return equalInConstantTime(found, Array(Self.mark(content, master).utf8))
        }
        guard isOurs else { return nil }
        self.init(content)
    }

    private static func mark(_ bytes: [UInt8], _ master: SecretKey) -> String {
        Token.base64url(Digest.keyed(master.derived(for: "list of the erased"), bytes))
    }
}

// MARK: What is not known

extension ErasedList {
    /// When erasures may be missing in the list: its gaps, and the time after it, in order and without overlaps.
    package var unknown: [Gap] {
        Self.joined(gaps + [Gap(from: completeUntil ?? latest ?? .distantPast, until: nil)])
    }

    /// The same times in order and without overlaps.
    package static func joined(_ gaps: [Gap]) -> [Gap] {
        var joined: [Gap] = []
        for gap in gaps.sorted(by: { $0.from < $1.from }) {
            guard let last = joined.last, let until = last.until else {
                if joined.isEmpty { joined.append(gap) }
                continue
            }
            if gap.from > until {
                joined.append(gap)
            } else {
                joined[joined.count - 1] = Gap(from: last.from, until: gap.until.map { max($0, until) })
            }
        }
        return joined
    }

    /// The times that are in both: what one list lacks the other one may have.
    package static func common(_ one: [Gap], _ other: [Gap]) -> [Gap] {
        one.flatMap { a in
            other.compactMap { b -> Gap? in
                let from = max(a.from, b.from)
                let until = [a.until, b.until].compactMap(\.self).min()
                return until.map { from < $0 } ?? true ? Gap(from: from, until: until) : nil
            }
        }.sorted { $0.from < $1.from }
    }
}
