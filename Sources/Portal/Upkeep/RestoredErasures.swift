import Database
import Foundation
import Records
import Wire

/// What a restore knows about erasures since its backup was made: the lists it found, and of which times it knows nothing.
struct RestoredErasures {
    private struct Found {
        let name: String
        /// Nil for one that was not signed by the keys of this folder, and is not used.
        let list: ErasedList?
    }

    private var found: [Found] = []
    private(set) var all = ErasedList()
    /// The last line of the audit log in the backup.
    private let madeAt: Instant?
    /// The gaps of the list in the backup: people that an earlier restore brought back are in it.
    private let ownGaps: [ErasedList.Gap]
    /// When erasures may be missing in all lists together.
    private var lacking = [ErasedList.Gap(from: .distantPast, until: nil)]
    /// The first erasure that the audit log of the replaced database shows and no list has.
    private var missed: Instant?

    /// Reads the lists in `keys/`, beside the backups, beside the file, and in it.
    /// - Throws: `StartError` when one cannot be read.
    init(_ settings: Settings, file: String) throws {
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
        let folders = [settings.backupPath, settings.data + "/backups", folder]
        var paths: [String] = []
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
        if let bytes = try ErasedList.read(settings.erasedPath) {
            found.append(Found(name: settings.erasedPath, list: ErasedList(bytes)))
        }
        for path in paths where path != settings.erasedPath {
            guard let bytes = try ErasedList.read(path) else { continue }
            found.append(Found(name: path, list: ErasedList(signed: bytes, settings)))
        }
        let ownList = own.map { ErasedList(signed: $0, settings) }
        if let ownList { found.append(Found(name: "the backup itself", list: ownList)) }
        ownGaps = ownList??.gaps ?? []
        for list in found.compactMap(\.list) {
            all.add(list)
            lacking = ErasedList.common(lacking, list.unknown)
        }
    }

    /// Which times matter: what was erased before the backup was made is not in it.
    private var unknown: [ErasedList.Gap] {
        let later = ErasedList.Gap(from: madeAt ?? .distantPast, until: nil)
        return ErasedList.joined(ErasedList.common(lacking, [later]) + ErasedList.common(lacking, ownGaps))
    }

    /// Looks into the database that is about to be replaced: where the lists have every erasure that its audit log shows since the backup,
    /// they are whole until its last line; where one is missing, they are not whole from that one on.
    mutating func compare(withReplaced place: DatabasePlace) {
        let start = madeAt ?? .distantPast
        let log = try? place.look { connection in
            (
                last: try AuditTimes.last(connection),
                erasures: try AuditTimes.erasures(since: start, connection)
            )
        }
        guard let log, let last = log.last else { return }
        // Lists hold whole seconds, and at least one id for each erasure.
        let shown = Dictionary(log.erasures.map { ($0.seconds, 1) }, uniquingKeysWith: +)
        let known = all.counts
        let missing = shown.filter { known[$0.key, default: 0] < $0.value }.keys
        if let first = missing.min() {
            missed = Instant(milliseconds: first * 1000)
            let before = Instant(milliseconds: (first - 1) * 1000)
            lacking = ErasedList.joined(lacking + [ErasedList.Gap(from: before, until: nil)])
            return
        }
        // What a restore before could not know, the log that it restored does not know either.
        var replaced = ErasedList()
        replaced.completeUntil = last
        replaced.gaps = found.first?.list?.gaps ?? []
        lacking = ErasedList.common(lacking, replaced.unknown)
    }

    /// Puts what all lists know, and what they do not, into the one in `keys/`.
    func keep(_ settings: Settings, at now: Instant) throws {
        var list = all
        // A list holds whole seconds: no gap is rounded away.
        list.gaps = unknown.map { gap in
            let from = Instant(milliseconds: max(0, gap.from.seconds) * 1000)
            return ErasedList.Gap(
                from: from, until: gap.until ?? Instant(milliseconds: (now.seconds + 1) * 1000))
        }
        let kept = try ErasedList.kept(settings)
        if kept.ids == list.ids, kept.gaps == list.gaps { return }
        try DurableFile.write(list.bytes, to: settings.erasedPath)
    }

    /// For the operator, a line each.
    var lines: [String] {
        let copy = madeAt.map { "a backup whose last entry is of \($0.text)" } ?? "a backup without entries"
        var lines = ["restored: \(copy)"]
        for one in found {
            guard let list = one.list else {
                lines.append(
                    "list of the erased in \(one.name): left out, it is not signed by the keys in keys/")
                continue
            }
            let until =
                list.completeUntil.map { "whole until \($0.text)" }
                ?? list.latest.map { "its last of \($0.text)" } ?? "none"
            lines.append("list of the erased in \(one.name): \(list.ids.count), \(until)")
        }
        if found.isEmpty {
            lines.append("no list of the erased was found, neither in keys/ nor beside backups")
        }
        lines.append("erased again or still erased: the \(all.ids.count) of these lists")
        if let missed {
            lines.append(
                "the audit log of the replaced database shows erasures that no list has, the first of \(missed.text)"
            )
        }
        for gap in unknown {
            guard let until = gap.until else { continue }
            lines.append(
                "what cannot be known: erasures between \(gap.from.text) and \(until.text), before an earlier restore"
            )
        }
        let after = unknown.last { $0.until == nil }?.from
        let moment = after.flatMap { $0 == .distantPast ? nil : $0.text } ?? "the backup was made"
        lines.append(
            """
            what cannot be known: erasures after \(moment). Accounts and files that were \
            erased later are back: bring a newer list (the file erased beside the backups) and restore again, or erase them again
            """)
        return lines
    }
}
