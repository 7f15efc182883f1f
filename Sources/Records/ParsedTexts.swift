import Locks

/// What stored texts say, read once: many requests look at the same few definitions again and again. Right for as long as
/// it is kept, because a text says only one thing; lost with the process, and every server has its own.
package final class ParsedTexts<Value: Sendable>: Sendable {
    private let known = Lock<[String: Value]>([:])
    private let capacity: Int

    /// - Parameter capacity: texts that are kept; with one more all are forgotten.
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
