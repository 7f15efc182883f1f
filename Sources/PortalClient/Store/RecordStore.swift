import Database
import Foundation
public import Wire

/// What was made here and is sent as it is, while the portal does not have it. Sessions and runs never change; a day of
/// measurements, a sleep, an activity take the place of what waited of them before.
public struct LocalRecord: Sendable {
    public enum Kind: String, Sendable {
        /// A session of listening (SN-2).
        case listening
        /// A run of matching one's tinnitus.
        case match
        /// A day of measurements from one source; its id is `steps/2026-11-22/health_connect`.
        case day
        /// Under an id of the device's own, which it keeps when it is changed.
        case sleep, activity

        /// Where it is put, behind `/api/v1`. The source of a day stands in its body.
        func path(_ id: String) -> String {
            switch self {
            case .listening: "/my/listening-sessions/" + id
            case .match: "/my/tinnitus-matches/" + id
            case .day: "/my/measurement-days/" + id.split(separator: "/").prefix(2).joined(separator: "/")
            case .sleep: "/my/sleeps/" + id
            case .activity: "/my/activities/" + id
            }
        }

        var outgoing: Outgoing.Kind {
            switch self {
            case .listening: .listening
            case .match: .match
            case .day: .day
            case .sleep: .sleep
            case .activity: .activity
            }
        }
    }

    public let id: String
    public let kind: Kind
    /// Why the portal will not take it; nil while it waits.
    public let refusal: Refusal?
}

extension LocalStore {
    /// Keeps a session of listening; the next run sends it. Sent twice it is there once.
    /// - Returns: its id.
    @discardableResult
    public func heard(_ listened: Client.Listened) throws -> String { try keep(listened, .listening) }

    /// Keeps a run of matching, to be sent likewise.
    @discardableResult
    public func matched(_ match: TinnitusMatch) throws -> String { try keep(match, .match) }

    /// Keeps a day of measurements, whole. What waited of the same day and source is not sent any more; the same again is
    /// nothing new.
    public func measured(_ type: MeasurementType, _ date: LocalDate, _ day: Client.SentDay) throws {
        try keep(day, .day, id: "\(type.rawValue)/\(date.text)/\(day.source.rawValue)")
    }

    /// Keeps a sleep, or another state of one that this device told of.
    /// - Parameter id: the one it was kept under; nil for a new one.
    /// - Returns: its id.
    @discardableResult
    public func slept(_ sleep: Sleep, id: String? = nil) throws -> String {
        try keep(sleep, .sleep, id: id ?? NewID.make())
    }

    /// The same for an activity.
    @discardableResult
    public func moved(_ activity: Activity, id: String? = nil) throws -> String {
        try keep(activity, .activity, id: id ?? NewID.make())
    }

    @discardableResult
    private func keep(
        _ value: some Encodable, _ kind: LocalRecord.Kind, id: String = NewID.make()
    ) throws -> String {
        let body = try Self.text(value)
        try write { connection in
            let waiting: String? = try connection.value(
                "SELECT body FROM records WHERE id = \(id) AND refused_with IS NULL")
            if waiting == body { return }
            try connection.run(
                """
                INSERT INTO records (id, kind, body) VALUES (\(id), \(kind.rawValue), \(body))
                ON CONFLICT (id) DO UPDATE SET body = excluded.body, refused_with = NULL, refusal = NULL
                """)
            try Self.enqueue(kind.outgoing, id, connection)
        }
        return id
    }

    /// What waits or was refused, in the order it was made.
    public func records() throws -> [LocalRecord] {
        try read { connection in
            try connection.all("SELECT id, kind, refused_with, refusal FROM records ORDER BY rowid") { row in
                let status: Int? = try row[2]
                let text: String? = try row[3]
                return LocalRecord(
                    id: try row[0], kind: LocalRecord.Kind(rawValue: try row[1]) ?? .listening,
                    refusal: status.map { Refusal(status: $0, message: text ?? "") })
            }
        }
    }

    /// The very bytes that were made, so that the same is sent however often.
    func waitingRecord(_ id: String) throws -> Data? {
        let body: String? = try read { connection in
            try connection.value("SELECT body FROM records WHERE id = \(id) AND refused_with IS NULL")
        }
        return body.map { Data($0.utf8) }
    }

    /// The portal has it.
    func acknowledgeRecord(_ outgoing: Outgoing) throws {
        try write { connection in
            // Changed while it was on its way: the newer one follows.
            if try Self.settle(outgoing, connection) { return }
            try connection.run("DELETE FROM records WHERE id = \(outgoing.subject)")
        }
    }

    func refuseRecord(_ outgoing: Outgoing, _ refusal: Refusal) throws {
        try write { connection in
            if try Self.settle(outgoing, connection) { return }
            try connection.run(
                """
                UPDATE records SET refused_with = \(refusal.status), refusal = \(refusal.message)
                WHERE id = \(outgoing.subject)
                """)
        }
    }

    /// Tries a refused one once more: a clock that was ahead may be right by now.
    public func sendRecordAgain(_ id: String) throws {
        try write { connection in
            let kind: String? = try connection.value(
                "SELECT kind FROM records WHERE id = \(id) AND refused_with IS NOT NULL")
            guard let kind = kind.flatMap(LocalRecord.Kind.init) else { return }
            try connection.run("UPDATE records SET refused_with = NULL, refusal = NULL WHERE id = \(id)")
            try Self.enqueue(kind.outgoing, id, connection)
        }
    }

    /// Lets go of one that was refused.
    public func discardRecord(_ id: String) throws {
        try write { connection in
            try connection.run("DELETE FROM records WHERE id = \(id) AND refused_with IS NOT NULL")
        }
    }
}
