import HTTP
import Wire

/// Which part of a list is asked for: `limit` 1 to 200, and a cursor that the page before has given.
struct Paging: Sendable {
    let limit: Int
    let offset: Int
    private let request: Request

    /// - Throws: `Problem.invalid`.
    init(_ request: Request) throws(Problem) {
        var errors = FieldErrors()
        let limitText = request.query["limit"] ?? "50"
        let limit = Int(limitText).flatMap { (1...200).contains($0) ? $0 : nil }
        if limit == nil { errors.add("limit", "errors.limit") }
        let cursor = request.query["cursor"]
        let offset = cursor == nil ? 0 : cursor.flatMap { Int($0) }.flatMap { (0...10_000_000).contains($0) ? $0 : nil }
        if offset == nil { errors.add("cursor", "errors.cursor") }
        guard let limit, let offset else { throw .invalid(errors) }
        (self.limit, self.offset, self.request) = (limit, offset, request)
    }

    /// Where the next part is, nil when this is the last.
    func next(total: Int) -> String? {
        guard offset + limit < total else { return nil }
        let kept = request.query.fields.filter { $0.name != "cursor" }
        let fields = kept.map { "\(percentEncoded($0.name))=\(percentEncoded($0.value))" } + ["cursor=\(offset + limit)"]
        return "/" + request.path.map(percentEncoded).joined(separator: "/") + "?" + fields.joined(separator: "&")
    }

    /// The envelope around a list that is here as a whole.
    func page<R: Resource>(_ items: [Item<R>]) -> Many<R> {
        Many(Array(items.dropFirst(offset).prefix(limit)), total: items.count, next: next(total: items.count))
    }
}
