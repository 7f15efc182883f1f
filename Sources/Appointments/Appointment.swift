import Database
import HTTP
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// An appointment as stored.
package struct AppointmentRecord: Sendable, FromRow {
    package let id: ID<Appointment>
    package let accountID: ID<Account>
    package let therapyID: ID<Therapy>
    package let startsAt: Instant
    package let endsAt: Instant
    /// Its last change, here or on a phone.
    package let changedAt: Instant
    package let deletedAt: Instant?
    /// The number of its changes, for calendars.
    let sequence: Int
    private let sealedTitle: [UInt8]?
    private let sealedComment: [UInt8]?

    package init(row: borrowing Row) throws {
        id = try row["id"]
        accountID = try row["account_id"]
        therapyID = try row["therapy_id"]
        startsAt = try row["starts_at"]
        endsAt = try row["ends_at"]
        changedAt = try row["changed_at"]
        deletedAt = try row["deleted_at"]
        sequence = try row["sequence"]
        sealedTitle = try row["title"]
        sealedComment = try row["comment"]
    }

    /// Sealed anew with every change, so the seal identifies the state.
    package var revision: Int {
        Revision.number(of: [
            .integer(startsAt.milliseconds), .integer(endsAt.milliseconds), .blob(sealedTitle ?? []),
            .blob(sealedComment ?? []),
        ])
    }

    package func wire(_ key: PersonKey) throws -> Appointment {
        let title = try sealedTitle.map { try key.open($0, from: AppointmentPlace.title(accountID, id)) }
        let comment = try sealedComment.map {
            try key.open($0, from: AppointmentPlace.comment(accountID, id))
        }
        return Appointment(title: title ?? "", startsAt: startsAt, endsAt: endsAt, comment: comment)
    }
}

/// The places of an appointment's sealed fields.
enum AppointmentPlace {
    static func title(_ account: ID<Account>, _ id: ID<Appointment>) -> SealContext {
        SealContext("appointments", "\(account)/\(id)", "title")
    }
    static func comment(_ account: ID<Account>, _ id: ID<Appointment>) -> SealContext {
        SealContext("appointments", "\(account)/\(id)", "comment")
    }
}

/// An appointment as a device sends it (IO-14). Made only by reading.
package struct AppointmentDraft: Sendable, Equatable {
    package let title: String
    package let startsAt: Instant
    package let endsAt: Instant
    package let comment: String?

    private static let gridSeconds: Int64 = 300

    /// - Parameter zone: of the times typed into a form; without one, times come with their offset.
    /// - Throws: `Problem.invalid`: begins more than 90 days back, is off the five-minute grid, shorter than five
    ///   minutes, or longer than a day.
    package static func read(
        _ fields: InputReader, in zone: Zone? = nil, now: Instant
    ) throws(Problem) -> AppointmentDraft {
        let moment = { (name: String) in
            zone.map { fields.moment(name, $0, required: true) } ?? fields.time(name, required: true)
        }
        let title = fields.text("title", required: true, limit: 200)
        let comment = fields.text("comment", limit: 2_000, lines: true)
        let start = moment("starts_at")
        let end = moment("ends_at")
        for (name, time) in [("starts_at", start), ("ends_at", end)] {
            if let time, time.milliseconds % (gridSeconds * 1000) != 0 {
                fields.refuse(name, "appointments.grid")
            }
        }
        if let start {
            if start < now.adding(days: -90) { fields.refuse("starts_at", "appointments.past") }
            if start > now.adding(days: 1827) { fields.refuse("starts_at", "appointments.far") }
        }
        if let start, let end {
            let length = end.seconds - start.seconds
            if length <= 0 {
                fields.refuse("ends_at", "errors.ends_before_start")
            } else if length < gridSeconds {
                fields.refuse("ends_at", "appointments.short")
            } else if length > 86_400 {
                fields.refuse("ends_at", "appointments.long")
            }
        }
        try fields.finish()
        guard let title, let start, let end else { throw .invalid(fields.errors) }
        return AppointmentDraft(title: title, startsAt: start, endsAt: end, comment: comment)
    }

    private init(title: String, startsAt: Instant, endsAt: Instant, comment: String?) {
        self.title = title
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.comment = comment
    }

    /// Adopts a noted session, which keeps to no grid: at the nearest five minutes.
    /// - Throws: `Problem.invalid` as reading does.
    package init(of noted: Session, title: String, now: Instant) throws(Problem) {
        let times = Self.onGrid(noted)
        self = try Self.read(
            InputReader(form: [
                "title": title, "starts_at": times.start.text, "ends_at": times.end.text,
            ]), now: now)
    }

    /// Whether it takes over a session as it is noted now.
    func isAtTime(of session: Session) -> Bool {
        let times = Self.onGrid(session)
        return startsAt.seconds == times.start.seconds && endsAt.seconds == times.end.seconds
    }

    private static func onGrid(_ session: Session) -> (start: Instant, end: Instant) {
        let nearest = { (moment: Instant) in
            let grid = gridSeconds * 1000
            return Instant(milliseconds: (moment.milliseconds + grid / 2) / grid * grid)
        }
        let start = nearest(session.startsAt)
        return (start, max(nearest(session.endsAt), start.adding(seconds: gridSeconds)))
    }

    /// False for a deleted one.
    package func says(theSameAs record: AppointmentRecord, _ key: PersonKey) throws -> Bool {
        if record.deletedAt != nil { return false }
        let appointment = try record.wire(key)
        return title == appointment.title && comment == appointment.comment
            && startsAt.seconds == appointment.startsAt.seconds
            && endsAt.seconds == appointment.endsAt.seconds
    }
}

extension AuditAction {
    package static let appointmentKept = AuditAction(name: "appointment.kept")
    static let appointmentDeleted = AuditAction(name: "appointment.deleted")
}
