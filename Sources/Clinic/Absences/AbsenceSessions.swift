import Accounts
import Database
import Delivery
import Identity
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// The sessions planned in an absence, and calling them off in one step (PR-30). The state of a session is the
/// therapist's own: the patient's calendar stays as it is (IO-14), and the patient gets a notice.
enum AbsenceSessions {
    struct Planned: Sendable {
        let therapy: Therapy
        let session: Session
    }

    /// The earliest first.
    static func planned(
        in absence: AbsenceRecord, _ zone: Zone, at now: Instant, _ connection: borrowing Connection
    ) throws -> [Planned] {
        let from = zone.instant(absence.startsOn, hour: 0, minute: 0)
        // A day of 23 or 25 hours ends where the next one begins.
        let until = zone.instant(absence.endsOn.adding(days: 1), hour: 0, minute: 0)
        let therapies = try TherapyStore.caseload(of: absence.therapistID, connection).filter {
            $0.endedAt == nil
        }
        let byID = Dictionary(uniqueKeysWithValues: therapies.map { ($0.id, $0) })
        let all = try SessionStore.all(
            ofTherapist: absence.therapistID, from: from, until: until, connection)
        return all.flatMap { id, sessions in
            sessions.compactMap { session in
                guard let therapy = byID[id], session.isComing(at: now), from <= session.startsAt,
                    session.startsAt < until
                else { return nil }
                return Planned(therapy: therapy, session: session)
            }
        }.sorted { ($0.session.startsAt, $0.therapy.id) < ($1.session.startsAt, $1.therapy.id) }
    }

    /// Sets the therapist's state of every session planned in it to cancelled; without any, nothing changes.
    /// - Returns: the number of sessions.
    @discardableResult
    static func callOff(_ absence: AbsenceRecord, _ c: Context<Member>) throws -> Int {
        let therapist = c.proof.account.id
        let zone = Zone(c.services.timezone)
        let seen = try c.read { try planned(in: absence, zone, at: c.now, $0) }
        if seen.isEmpty {
            c.withholdUndo()
            return 0
        }
        let notices = try notices("absences.notice_called_off", of: seen, c)
        try c.write(.absenceSessionsCalledOff, about: therapist, object: absence.id) {
            [now = c.now, services = c.services] connection in
            guard let present = try AbsenceStore.find(absence.id, of: therapist, connection) else {
                throw Problem.notFound
            }
            let planned = try planned(in: present, zone, at: now, connection)
            // The notices name what was seen.
            guard planned.map(\.session.markedRecord) == seen.map(\.session.markedRecord),
                planned.map(\.session.startsAt) == seen.map(\.session.startsAt)
            else { throw Problem.conflict(Message("problems.changed_meanwhile")) }
            // An earlier step can no longer be undone.
            try AbsenceStore.forgetCalledOff(by: absence.id, connection)
            for notice in notices.values { try NoticeStore.insert(notice, at: now, connection) }
            for entry in planned {
                try SessionStore.mark(
                    entry.session.markedRecord, as: .cancelled, therapy: entry.therapy.id, at: now,
                    connection)
                let done = AbsenceStore.CalledOff(
                    session: entry.session.markedRecord, therapy: entry.therapy.id,
                    notice: notices[entry.therapy.id].map { ID<Notice>($0.id.text) })
                try AbsenceStore.note(done, by: absence.id, at: now, connection)
            }
            for therapy in Set(planned.map(\.therapy.id)) {
                try DeliveryPlanner.reconcile(therapy, services, now: now, connection)
            }
        }
        return seen.count
    }

    /// Plans the sessions again that were called off in one step. Patients who have read the notice get another one.
    static func bringBack(_ absence: AbsenceRecord, _ c: Context<Member>) throws {
        let therapist = c.proof.account.id
        let seen = try c.read { connection in
            try AbsenceStore.calledOff(by: absence.id, connection).compactMap { entry -> Planned? in
                guard let therapy = try TherapyStore.find(entry.therapy, of: therapist, connection),
                    let session = try SessionStore.find(entry.session, in: entry.therapy, connection),
                    session.state(at: c.now) == .cancelled, session.endsAt > c.now
                else { return nil }
                return Planned(therapy: therapy, session: session)
            }
        }
        let notices = try notices("absences.notice_returned", of: seen, c)
        try c.write(.absenceSessionsReturned, about: therapist, object: absence.id) {
            [now = c.now, services = c.services] connection in
            let entries = try AbsenceStore.calledOff(by: absence.id, connection)
            if entries.isEmpty { throw Problem.conflict(Message("undo.not_removed")) }
            for entry in entries {
                let session = try SessionStore.find(entry.session, in: entry.therapy, connection)
                guard let session, session.state(at: now) == .cancelled, session.endsAt > now else {
                    continue
                }
                try SessionStore.mark(
                    session.markedRecord, as: .planned, therapy: entry.therapy, at: now, connection)
            }
            let told = Dictionary(grouping: entries, by: \.therapy).compactMapValues { $0.first?.notice }
            for therapy in Set(entries.map(\.therapy)) {
                let wasUnread = try told[therapy].map {
                    try NoticeStore.withdraw(ID<NoticeRecord>($0.text), connection)
                }
                if wasUnread == false, let notice = notices[therapy] {
                    try NoticeStore.insert(notice, at: now, connection)
                }
                try DeliveryPlanner.reconcile(therapy, services, now: now, connection)
            }
            try AbsenceStore.forgetCalledOff(by: absence.id, connection)
        }
    }

    /// One notice for each paired patient, with the times of their sessions.
    private static func notices(
        _ key: String, of planned: [Planned], _ c: Context<Member>
    ) throws -> [ID<Therapy>: NewNotice] {
        let therapist = c.proof.account.id
        let name = try c.read { try TherapistStore.name(of: therapist, c.keys, $0) }
        var notices: [ID<Therapy>: NewNotice] = [:]
        for (id, entries) in Dictionary(grouping: planned, by: \.therapy.id) {
            guard
                let account = try entries.first?.therapy.accountID.flatMap({ id in
                    try c.read { try AccountStore.find(id, $0) }
                })
            else { continue }
            let zone = Zone(account.timezone)
            let words = LocalizedText(
                translations: c.services.languages.map { language in
                    let texts = c.services.texts(language)
                    let dates = DateFormat(texts, zone, now: c.now)
                    let times = entries.map { dates.dayAndTime($0.session.startsAt) }
                    let values = ["name": name, "times": times.joined(separator: ", ")]
                    return (language.rawValue, texts[key, values])
                })
            notices[id] = try NewNotice(
                .cover, words, to: try account.key(c.keys), id: c.newID(), from: c.now)
        }
        return notices
    }
}

extension Undo {
    static let absenceSessions = Undo(
        by: "/absences/:absence/cancellation/return", shown: "/absences", AbsenceStore.revision)
}
