import Database
import Foundation
import Wire

/// The ids of erased accounts and therapies with the moments of their erasures, so that no backup brings them back. The list is
/// kept in `keys/`; copies of it lie beside the backups and in each of them, because `keys/` may be lost, or older than they.
package struct ErasedList: Sendable, Equatable {
    private var moments: [String: Instant] = [:]
    /// Until when a copy of the list is known to be whole; nil for the list in `keys/`, which goes on.
    package var completeUntil: Instant?

    package var ids: [String] { moments.keys.sorted() }
    package var isEmpty: Bool { moments.isEmpty }
    /// The moment of the latest erasure.
    package var latest: Instant? { moments.values.max() }

    package init() {}

    /// A line that was cut short by a loss of power belongs to an erasure that was not confirmed, and is left out.
    package init(_ bytes: some Sequence<UInt8>) {
        for line in String(decoding: Array(bytes), as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            guard let first = words.first else { continue }
            let moment = words.last.flatMap { Instant($0) }
            if first == Self.heading { completeUntil = moment }
            if let id = uuid(first) { moments[id] = moment ?? .distantPast }
        }
    }

    /// - Throws: `StartError` when it cannot be read: then it is unknown who must not come back.
    package static func read(_ path: String) throws -> ErasedList? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw StartError("\(path) cannot be read; it says who must not come back from a backup")
        }
        return ErasedList(data)
    }

    /// The list in `keys/`.
    package static func kept(_ settings: Settings) throws -> ErasedList {
        try read(settings.erasedPath) ?? ErasedList()
    }

    package mutating func add(_ other: ErasedList) {
        moments.merge(other.moments) { min($0, $1) }
    }

    private static let heading = "complete-until"
    /// The name of the list in a folder of backups.
    package static let fileName = "erased"

    /// A line for each id, the earliest first.
    package var bytes: [UInt8] {
        let head = completeUntil.map { "\(Self.heading) \($0.text)\n" } ?? ""
        let lines = moments.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map {
            "\($0.key) \($0.value.text)\n"
        }
        return Array((head + lines.joined()).utf8)
    }

    /// The statement that puts the list, as it is now, into a copy of the database.
    package static func note(_ settings: Settings, at now: Instant) throws -> SQL {
        var list = try kept(settings)
        list.completeUntil = now
        return InstallationStore.noteErased(list.bytes)
    }

    /// Lays a copy of the list, as it is now, beside the backups.
    package static func layBeside(_ settings: Settings, at now: Instant) throws {
        var list = try kept(settings)
        list.completeUntil = now
        try DataAccess.makeFolder(settings.backupPath, settings)
        try DurableFile.write(list.bytes, to: "\(settings.backupPath)/\(fileName)")
    }
}
