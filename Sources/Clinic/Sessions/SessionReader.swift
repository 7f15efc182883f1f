import Database
import HTTP
import Identity
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// Gathers the content of one session's page.
struct SessionReader {
    let c: Context<Caseload>
    let entry: SessionList.Numbered
    let sessions: SessionList

    init(_ c: Context<Caseload>, _ entry: SessionList.Numbered, _ sessions: SessionList) {
        self.c = c
        self.entry = entry
        self.sessions = sessions
    }

    private var therapy: Therapy { c.proof.patient }
    private var texts: Texts { c.texts }
    private var isNext: Bool { entry.session.id == sessions.next(after: c.now)?.session.id }

    func page(_ filled: FormState, _ connection: borrowing Connection) throws -> SessionPages.Show {
        let session = entry.session
        let author = c.proof.therapist.id
        // Colleagues with access keep notes of their own; the open agenda is the first therapist's.
        let isHidden = c.proof.therapist.hidesNames
        let knowsOpen = c.proof.mayName
        let words =
            isHidden
            ? .none
            : try SessionNotes.read(
                session, of: therapy, by: author, try therapy.key(c.keys),
                withOpen: knowsOpen && sessions.takesOpen(entry, now: c.now), connection)
        let name = sessions.name(of: entry, texts, now: c.now)
        let row = SessionFormatter(texts, c.dates, c.now).row(
            entry, of: therapy, name, nil, canMark: therapy.endedAt == nil && c.proof.standing.mayAct)
        let draft = isHidden ? nil : try draft(instead: filled, connection)
        let revision = try SessionNotes.revision(of: session, in: therapy.id, by: author, connection)
        // Input based on an older state is shown beside the stored one.
        let filled =
            draft.map {
                FormState(
                    $0.draft.form, FieldErrors(), texts,
                    isStale: $0.draft.revision != String(revision))
            } ?? filled
        let agenda = agenda(filled, words)
        let fields = fields(filled, words)
        let isBefore = entry.state == .held || isNext
        return SessionPages.Show(
            id: session.id, patient: therapy.id, codename: therapy.codename,
            path: "\(therapy.path)/sessions/\(session.id)",
            title: title(name), when: when, machineTime: row.machineTime, state: row.state, tone: row.tone,
            marks: row.marks, hasMarks: row.hasMarks, briefingPath: briefing.path,
            briefingLabel: briefing.label,
            isHidden: isHidden, canWrite: c.proof.standing.mayAct, revision: filled.revision(revision),
            agenda: agenda,
            hasAgenda: !agenda.isEmpty, fields: fields,
            draft: draft.map { c.dates.short($0.at) },
            canRemove: try canRemove(connection), following: try Self.following(session, c, connection),
            last: isHidden ? nil : try LastSession(before: entry, sessions, c, connection),
            assigned: try assigned(connection), canAssign: therapy.endedAt == nil && c.proof.standing.mayAct,
            briefing: isBefore
                ? try BriefingReader(c, before: entry.state == .held ? entry : nil, connection).page(
                    FormState(texts), connection) : nil,
            isStale: filled.isStale, errors: filled.summary)
    }

    private func canRemove(_ connection: borrowing Connection) throws -> Bool {
        let session = entry.session
        guard c.proof.standing.mayAct, session.appointmentID == nil else { return false }
        return try SessionUse(of: session, in: therapy.id, at: c.now, connection).words(texts).isEmpty
    }

    /// Unsaved input; a form that was just sent takes precedence.
    private func draft(
        instead filled: FormState, _ connection: borrowing Connection
    ) throws -> (draft: SessionNoteDraft, at: Instant)? {
        guard filled.form.fields.isEmpty, c.proof.standing.mayAct else { return nil }
        return try SessionNoteDraftStore.find(
            entry.session, by: c.proof.therapist.id, try therapy.key(c.keys), connection)
    }

    /// The next patient of the day, for going on: among the therapist's own patients.
    static func following(
        _ session: Session, _ c: Context<Caseload>, _ connection: borrowing Connection
    ) throws -> Layout.PatientBar.Neighbour? {
        let therapy = c.proof.patient
        guard c.proof.standing.isOwner else { return nil }
        let day = LocalTime(session.startsAt, c.dates.zone).date
        let order = try DayPlan(
            on: day, of: therapy.therapistID, c.dates.zone, now: c.now, connection
        ).order
        guard let place = order.firstIndex(of: therapy.id), order.indices.contains(place + 1),
            let next = try TherapyStore.find(order[place + 1], of: therapy.therapistID, connection)
        else { return nil }
        let name = try next.name(for: c.proof.therapist, c.keys)
        return Layout.PatientBar.Neighbour(
            name: name.alias ?? name.codename, path: "/patients/\(next.id)/briefing")
    }

    /// For a past session, the timeline shows the interval before it.
    private var briefing: (path: String, label: String) {
        let base = therapy.path
        return entry.state == .held
            ? ("\(base)/timeline?open=\(entry.anchor)#\(entry.anchor)", texts["timeline.title"])
            : ("\(base)/briefing", texts["briefing.link"])
    }

    private func title(_ name: String?) -> String {
        if isNext, let number = sessions.comingNumber(of: entry) {
            return texts["timeline.session", ["n": String(number)]]
        }
        return name ?? texts["timeline.session_unnumbered"]
    }

    private var when: String {
        let session = entry.session
        let day = c.dates.weekday(session.startsAt)
        return "\(day), \(c.dates.time(session.startsAt)) – \(c.dates.time(session.endsAt))"
    }

    /// The input, where it was not saved; items added elsewhere meanwhile are listed below it.
    private func agenda(_ filled: FormState, _ words: SessionNotes) -> [SessionPages.Show.Item] {
        let typed = filled.form.all("item")
        var items = words.agenda
        if !typed.isEmpty || filled.isStale {
            let done = Set(filled.form.all("done"))
            items =
                typed.map { AgendaPoint(text: $0, isDone: done.contains($0)) }
                + words.agenda.filter { !typed.contains($0.text) }
        }
        return items.enumerated().map { .init(index: $0, text: $1.text, isDone: $1.isDone) }
    }

    private func fields(_ filled: FormState, _ words: SessionNotes) -> [FieldView] {
        let add = filled.field("add", .area, label: "sessions.agenda_add", hint: "sessions.agenda_hint")
        let note = filled.field(
            "note", .area, label: "sessions.note_field", first: words.note ?? "", hint: "sessions.note_hint")
        return c.proof.mayName ? [add, note] : [note]
    }

    /// From its begin until an hour after its end, when assignments are entered.
    private func assigned(_ connection: borrowing Connection) throws -> [BriefingPages.Show.Line] {
        let session = entry.session
        if session.startsAt > c.now { return [] }
        let words = TimelineFormatter(texts: texts, now: c.now, dates: c.dates)
        return try TimelineReader(c, connection).assigned(
            from: session.startsAt, until: session.endsAt.adding(seconds: 3600), connection
        ).map { event in
            BriefingPages.Show.Line(
                when: c.dates.time(event.at), text: words.written(event), state: words.badge(event)?.text)
        }
    }
}
