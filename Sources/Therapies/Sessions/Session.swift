import Database
import Records
import Scheduling
import Web
import Wire
import Wording

/// A session of a therapy. Its number is computed, never stored.
package struct Session: Sendable, FromRow {
    package enum State: String, Sendable, CaseIterable, SQLConvertible {
        case planned, held, missed, cancelled
    }

    /// The id of the earliest record.
    package private(set) var id: ID<Session>
    package let startsAt: Instant
    package let endsAt: Instant
    /// The therapist's mark; nil leaves the state to time.
    package private(set) var mark: State?
    package let appointmentID: ID<Appointment>?
    /// Whether the patient sees a noted session; unused for an appointment, which is the patient's own.
    let isShown: Bool
    /// Counts the changes for other calendars, and when the last one was: of the record that has the id, so that neither goes back
    /// (RFC 5545, 3.8.7.4).
    package private(set) var sequence: Int
    package private(set) var revisedAt: Instant
    /// The ids of all records of this session.
    package private(set) var records: [ID<Session>]
    /// The record that takes the therapist's mark.
    package private(set) var markedRecord: ID<Session>
    private var notedAt: Instant
    private let changedAt: Instant
    /// When a noted record was marked; nil without a mark.
    private var wordAt: Instant?

    package init(row: borrowing Row) throws {
        id = try row["id"]
        startsAt = try row["starts_at"]
        endsAt = try row["ends_at"]
        mark = try row["mark"]
        appointmentID = try row["appointment_id"]
        isShown = try row["is_shown"]
        sequence = try row["sequence"]
        notedAt = try row["noted_at"]
        let changed: Instant? = try row["changed_at"]
        changedAt = changed ?? notedAt
        let revised: Instant? = try row["revised_at"]
        revisedAt = revised ?? changedAt
        records = [id]
        markedRecord = id
    }

    /// Unless the therapist marks it otherwise, a session took place once its end has passed.
    package func state(at now: Instant) -> State {
        switch mark {
        case .held, .missed, .cancelled: mark ?? .held
        case .planned, nil: endsAt <= now ? .held : .planned
        }
    }

    /// Whether it is planned and not over.
    package func isComing(at now: Instant) -> Bool { state(at: now) == .planned && endsAt > now }

    /// The therapist's note and the patient's appointment are one session where they overlap (PR-2): its times are
    /// those of the appointment, its state is the therapist's. Computed on every read, so that moving the appointment
    /// away leaves both.
    /// - Returns: the earliest first.
    static func merged(_ records: [Session]) -> [Session] {
        let sorted = records.sorted(by: isEarlier)
        var appointments = sorted.filter { $0.appointmentID != nil }
        if appointments.isEmpty || appointments.count == sorted.count { return sorted }
        var alone: [Session] = []
        var first = 0
        for noted in sorted where noted.appointmentID == nil {
            while first < appointments.count, appointments[first].endsAt <= noted.startsAt { first += 1 }
            let near = appointments[first...].prefix { $0.startsAt < noted.endsAt }
            guard let index = near.firstIndex(where: { $0.endsAt > noted.startsAt }) else {
                alone.append(noted)
                continue
            }
            appointments[index].take(noted)
        }
        return (appointments + alone).sorted(by: isEarlier)
    }

    private static func isEarlier(_ first: Session, _ second: Session) -> Bool {
        (first.startsAt, first.id) < (second.startsAt, second.id)
    }

    /// Merges with a noted record: of several marks the latest counts.
    private mutating func take(_ noted: Session) {
        if let word = noted.mark, wordAt.map({ $0 < noted.changedAt }) ?? true {
            mark = word
            wordAt = noted.changedAt
            markedRecord = noted.id
        }
        if records.count == 1, wordAt == nil { markedRecord = noted.id }
        if noted.notedAt < notedAt {
            id = noted.id
            notedAt = noted.notedAt
            sequence = noted.sequence
            revisedAt = noted.revisedAt
        }
        records.append(noted.id)
    }
}

/// The sessions of one therapy with their numbers: held ones, counted by start from the therapy's first day on (PR-2).
package struct SessionList: Sendable {
    package struct Numbered: Sendable {
        package let session: Session
        /// Nil for sessions that were not held, or were before the therapy's begin.
        package let number: Int?
        package let state: Session.State

        /// The anchor on the timeline of the interval that begins with it.
        package var anchor: String { "session-\(number.map { String($0) } ?? session.id.text)" }
        package var isOff: Bool { state == .missed || state == .cancelled }

        /// The day of the last one held, the same on every page: `zuletzt am 17. November`. A number of days would
        /// count to today on one page, and to the coming session on another.
        package func lastOn(_ texts: Texts, _ dates: DateFormat) -> String {
            texts["sessions.last_on", ["day": dates.plainDay(session.startsAt)]]
        }
    }

    /// The earliest first.
    package let all: [Numbered]
    /// The number of numbered sessions.
    package let count: Int
    private let begin: Instant?

    package init(_ sessions: [Session], startedOn: LocalDate?, zone: Zone, now: Instant) {
        let begin = startedOn.map { zone.instant($0, hour: 0, minute: 0) }
        var count = 0
        all = sessions.map { session in
            let state = session.state(at: now)
            let isCounted = state == .held && (begin.map { session.startsAt >= $0 } ?? true)
            if isCounted { count += 1 }
            return Numbered(session: session, number: isCounted ? count : nil, state: state)
        }
        self.count = count
        self.begin = begin
    }

    package var newestFirst: [Numbered] {
        all.sorted { ($1.session.startsAt, $0.session.id) < ($0.session.startsAt, $1.session.id) }
    }
    package var held: [Numbered] { all.filter { $0.state == .held } }
    package var last: Numbered? { all.last { $0.state == .held } }
    /// The first that is planned and not over.
    package func next(after now: Instant) -> Numbered? { all.first { $0.session.isComing(at: now) } }

    /// The number that the next session gets once it is held; nil before the therapy's begin.
    package func comingNumber(of next: Numbered) -> Int? {
        begin.map { next.session.startsAt < $0 } ?? false ? nil : count + 1
    }

    /// `Sitzung 11`, and of the next one `vor der 12. Sitzung`; others have no number.
    package func name(of entry: Numbered, _ texts: Texts, now: Instant) -> String? {
        if let number = entry.number { return texts["timeline.session", ["n": String(number)]] }
        guard entry.session.id == next(after: now)?.session.id else { return nil }
        return comingNumber(of: entry).map { texts["sessions.before", ["n": String($0)]] }
    }
}

/// A session as noted by the therapist. Made only by reading.
package struct SessionDraft: Sendable {
    package let startsAt: Instant
    package let endsAt: Instant

    /// The length of a session without an end.
    package static let usualSeconds: Int64 = 3000

    /// Two instants; in a form times in the zone, and its end may be left out.
    /// - Parameter seconds: the length of one without an end.
    /// - Throws: `Problem.invalid`.
    package static func read(
        _ fields: InputReader, zone: Zone = Zone("UTC"), lasting seconds: Int64 = usualSeconds, now: Instant
    ) throws(Problem) -> SessionDraft {
        let start = fields.instant("starts_at", zone, required: true)
        let isOpen = fields.isForm && fields.value("ends_at") == nil
        let end =
            isOpen
            ? start?.adding(seconds: seconds)
            : fields.instant("ends_at", zone, required: !fields.isForm)
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

    /// The same length at another time.
    package func moved(to start: Instant) -> SessionDraft {
        SessionDraft(startsAt: start, endsAt: start.adding(seconds: endsAt.seconds - startsAt.seconds))
    }

    private init(startsAt: Instant, endsAt: Instant) { (self.startsAt, self.endsAt) = (startsAt, endsAt) }
}

extension AuditAction {
    package static let sessionNoted = AuditAction(name: "session.noted")
    package static let sessionMarked = AuditAction(name: "session.marked")
}
