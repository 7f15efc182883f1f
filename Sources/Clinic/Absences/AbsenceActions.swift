import Accounts
import Database
import Identity
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// Entering, changing and removing absences, for page and call alike (PR-30).
enum AbsenceActions {
    /// - Throws: `Problem.invalid` where another absence is of the same days, or the cover is not the therapist's.
    static func make(_ draft: AbsenceDraft, _ c: Context<Member>) throws -> ID<AbsenceRecord> {
        let therapist = c.proof.account
        let id: ID<AbsenceRecord> = c.newID()
        let change = try c.change(of: try therapist.key(c.keys), to: values(draft))
        try c.write(.absenceMade, about: therapist.id, object: id, change: change) {
            [now = c.now, dates = c.dates] connection in
            try insert(draft, id: id, of: therapist.id, at: now, dates, connection)
        }
        return id
    }

    /// Belongs inside a write.
    static func insert(
        _ draft: AbsenceDraft, id: ID<AbsenceRecord>, of therapist: ID<Account>, at now: Instant,
        _ dates: DateFormat, _ connection: borrowing Connection
    ) throws {
        try require(draft, besides: nil, of: therapist, dates, at: now, connection)
        try AbsenceStore.insert(draft, id: id, of: therapist, at: now, connection)
    }

    /// Enters the days of a new cover as an absence, or gives the cover to the absence of just these days. Belongs
    /// inside the write that makes the cover.
    static func insert(
        beside cover: CoverRecord, id: ID<AbsenceRecord>, at now: Instant, _ dates: DateFormat,
        _ connection: borrowing Connection
    ) throws {
        let therapist = cover.therapistID
        let draft = AbsenceDraft(from: cover.startsOn, until: cover.endsOn, cover: cover.id)
        let present = try AbsenceStore.all(
            of: therapist, from: cover.startsOn, until: cover.endsOn, connection)
        // A second cover of the same days is for other patients: the absence keeps its first.
        if let same = present.first(where: { $0.startsOn == cover.startsOn && $0.endsOn == cover.endsOn }) {
            if same.coverID != nil { return }
            return try AbsenceStore.update(same.id, to: draft, of: therapist, connection)
        }
        // A cover for some days of an absence belongs to that absence.
        if present.contains(where: { $0.startsOn <= cover.startsOn && cover.endsOn <= $0.endsOn }) { return }
        try insert(draft, id: id, of: therapist, at: now, dates, connection)
    }

    /// - Throws: as `make`, and `Problem.notFound`.
    static func update(
        _ seen: AbsenceRecord, to draft: AbsenceDraft, _ c: Context<Member>
    ) throws {
        let therapist = c.proof.account
        let change = try c.change(
            of: try therapist.key(c.keys),
            from: values(
                AbsenceDraft(
                    from: seen.startsOn, until: seen.endsOn, cover: seen.coverID,
                    isWithoutCover: seen.isWithoutCover)), to: values(draft))
        try c.write(.absenceChanged, about: therapist.id, object: seen.id, change: change) {
            [now = c.now, dates = c.dates] connection in
            guard try AbsenceStore.find(seen.id, of: therapist.id, connection) != nil else {
                throw Problem.notFound
            }
            try require(draft, besides: seen.id, of: therapist.id, dates, at: now, connection)
            try AbsenceStore.update(seen.id, to: draft, of: therapist.id, connection)
        }
    }

    /// Its cover stays until it is ended, and sessions that were called off stay so.
    static func remove(_ id: ID<AbsenceRecord>, _ c: Context<Member>) throws {
        let therapist = c.proof.account
        try c.write(.absenceRemoved, about: therapist.id, object: id) { connection in
            guard try AbsenceStore.remove(id, of: therapist.id, connection) else { throw Problem.notFound }
        }
    }

    static func find(_ c: Context<Member>) throws -> AbsenceRecord {
        let id: ID<AbsenceRecord> = try c.id("absence")
        let therapist = c.proof.account.id
        guard let found = try c.read({ try AbsenceStore.find(id, of: therapist, $0) }) else {
            throw Problem.notFound
        }
        return found
    }

    private static func values(_ draft: AbsenceDraft) -> [String: String?] {
        [
            "from": draft.from.text, "until": draft.until.text, "cover": draft.cover?.text,
            "without_cover": draft.isWithoutCover ? "true" : nil,
        ]
    }

    private static func require(
        _ draft: AbsenceDraft, besides own: ID<AbsenceRecord>?, of therapist: ID<Account>,
        _ dates: DateFormat, at now: Instant, _ connection: borrowing Connection
    ) throws {
        if let id = draft.cover {
            let cover = try SharingStore.cover(id, by: therapist, connection)
            guard let cover, !cover.isOver(at: now) else {
                throw Problem.invalid("cover_id", "absences.no_cover")
            }
            if cover.endsOn < draft.from || draft.until < cover.startsOn {
                throw Problem.invalid("cover_id", "absences.cover_elsewhere")
            }
        }
        let present = try AbsenceStore.all(of: therapist, from: draft.from, until: draft.until, connection)
        if let other = present.first(where: { $0.id != own }) {
            throw Problem.invalid(
                "from", "absences.overlap",
                ["from": dates.day(other.startsOn), "until": dates.day(other.endsOn)])
        }
    }
}
