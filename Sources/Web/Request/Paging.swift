import HTTP
import Records
import Secrets
import Wire
import Wording

/// The place of a thing in a list: its time (or number) and its id. A cursor names it, so that nothing is doubled or
/// left out when the list grows or shrinks between two pages.
package struct Position: Sendable, Equatable {
    package let at: Int64
    package let id: String

    package init(_ at: Instant, _ id: ID<some Any>) { (self.at, self.id) = (at.milliseconds, id.text) }
    package init(_ at: Instant, _ id: String) { (self.at, self.id) = (at.milliseconds, id) }
    package init(number: Int64, _ id: ID<some Any>) { (at, self.id) = (number, id.text) }
    package init(number: Int64, _ id: String) { (at, self.id) = (number, id) }
}

/// The part of a list that is asked for: `limit` 1 to 200, and a cursor given by the page before.
package struct Paging: Sendable {
    package enum Order: Sendable { case newestFirst, earliestFirst }

    package let limit: Int
    /// The last thing of the page before; nil on the first page.
    package let after: Position?
    private let request: Request

    /// - Throws: `Problem.invalid`.
    package init(_ request: Request) throws(Problem) {
        var errors = FieldErrors()
        let limitText = request.query["limit"] ?? "50"
        let limit = Int(limitText).flatMap { (1...200).contains($0) ? $0 : nil }
        if limit == nil { errors.add("limit", "errors.limit") }
        let cursor = request.query["cursor"]
        after = cursor.flatMap(Self.position)
        if cursor != nil && after == nil { errors.add("cursor", "errors.cursor") }
        guard let limit, errors.isEmpty else { throw .invalid(errors) }
        self.limit = limit
        self.request = request
    }

    private static func position(_ text: String) -> Position? {
        let parts = text.split(separator: "_", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let at = Int64(parts[0]), !parts[1].isEmpty else { return nil }
        return Position(number: at, String(parts[1]))
    }

    /// Where the next part is.
    package func next(after last: Position) -> String {
        let kept =
            request.query.fields.filter { $0.name != "cursor" } + [
                Form.Field("cursor", "\(last.at)_\(last.id)")
            ]
        let query = kept.map { "\(percentEncoded($0.name))=\(percentEncoded($0.value))" }.joined(
            separator: "&")
        return "/" + request.path.map(percentEncoded).joined(separator: "/") + "?" + query
    }

    /// A part of a list that is in memory as a whole, in its order, and the address of the next part.
    package func part<T>(of list: [T], _ order: Order = .newestFirst, _ position: (T) -> Position) -> (
        part: ArraySlice<T>, next: String?
    ) {
        let rest = rest(of: list, order, position)
        let part = rest.prefix(limit)
        return (part, part.count < rest.count ? part.last.map { next(after: position($0)) } : nil)
    }

    /// The items after the previous page: after its last item or, when that is gone, after its place. Items of the
    /// same moment may have an order of their own.
    private func rest<T>(of list: [T], _ order: Order, _ position: (T) -> Position) -> ArraySlice<T> {
        guard let after else { return list[...] }
        if let last = list.firstIndex(where: { position($0) == after }) { return list[(last + 1)...] }
        return list.drop { !Self.isBehind(position($0), after, order) }
    }

    /// A part of a list with an order of its own: the index is the cursor.
    package func part<R>(of all: [Item<R>]) -> Many<R> {
        let (part, next) = part(of: Array(all.enumerated()), .earliestFirst) {
            Position(number: Int64($0.offset), $0.element.id)
        }
        return Many(part.map(\.element), total: all.count, next: next)
    }

    private static func isBehind(_ position: Position, _ after: Position, _ order: Order) -> Bool {
        if position.at == after.at { return position.id > after.id }
        return order == .newestFirst ? position.at < after.at : position.at > after.at
    }
}

/// Ids of things that are computed, not stored: always the same for the same subject.
package enum DerivedID {
    /// A UUID (version 8) derived from the words that name the thing.
    package static func of(_ words: any CustomStringConvertible...) -> String {
        let digest = Digest.plain(Array(words.map(\.description).joined(separator: "/").utf8))
        return Randomness.uuid(Array(digest.prefix(16)), version: 8)
    }
}
