import HTTP
import Records
import Therapies
import Web
import Wire
import Wording

/// The page of one session.
enum SessionShowPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/patients/:patient/sessions/:session", .caseloadReader, show)
        routes.page(.post, "/patients/:patient/sessions/:session", .caseload, update)
    }

    @Sendable static func show(_ c: Context<Caseload>) throws -> Reply {
        let page = try page(FormState(c.texts), c)
        try FileLook.note(c)
        return .page(page)
    }

    @Sendable static func update(_ c: Context<Caseload>) throws -> Reply {
        let id: ID<Session> = try c.id("session")
        return try c.submit(orShow: { try page($0, c) }, stale: { try page($0, c) }) { fields in
            try SessionWriting.write(try change(fields.form), id, c, isForm: true)
            let onward = fields.form["then"] == "next" ? try following(id, c)?.path : nil
            return .seeOther(
                onward ?? "\(c.proof.patient.path)/sessions/\(id)", flash: Message("sessions.kept"))
        }
    }

    /// The ticked items, the added ones, the note.
    private static func change(_ form: Form) throws(Problem) -> SessionChange {
        let fields = InputReader(form: form)
        let done = Set(form.all("done"))
        let added = (fields.text("add", limit: 2_000, lines: true) ?? "").split(whereSeparator: \.isNewline)
            .map { $0.filter { $0 != "\t" } }.filter { !$0.isEmpty }
        var agenda = form.all("item").map { AgendaPoint(text: $0, isDone: done.contains($0)) }
        agenda += added.map { AgendaPoint(text: $0, isDone: false) }
        if agenda.count > SessionChange.mostItems {
            fields.refuse("add", "sessions.agenda_many", ["limit": String(SessionChange.mostItems)])
        }
        if added.contains(where: { $0.unicodeScalars.count > SessionChange.longestItem }) {
            fields.refuse("add", "sessions.agenda_long", ["limit": String(SessionChange.longestItem)])
        }
        let note = fields.text("note", limit: SessionChange.longestNote, lines: true)
        try fields.finish()
        return SessionChange(agenda: agenda, note: .some(note))
    }

    /// The patient after this one on the session's day.
    private static func following(
        _ id: ID<Session>, _ c: Context<Caseload>
    ) throws -> Layout.PatientBar.Neighbour? {
        try c.read { connection in
            guard let session = try SessionStore.find(id, in: c.proof.patient.id, connection) else {
                return nil
            }
            return try SessionReader.following(session, c, connection)
        }
    }

    private static func page(_ filled: FormState, _ c: Context<Caseload>) throws -> SessionPages.Show {
        let id: ID<Session> = try c.id("session")
        return try c.read { connection in
            let sessions = try SessionStore.list(of: c.proof.patient, c.dates.zone, now: c.now, connection)
            guard let entry = sessions.all.first(where: { $0.session.records.contains(id) }) else {
                throw Problem.notFound
            }
            return try SessionReader(c, entry, sessions).page(filled, connection)
        }
    }
}
