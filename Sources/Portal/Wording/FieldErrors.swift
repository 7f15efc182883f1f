/// What is wrong with what was sent, field by field, in the order it was found.
struct FieldErrors: Error, Sendable, Equatable {
    private(set) var list: [(field: String, message: Message)] = []
    /// More than this helps nobody, and a body of nothing but mistakes must not cost more than a good one.
    private static let limit = 100

    init() {}
    init(_ field: String, _ key: String, _ values: [String: String] = [:]) {
        add(field, key, values)
    }

    init(_ field: String, _ message: Message) { list = [(field, message)] }

    var isEmpty: Bool { list.isEmpty }
    var isFull: Bool { list.count >= Self.limit }

    mutating func add(_ field: String, _ key: String, _ values: [String: String] = [:]) {
        if list.count < Self.limit { list.append((field, Message(key, values))) }
    }

    mutating func add(_ other: FieldErrors) { list += other.list.prefix(Self.limit - list.count) }

    static func == (left: FieldErrors, right: FieldErrors) -> Bool {
        left.list.elementsEqual(right.list) { $0.field == $1.field && $0.message == $1.message }
    }
}
