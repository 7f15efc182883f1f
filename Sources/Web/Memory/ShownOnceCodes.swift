import Identity
import Records
import Wire

/// New codes for the page that shows them: remembered for ten minutes, so that reloading does not lose them.
package final class ShownOnceCodes: Sendable {
    private struct Slip: Remembered {
        let codes: [String]
        let until: Instant
    }

    private let memory: ShortMemory

    init(_ memory: ShortMemory) { self.memory = memory }

    private static func name(_ credential: ID<Credential>, _ what: String) -> String {
        "codes \(credential) \(what)"
    }

    /// - Parameters:
    ///   - credential: the sign-in that may see them.
    ///   - what: the kind of codes, where one sign-in makes several.
    package func put(
        _ codes: [String], for credential: ID<Credential>, _ what: String = "", now: Instant
    ) throws {
        try memory.change(Self.name(credential, what), now: now) { (slip: inout Slip?) in
            slip = Slip(codes: codes, until: now.adding(seconds: 600))
        }
    }

    package func read(
        _ credential: ID<Credential>, _ what: String = "", now: Instant
    ) throws -> [String]? {
        try memory.read(Self.name(credential, what), as: Slip.self, now: now)?.codes
    }
}
