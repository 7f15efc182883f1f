import Database
import Foundation
import Records
import Wire

/// What a restore knows about erasures since its backup was made: the lists it found, and until when they are whole.
struct RestoredErasures {
    private struct Found {
        let name: String
        let list: ErasedList
    }

    private var found: [Found] = []
    private(set) var all = ErasedList()
    /// The last line of the audit log in the backup.
    private let madeAt: Instant?
    /// The last line of the audit log that is replaced, where it shows no erasure that the lists lack.
    private var replacedAt: Instant?

    /// Reads the lists in `keys/`, beside the backups, beside the file, and in it.
    /// - Throws: `StartError` when one cannot be read.
    init(_ settings: Settings, file: String) throws {
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
        let folders = [settings.backupPath, settings.data + "/backups", folder]
        var paths = [settings.erasedPath]
        for path in folders.map({ "\($0)/\(ErasedList.fileName)" }) where !paths.contains(path) {
            paths.append(path)
        }
        let copy = DatabasePlace.file(file)
        // Backups of the first programs have no audit log.
        let contents = try copy.contents()
        var hasLog = false
        if case .tables(let names) = contents { hasLog = names.contains("audit_log") }
        madeAt = try hasLog ? copy.look { try AuditTimes.last($0) } : nil
        let own = try hasLog ? copy.look { try InstallationStore.erased($0) } : nil
        for path in paths {
            if let list = try ErasedList.read(path) { found.append(Found(name: path, list: list)) }
        }
        if let own { found.append(Found(name: "the backup itself", list: ErasedList(own))) }
        for one in found { all.add(one.list) }
    }

    /// Looks into the database that is about to be replaced: its audit log shows whether the lists have its erasures.
    mutating func compare(withReplaced place: DatabasePlace) {
        let lines = try? place.look { connection in
            (
                last: try AuditTimes.last(connection),
                erasure: try AuditTimes.lastErasure(connection)
            )
        }
        guard let lines else { return }
        // Lists hold whole seconds.
        if let erasure = lines.erasure, (all.latest?.seconds ?? 0) < erasure.seconds { return }
        replacedAt = lines.last
    }

    /// Puts what all lists know into the one in `keys/`.
    func keep(_ settings: Settings) throws {
        if try ErasedList.kept(settings).ids == all.ids { return }
        try DurableFile.write(all.bytes, to: settings.erasedPath)
    }

    /// Until when every erasure is known; nil where no list says so.
    private var knownUntil: Instant? {
        let complete = found.compactMap { $0.list.completeUntil ?? $0.list.latest }
        return (complete + [replacedAt].compactMap(\.self)).max()
    }

    /// For the operator, a line each.
    var lines: [String] {
        let copy = madeAt.map { "a backup whose last entry is of \($0.text)" } ?? "a backup without entries"
        var lines = ["restored: \(copy)"]
        for one in found {
            let until =
                one.list.completeUntil.map { "whole until \($0.text)" }
                ?? one.list.latest.map { "its last of \($0.text)" } ?? "none"
            lines.append("list of the erased in \(one.name): \(one.list.ids.count), \(until)")
        }
        if found.isEmpty {
            lines.append("no list of the erased was found, neither in keys/ nor beside backups")
        }
        lines.append("erased again or still erased: the \(all.ids.count) of these lists")
        let after = knownUntil ?? madeAt
        lines.append(
            """
            what cannot be known: erasures after \(after.map(\.text) ?? "the backup was made"). Accounts and files that were \
            erased later are back: bring a newer list (the file erased beside the backups) and restore again, or erase them again
            """)
        return lines
    }
}
