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
    /// Counts the changes that other calendars have to take over, and when the last one was.
    let sequence: Int
    let changedAt: Instant

    init(row: borrowing Row) throws {
        (id, startsAt, endsAt) = (try row["id"], try row["starts_at"], try row["ends_at"])
        (mark, appointmentID, sequence) = (
            try row["mark"], try row["appointment_id"], try row["sequence"]
        )
        let (noted, changed): (Instant, Instant?) = (try row["noted_at"], try row["changed_at"])
        changedAt = changed ?? noted
    }

    /// Without a mark a session took place once its end has passed.
    func state(at now: Instant) -> State { mark ?? (endsAt <= now ? .held : .planned) }
}

/// The sessions of one therapy with their numbers: counted by start from the therapy's first day on.
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
            let counts = begin.map { session.startsAt >= $0 } ?? true
            if counts { count += 1 }
            return Numbered(session: session, number: counts ? count : nil, state: state)
        }
    }

    var newestFirst: [Numbered] {
        all.sorted { ($1.session.startsAt, $0.session.id) < ($0.session.startsAt, $1.session.id) }
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

    /// From the portal: times in the clinic's zone.
    static func read(form fields: Fields, zone: Zone, now: Instant) throws(Problem) -> SessionDraft {
        let start = fields.moment("starts_at", zone, required: true)
        return try check(start, fields.moment("ends_at", zone, required: true), fields, now: now)
    }

    private static func check(_ start: Instant?, _ end: Instant?, _ fields: Fields, now: Instant)
        throws(Problem) -> SessionDraft
    {
        if let start, let end {
            if end <= start { fields.refuse("ends_at", "errors.ends_before_start") }
            let length = end.seconds - start.seconds
            if length > 10 * 3600 || (length > 0 && length < 300) {
                fields.refuse("ends_at", "errors.session_length")
            }
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
