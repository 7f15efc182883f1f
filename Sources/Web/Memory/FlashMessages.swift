import Identity
import Records
import Wire
import Wording

/// A line that the next page shows, once.
struct Flash: Remembered {
    let key: String
    let values: [String: String]
    /// The action of the undo button beside the line; nil where there is no undo.
    let undo: String?
    /// Whether it says why something could not be done; nil in lines from before there were such.
    private let refuses: Bool?
    let until: Instant

    init(_ message: Message, undo: String?, isRefusal: Bool = false, now: Instant) {
        key = message.key
        values = message.values
        self.undo = undo
        refuses = isRefusal
        until = now.adding(seconds: 600)
    }

    var isRefusal: Bool { refuses == true }
    var message: Message { Message(key, values) }
}

/// The lines that wait for the next page of a session.
final class FlashMessages: Sendable {
    private let memory: ShortMemory

    init(_ memory: ShortMemory) { self.memory = memory }

    private static func name(_ session: ID<Credential>) -> String { "flash \(session)" }

    func put(_ flash: Flash, for session: ID<Credential>, now: Instant) throws {
        try memory.change(Self.name(session), now: now) { $0 = flash }
    }

    func isWaiting(for session: ID<Credential>, now: Instant) throws -> Bool {
        try memory.read(Self.name(session), as: Flash.self, now: now) != nil
    }

    func take(for session: ID<Credential>, now: Instant) throws -> Flash? {
        let name = Self.name(session)
        // Hardly ever is there one: looking is cheaper than taking.
        guard try isWaiting(for: session, now: now) else { return nil }
        return try memory.change(name, now: now) { (flash: inout Flash?) in
            defer { flash = nil }
            return flash
        }
    }
}
