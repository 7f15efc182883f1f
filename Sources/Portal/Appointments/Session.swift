import Database
import Foundation
import Wire

/// A session of a therapy. Its number is computed, never stored.
struct Session: Sendable, FromRow {
    enum State: String, Sendable, CaseIterable, SQLConvertible { case planned, held, missed, cancelled }

    let id: String
    let startsAt: Instant
    let endsAt: Instant
    /// The therapist's own word; nil leaves it to time.
    let mark: State?
    let appointmentID: String?

    init(row: borrowing Row) throws {
        (id, startsAt, endsAt) = (try row["id"], try row["starts_at"], try row["ends_at"])
        (mark, appointmentID) = (try row["mark"], try row["appointment_id"])
    }

    /// Without a mark a session took place once its end has passed.
    func state(at now: Instant) -> State { mark ?? (endsAt <= now ? .held : .planned) }
}

/// The sessions of one therapy with their numbers: counted by start from the therapy's first day on; missed and
/// cancelled ones have none.
struct SessionList: Sendable {
    struct Numbered: Sendable {
        let session: Session
        let number: Int?
        let state: Session.State
    }

    /// The earliest first.
    let all: [Numbered]

    init(_ sessions: [Session], startedOn: LocalDate?, zone: Zone, now: Instant) {
        let begin = startedOn.map { zone.instant($0, hour: 0, minute: 0) }
        var count = 0
        all = sessions.sorted { ($0.startsAt, $0.id) < ($1.startsAt, $1.id) }.map { session in
            let state = session.state(at: now)
            let counts = (state == .held || state == .planned) && begin.map { session.startsAt >= $0 } ?? true
            if counts { count += 1 }
            return Numbered(session: session, number: counts ? count : nil, state: state)
        }
    }

    var held: [Numbered] { all.filter { $0.state == .held } }
    var last: Numbered? { held.last }
    /// The first that is still to come.
    func next(after now: Instant) -> Numbered? {
        all.first { $0.state == .planned && $0.session.endsAt > now }
    }
}

/// A session as the therapist notes it. Made only by reading.
struct SessionDraft: Sendable {
    let startsAt: Instant
    let endsAt: Instant

    /// From the API: two instants.
    /// - Throws: `Problem.invalid`.
    static func read(_ fields: Fields, now: Instant) throws(Problem) -> SessionDraft {
        let (start, end) = (fields.time("starts_at", required: true), fields.time("ends_at", required: true))
        return try check(start, end, fields, now: now)
    }

    /// From the portal: a day, a time of day in the clinic's zone and a length in minutes.
    static func read(form fields: Fields, zone: Zone, now: Instant) throws(Problem) -> SessionDraft {
        let day = fields.date("day", required: true)
        let clock = fields.text("time", required: true)
        let parts = clock?.split(separator: ":").map { Int($0) } ?? []
        let minutes = fields.number("minutes") ?? 50
        if !(5...600).contains(minutes) { fields.refuse("minutes", "errors.session_length") }
        guard parts.count >= 2, let hour = parts[0], let minute = parts[1], (0...23).contains(hour),
            (0...59).contains(minute)
        else {
            if clock != nil { fields.refuse("time", "errors.clock") }
            throw .invalid(fields.errors)
        }
        guard let day, fields.errors.isEmpty else { throw .invalid(fields.errors) }
        let start = zone.instant(day, hour: hour, minute: minute)
        return try check(start, start.adding(seconds: Int64(minutes) * 60), fields, now: now)
    }

    private static func check(_ start: Instant?, _ end: Instant?, _ fields: Fields, now: Instant) throws(Problem) -> SessionDraft {
        if let start, let end {
            if end <= start { fields.refuse("ends_at", "errors.ends_before_start") }
            if end > start.adding(seconds: 10 * 3600) { fields.refuse("ends_at", "errors.session_length") }
            let isFar = start < now.adding(days: -3650) || start > now.adding(days: 730)
            if isFar { fields.refuse("starts_at", "errors.session_far") }
        }
        try fields.finish()
        guard let start, let end else { throw .invalid(fields.errors) }
        return SessionDraft(startsAt: start, endsAt: end)
    }

    private init(startsAt: Instant, endsAt: Instant) { (self.startsAt, self.endsAt) = (startsAt, endsAt) }
}

extension AuditAction {
    static let sessionNoted = AuditAction(name: "session.noted")
    static let sessionMarked = AuditAction(name: "session.marked")
}
