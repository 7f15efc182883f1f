/// The errors of a request, field by field, in the order they were found.
package struct FieldErrors: Error, Sendable, Equatable {
    package private(set) var list: [(field: String, message: Message)] = []
    /// The most errors to report: a body of nothing but errors must not cost more than a good one.
    private static let limit = 100

    package init() {}
    package init(_ field: String, _ key: String, _ values: [String: String] = [:]) {
        add(field, key, values)
    }

    package init(_ field: String, _ message: Message) { list = [(field, message)] }

    package var isEmpty: Bool { list.isEmpty }
    package var isFull: Bool { list.count >= Self.limit }

    package mutating func add(_ field: String, _ key: String, _ values: [String: String] = [:]) {
        if list.count < Self.limit { list.append((field, Message(key, values))) }
    }

    package mutating func add(_ other: FieldErrors) { list += other.list.prefix(Self.limit - list.count) }

    package static func == (left: FieldErrors, right: FieldErrors) -> Bool {
        left.list.elementsEqual(right.list) { $0.field == $1.field && $0.message == $1.message }
    }
}
