import Dispatch
import Foundation
import Secrets
import Synchronization
import Wording

/// Hashes passwords, two at a time with a short queue: a flood of logins must not stop the portal.
package final class PasswordHasher: Sendable {
    private let places = DispatchSemaphore(value: 2)
    private let waiting = Atomic<Int>(0)
    private let queue: Int
    /// A hash to verify against when there is no account, so that the answer takes as long.
    private let nobody: String

    /// - Parameter queue: how many may wait; further requests are refused for now.
    package init(queue: Int = 40) {
        self.queue = queue
        nobody = PasswordHash.make("nobody knows this password") ?? ""
    }

    package func hash(_ password: String) throws -> String {
        try enter { PasswordHash.make(normalised(password)) }
            ?? { throw Problem.unavailable(retryAfter: 5) }()
    }

    /// - Parameter hash: nil without such an account; takes the same time then.
    package func verify(_ password: String, against hash: String?) throws -> Bool {
        let matches = try enter { PasswordHash.verify(normalised(password), against: hash ?? nobody) }
        return matches && hash != nil
    }

    /// The same letters typed on different systems must give the same bytes.
    private func normalised(_ password: String) -> String { password.precomposedStringWithCanonicalMapping }

    private func enter<T>(_ body: () -> T) throws -> T {
        let before = waiting.add(1, ordering: .relaxed).oldValue
        defer { waiting.subtract(1, ordering: .relaxed) }
        guard before < queue else { throw Problem.unavailable(retryAfter: 2) }
        places.wait()
        defer { places.signal() }
        return body()
    }
}
