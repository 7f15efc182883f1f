import Database
import Identity
import Records
import Scheduling
import Wire

/// Which zone data count, and from when. Prompts are computed, and known again by their moment: what was drawn stays drawn, so
/// newer data count from the second local day after they were first read (RP-19).
package enum ZoneHistory {
    private static let machineText = ZoneData.machine.text

    /// Has everything count that is kept; an empty house keeps the machine's data first. Nothing that is kept, most often:
    /// there has been one kind of data, and it is the machine's.
    static func begin(_ records: Records, at now: Instant) throws {
        let isNew = try records.read { connection in
            try ZoneHistoryStore.all(connection).isEmpty && !AccountStore.hasAny(connection)
        }
        if isNew { try keep(number: 1, isFirst: true, records, at: now) }
        try load(records)
    }

    /// Keeps the machine's data where they are newer than any that were read. Data that are missing, or older, change nothing.
    /// - Returns: whether they are.
    static func renew(_ records: Records, at now: Instant) throws -> Bool {
        let kept = try records.read { try ZoneHistoryStore.all($0) }
        // A house that is older than this planned by the program's own.
        let known = kept.last?.version ?? ZoneData.program.version
        let isOlder =
            !isRelease(ZoneData.machine.version) || isRelease(known) && known > ZoneData.machine.version
        if isOlder || kept.contains(where: { $0.text == machineText }) { return false }
        try keep(number: (kept.last?.number ?? 0) + 1, isFirst: false, records, at: now)
        return true
    }

    /// Whether a version says its place among the others: `2026b`. A list need not name one.
    private static func isRelease(_ version: String) -> Bool {
        version.utf8.first.map { (48...57).contains($0) } ?? false
    }

    private static func keep(number: Int, isFirst: Bool, _ records: Records, at now: Instant) throws {
        if ZoneData.machine.folder == nil { return }
        try records.writeUnaudited(.installation) { connection in
            try ZoneHistoryStore.keep(
                .machine, machineText, number: number, isFirst: isFirst, at: now, connection)
        }
    }

    static func load(_ records: Records) throws {
        let kept = try records.read { try ZoneHistoryStore.all($0) }
        if kept.count == 1 && kept[0].isFirst && kept[0].text == machineText { return }
        ZoneData.use(data(of: kept))
    }

    /// The data in force after some were read; before the first of a house that is older, the program's own.
    package static func data(of kept: [KeptZones]) -> ZoneData {
        let begin = kept.first.flatMap { $0.isFirst ? $0 : nil }
        let first = begin.map { ZoneData(kept: $0.text, version: $0.version) } ?? .program
        return kept.dropFirst(begin == nil ? 0 : 1).reduce(first) { data, next in
            ZoneData(kept: next.text, version: next.version).following(data, readAt: next.readAt)
        }
    }
}
