import Database
import Foundation
public import Wire

/// A record made here and sent unchanged, until the portal has it. Sessions and runs never change; a day of
/// measurements, a sleep, an activity replace an unsent earlier state.
public struct LocalRecord: Sendable {
    public enum Kind: String, Sendable {
        /// A session of listening (SN-2).
        case listening
        /// A run of matching one's tinnitus.
        case match
        /// A day of measurements from one source; its id is `steps/2026-11-22/health_connect`, with the name of the
        /// device behind it where it has one.
        case day
        /// A value sent singly, with an id of the device's own.
        case value
        /// With an id of the device's own, which it keeps when it is changed.
        case sleep, activity
        /// An event of a study, noted with a button (ST-2). Its end follows under the same id.
        case event

        /// Its address for putting, behind `/api/v1`. The source of a day is in its body.
        func path(_ id: String) -> String {
            switch self {
            case .listening: "/my/listening-sessions/" + id
            case .match: "/my/tinnitus-matches/" + id
            case .day: "/my/measurement-days/" + id.split(separator: "/").prefix(2).joined(separator: "/")
            // Many go up in one call.
            case .value: "/my/measurements"
            case .sleep: "/my/sleeps/" + id
            case .activity: "/my/activities/" + id
            case .event: "/my/events/" + id
            }
        }

        var outgoing: Outgoing.Kind {
            switch self {
            case .listening: .listening
            case .match: .match
            case .day: .day
            case .value: .value
            case .sleep: .sleep
            case .activity: .activity
            case .event: .event
            }
        }
    }

    public let id: String
    public let kind: Kind
    /// Why the portal refuses it; nil while it waits.
    public let refusal: Refusal?
}

extension LocalStore {
    /// Keeps a listening session; the next run sends it. Sent twice it is stored once.
    /// - Returns: its id.
    @discardableResult
    public func heard(_ listened: Client.Listened) throws -> String { try keep(listened, .listening) }

    /// Keeps a run of matching, sent in the same way.
    @discardableResult
    public func matched(_ match: TinnitusMatch) throws -> String { try keep(match, .match) }

    /// Keeps a day of measurements, whole, in place of an unsent state of it; an unchanged one is ignored. Each device
    /// has days of its own.
    public func measured(_ type: MeasurementType, _ date: LocalDate, _ day: Client.SentDay) throws {
        let device = day.device.map { "/" + $0 } ?? ""
        try keep(day, .day, id: "\(type.rawValue)/\(date.text)/\(day.source.rawValue)" + device)
    }

    /// Keeps a value to be sent singly, or corrects one kept before under its id, also a refused one.
    public func measured(_ value: Client.SingleMeasurement) throws { try keep(value, .value, id: value.id) }

    /// Keeps a sleep, or another state of one kept before.
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

    /// Notes an event, that it is over, or other times of it: the last state counts until a sheet names it. It goes up before the sheets
    /// that name it, which wait while it is refused.
    /// - Parameter id: the one it was noted under; nil for a new one.
    /// - Returns: its id.
    @discardableResult
    public func noted(_ event: Client.NotedEvent, id: String? = nil) throws -> String {
        var event = event
        event.startedAt = event.startedAt.whole
        event.endedAt = event.endedAt?.whole
        return try keep(event, .event, id: id ?? NewID.make())
    }

    /// Whether the portal does not have an event as it is here: it waits, or is refused.
    func isHeld(by event: String) throws -> Bool {
        try read { try $0.exists("SELECT 1 FROM records WHERE id = \(event)") }
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

    /// Waiting and refused ones, in the order they were made.
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

    /// The original bytes, so that every repetition is the same.
    func waitingRecord(_ id: String) throws -> Data? {
        let body: String? = try read { connection in
            try connection.value("SELECT body FROM records WHERE id = \(id) AND refused_with IS NULL")
        }
        return body.map { Data($0.utf8) }
    }

    /// The portal has it.
    func acknowledgeRecord(_ outgoing: Outgoing) throws {
        try write { connection in
            // Changed while it was being sent: the newer one follows.
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

    /// Tries a refused one again: a fast clock may be right by now.
    public func sendRecordAgain(_ id: String) throws {
        try write { connection in
            let kind: String? = try connection.value(
                "SELECT kind FROM records WHERE id = \(id) AND refused_with IS NOT NULL")
            guard let kind = kind.flatMap(LocalRecord.Kind.init) else { return }
            try connection.run("UPDATE records SET refused_with = NULL, refusal = NULL WHERE id = \(id)")
            try Self.enqueue(kind.outgoing, id, connection)
        }
    }

    /// Drops a refused one.
    public func discardRecord(_ id: String) throws {
        try write { connection in
            try connection.run("DELETE FROM records WHERE id = \(id) AND refused_with IS NOT NULL")
        }
    }
}
