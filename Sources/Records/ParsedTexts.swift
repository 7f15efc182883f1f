import Locks

/// Parsed definitions by their stored text: many requests use the same few. An entry never goes stale, because a text
/// always parses the same; every process has its own.
package final class ParsedTexts<Value: Sendable>: Sendable {
    private let known = Lock<[String: Value]>([:])
    private let capacity: Int

    /// - Parameter capacity: the most texts to keep; one more empties the store.
    package init(capacity: Int = 1000) { self.capacity = capacity }

    package func of(_ text: String, read: (String) throws -> Value) rethrows -> Value {
        if let value = known.withLock({ $0[text] }) { return value }
        let value = try read(text)
        known.withLock { known in
            if known.count >= capacity { known = [:] }
            known[text] = value
        }
        return value
    }
}
