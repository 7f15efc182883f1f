import Database
import HTTP
import Web
import Wire

/// The part of a desk's refused sheets that a page or a call asks for.
struct HeldPart: Sendable {
    private enum State: String, CaseIterable { case waiting, discarded }

    private let state: State
    private let paging: Paging
    private let now: Instant

    /// - Throws: `Problem.invalid` for an unknown state, or an unknown part.
    init(_ c: Context<some Sendable>) throws {
        paging = try Paging(c.request)
        let fields = InputReader(form: c.request.query)
        state = fields.choice("state") ?? .waiting
        try fields.finish()
        now = c.now
    }

    /// Whether it is of those that were discarded, and not of those that wait.
    var isOfDiscarded: Bool { state == .discarded }
    /// Whether nothing comes before it.
    var isFirst: Bool { paging.after == nil }

    /// - Returns: the part, and the address of the next.
    func read(
        at desk: QuarantineDesk, _ connection: borrowing Connection
    ) throws -> (part: [QuarantinedRecord], next: String?) {
        // One more than the limit tells whether there is a next part.
        let limit = paging.limit + 1
        let found =
            switch state {
            case .waiting:
                try QuarantineStore.waiting(at: desk, after: paging.after, limit: limit, connection)
            case .discarded:
                try QuarantineStore.discarded(
                    at: desk, now: now, after: paging.after, limit: limit, connection)
            }
        let part = Array(found.prefix(paging.limit))
        let last = part.count < found.count ? part.last : nil
        return (part, last.map { paging.next(after: Position($0.decidedAt ?? $0.receivedAt, $0.id)) })
    }

    /// Its entries on a page.
    /// - Parameter address: the address of the first part.
    func part<Entry>(_ entries: [Entry], from address: String, _ next: String?) -> HeldList.Part<Entry> {
        let pages = HeldList.Pages(newest: isFirst ? nil : address, next: next)
        return HeldList.Part(
            entries: entries, isEmpty: isFirst && entries.isEmpty,
            pages: isFirst && next == nil ? nil : pages)
    }

    /// The number of all in its state.
    func count(at desk: QuarantineDesk, _ connection: borrowing Connection) throws -> Int {
        switch state {
        case .waiting: try QuarantineStore.count(at: desk, connection)
        case .discarded: try QuarantineStore.countDiscarded(at: desk, now: now, connection)
        }
    }
}

/// Refused sheets on the page of their desk: a part of those that wait, with the newest discarded ones below the first part; or a part
/// of all discarded ones.
package struct HeldList: Encodable, Sendable {
    package struct Part<Entry: Encodable & Sendable>: Encodable, Sendable {
        package let entries: [Entry]
        /// Whether there is nothing at all in its state.
        let isEmpty: Bool
        /// Nil where there is one part only.
        let pages: Pages?
    }
    struct Pages: Encodable, Sendable {
        /// The address of the first part; nil on it.
        let newest: String?
        let next: String?
    }

    /// The address of those that wait.
    let path: String
    package let waiting: Part<HeldSheet>?
    package let discarded: Part<DiscardedSheet>?
    /// The address of all discarded ones, where there are more than stand below what waits.
    package let allDiscarded: String?
    /// Whether the reader may decide about them.
    let canAct: Bool

    /// The number of discarded ones below those that wait.
    static let newestDiscarded = 10

    /// - Parameters:
    ///   - path: the address of the desk's page.
    ///   - read: reads a stored sheet for its decider.
    static func read<Sheet: RefusedContribution>(
        at desk: QuarantineDesk, path: String, canAct: Bool, _ c: Context<some Sendable>,
        _ read: (QuarantinedRecord, borrowing Connection) throws -> Sheet
    ) throws -> HeldList {
        let asked = try HeldPart(c)
        let all = "\(path)?state=discarded"
        return try c.read { connection in
            let found = try asked.read(at: desk, connection)
            let sheets = try found.part.map { try read($0, connection) }
            if asked.isOfDiscarded {
                let part = asked.part(sheets.map { DiscardedSheet($0, in: path, c) }, from: all, found.next)
                return HeldList(
                    path: path, waiting: nil, discarded: part, allDiscarded: nil, canAct: canAct)
            }
            let waiting = asked.part(sheets.map { HeldSheet($0, in: path, c) }, from: path, found.next)
            let newest =
                asked.isFirst
                ? try QuarantineStore.discarded(
                    at: desk, now: c.now, after: nil, limit: newestDiscarded + 1, connection) : []
            let shown = try newest.prefix(newestDiscarded).map {
                DiscardedSheet(try read($0, connection), in: path, c)
            }
            return HeldList(
                path: path, waiting: waiting,
                discarded: shown.isEmpty ? nil : Part(entries: shown, isEmpty: false, pages: nil),
                allDiscarded: shown.count < newest.count ? all : nil, canAct: canAct)
        }
    }
}
