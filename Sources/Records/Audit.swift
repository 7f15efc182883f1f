import Database
import Foundation
import Secrets
import Wire

/// An action, as the audit log names it. Features add their own.
package struct AuditAction: Sendable {
    package let name: String
    /// Whether a person's data may no longer be disclosed: exports that hold it are removed at once.
    package var endsConsent = false

    package init(name: String, endsConsent: Bool = false) {
        self.name = name
        self.endsConsent = endsConsent
    }
}

/// Old and new values of a change and the reason for it, sealed under the key of the person they are about: when that
/// key is erased, they become unreadable, and the chain of the log stays whole.
package struct AuditChange: Sendable {
    package let sealed: [UInt8]

    /// The content, in clear.
    package struct Values: Sendable, Codable {
        package var before: [String: String] = [:]
        package var after: [String: String] = [:]
        package var reason: String?
    }

    /// - Parameter now: the moment of its line, to which it is bound.
    package init(
        before: [String: String?] = [:], after: [String: String?] = [:], reason: String? = nil,
        about person: PersonKey, at now: Instant
    ) throws {
        let values = Values(
            before: before.compactMapValues(\.self), after: after.compactMapValues(\.self), reason: reason)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        sealed = person.seal(bytes: Array(try encoder.encode(values)), for: Self.place(person.owner, now))
    }

    /// - Throws: `SealBroken` when the line was tampered with, or the key is another one.
    package static func open(_ sealed: [UInt8], about person: PersonKey, at now: Instant) throws -> Values {
        let bytes = try person.openBytes(sealed, from: place(person.owner, now))
        return try JSONDecoder().decode(Values.self, from: Data(bytes))
    }

    private static func place(_ owner: String, _ now: Instant) -> SealContext {
        SealContext("audit_log", "\(owner)@\(now.milliseconds)", "change")
    }
}

/// A line of the audit log as it is stored.
package struct AuditLine: Sendable, FromRow {
    package let id: Int
    package let at: Instant
    /// The account that acted; nil for the program itself and for people without an account.
    package let actor: ID<Account>?
    package let action: String
    /// The account or therapy it is about.
    package let subject: String?
    /// The thing that was changed, or the part of the file that was opened.
    package let object: String?
    package let change: [UInt8]?
    package let hash: [UInt8]?

    package init(row: borrowing Row) throws {
        id = try row["id"]
        at = try row["at"]
        actor = try row["actor_id"]
        action = try row["action"]
        subject = try row["subject_id"]
        object = try row["object_id"]
        change = try row["change"]
        hash = try row["hash"]
    }

    fileprivate init(
        id: Int, at: Instant, actor: ID<Account>?, action: String, subject: String?, object: String?,
        change: [UInt8]?
    ) {
        self.id = id
        self.at = at
        self.actor = actor
        self.action = action
        self.subject = subject
        self.object = object
        self.change = change
        hash = nil
    }

    /// All fields with their lengths before them, so that no two lines give the same bytes.
    fileprivate var bytes: [UInt8] {
        var bytes = Self.number(id) + Self.number(Int(at.milliseconds))
        for text in [actor?.text, action, subject, object] {
            bytes += Self.field(text.map { Array($0.utf8) })
        }
        return bytes + Self.field(change)
    }

    private static func field(_ bytes: [UInt8]?) -> [UInt8] {
        guard let bytes else { return number(-1) }
        return number(bytes.count) + bytes
    }

    private static func number(_ value: Int) -> [UInt8] {
        withUnsafeBytes(of: Int64(value).bigEndian) { Array($0) }
    }
}

/// Ties every line of the audit log to the one before it, with a key that is not in the database: after changing a
/// line the chain cannot be repaired. It does not show lines cut off at the end; the anchor does.
package struct AuditChain: Sendable {
    package let key: SecretKey

    package init(key: SecretKey) {
        self.key = key
    }

    package func link(_ line: AuditLine, after previous: [UInt8]) -> [UInt8] {
        Digest.keyed(key, previous + line.bytes)
    }

    func append(
        _ action: AuditAction, by actor: ID<Account>?, about subject: (any SubjectID)?, object: String?,
        change: AuditChange?, at now: Instant, _ connection: borrowing Connection
    ) throws {
        let last = try connection.first("SELECT id, hash FROM audit_log ORDER BY id DESC LIMIT 1") { row in
            (id: try row[0] as Int, hash: try row[1] as [UInt8]?)
        }
        let id = (last?.id ?? 0) + 1
        let line = AuditLine(
            id: id, at: now, actor: actor, action: action.name, subject: subject?.text, object: object,
            change: change?.sealed)
        let hash = link(line, after: last?.hash ?? [])
        try connection.run(
            """
            INSERT INTO audit_log (id, at, actor_id, action, subject_id, object_id, change, hash)
            VALUES (\(id), \(now), \(actor), \(action.name), \(line.subject), \(object), \(line.change), \(hash))
            """)
    }

    /// The first line that was changed after it was written; nil when none was.
    /// - Parameter first: the first line of the chain; earlier ones are older than the chain.
    package func firstBroken(since first: Int, _ connection: borrowing Connection) throws -> Int? {
        var previous: [UInt8] = []
        var expected: Int = first
        var broken: Int? = nil
        try connection.each("SELECT * FROM audit_log WHERE id >= \(first) ORDER BY id") { row in
            let line = try AuditLine(row: row)
            if line.id == expected, line.hash == link(line, after: previous) {
                previous = line.hash ?? []
                expected = expected + 1
                return true
            }
            broken = line.id
            return false
        }
        return broken
    }
}

/// Where the audit log stands: whether something was written since, without looking at what.
package enum AuditPosition {
    package static func last(_ connection: borrowing Connection) throws -> Int {
        try connection.count("SELECT coalesce(max(id), 0) FROM audit_log")
    }

    /// Whether lines behind a position are about the same subject, or about the same action.
    package static func isBehind(
        _ position: Int, _ action: AuditAction, about subject: (any SubjectID)?,
        _ connection: borrowing Connection
    ) throws -> Bool {
        let subject = subject?.text
        return try connection.exists(
            """
            SELECT 1 FROM audit_log
            WHERE id > \(position) AND (action = \(action.name) OR subject_id = \(subject))
            """)
    }
}

/// The beginning of the chain and its last line, kept beside the keys, out of reach for an intruder in the database:
/// so lines cut off at the end, and a chain that was begun anew, show, too.
package struct AuditAnchor: Sendable, Equatable {
    package let first: Int
    /// The last line there was when the anchor was set; 0 while there was none.
    package let last: Int
    package let hash: [UInt8]

    package static func read(_ settings: Settings) -> AuditAnchor? {
        guard let text = try? String(contentsOfFile: settings.anchorPath, encoding: .utf8) else { return nil }
        let parts = text.split(whereSeparator: \.isWhitespace)
        guard parts.count >= 2, let first = Int(parts[0]), let last = Int(parts[1]) else { return nil }
        let hash = parts.count > 2 ? Data(base64Encoded: String(parts[2])) ?? Data() : Data()
        return AuditAnchor(first: first, last: last, hash: Array(hash))
    }

    /// Sets it to the last line of the log.
    package static func set(_ records: Records, _ settings: Settings) throws {
        let known = read(settings)
        let (first, last) = try records.read { connection in
            let last: AuditLine? = try connection.first("SELECT * FROM audit_log ORDER BY id DESC LIMIT 1")
            // Lines without a link are older than the chain.
            let old: Int? = try connection.value(
                "SELECT id FROM audit_log WHERE hash IS NULL ORDER BY id DESC LIMIT 1")
            return (known?.first ?? (old ?? 0) + 1, last)
        }
        let hash = Data(last?.hash ?? []).base64EncodedString()
        let text = "\(first) \(last?.id ?? 0) \(hash)\n"
        try DurableFile.write(text.utf8, to: settings.anchorPath)
    }

    /// Whether the log has the line the anchor was set at.
    /// - Parameter isOriginal: false for a copy, which may be older than the anchor.
    package func holds(isOriginal: Bool, _ connection: borrowing Connection) throws -> Bool {
        if last == 0 { return true }
        let found = try connection.first("SELECT hash FROM audit_log WHERE id = \(last)") { row in
            (try row[0] as [UInt8]?) ?? []
        }
        return found.map { $0 == hash } ?? !isOriginal
    }
}

/// Moments in the audit log of a database or a copy.
package enum AuditTimes {
    /// The last line.
    package static func last(_ connection: borrowing Connection) throws -> Instant? {
        try connection.value("SELECT at FROM audit_log ORDER BY id DESC LIMIT 1")
    }

    /// The erasures of accounts, patients and participants since a moment.
    package static func erasures(
        since start: Instant, _ connection: borrowing Connection
    ) throws -> [Instant] {
        try connection.all(
            """
            SELECT at FROM audit_log WHERE action IN ('account.erased', 'patient.erased', 'participant.erased')
            AND at >= \(start) ORDER BY id
            """
        ) { row in try row[0] }
    }
}
