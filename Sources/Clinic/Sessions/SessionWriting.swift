import Database
import Foundation
import Identity
import JSON
import Records
import Therapies
import Web
import Wire
import Wording

/// A therapist's changes of a session: nil changes nothing.
struct SessionChange: Sendable {
    var state: Session.State?
    /// Another time, for a noted session.
    var times: SessionDraft?
    var agenda: [AgendaPoint]?
    /// The outer nil keeps the note, the inner one removes it.
    var note: String??

    static let longestNote = 10_000
    static let mostItems = 50
    static let longestItem = 300

    /// From the API.
    /// - Throws: `Problem.invalid`.
    static func read(_ fields: InputReader, now: Instant) throws(Problem) -> SessionChange {
        var change = SessionChange()
        if fields.has("starts_at") || fields.has("ends_at") {
            change.times = try SessionDraft.read(fields, now: now)
        }
        if fields.has("state") {
            change.state = fields.choice("state", required: true)
        }
        if fields.has("note") {
            change.note = .some(fields.text("note", limit: longestNote, lines: true))
        }
        if fields.has("agenda") { change.agenda = agenda(fields) }
        try fields.finish()
        return change
    }

    private static func agenda(_ fields: InputReader) -> [AgendaPoint]? {
        let sent = fields.value("agenda") ?? .array([])
        guard case .array(let values) = sent else {
            fields.refuse("agenda", "sessions.agenda_list")
            return nil
        }
        guard values.count <= mostItems else {
            fields.refuse("agenda", "sessions.agenda_many", ["limit": String(mostItems)])
            return nil
        }
        return values.enumerated().compactMap { index, value in
            guard case .object = value else {
                fields.refuse("agenda.\(index)", "errors.object")
                return nil
            }
            let inner = InputReader(json: value, prefix: "agenda.\(index).")
            let text = inner.text("text", required: true, limit: longestItem)
            let isDone = inner.bool("done") ?? false
            fields.adopt(inner)
            return text.map { AgendaPoint(text: $0, isDone: isDone) }
        }
    }
}

/// Stores state, agenda and note of a session, for page and call alike.
enum SessionWriting {
    /// - Parameter isForm: whether a form names the revision it is based on; calls name it with `If-Match`.
    /// - Throws: `Problem.notFound`, `.preconditionFailed` when it was changed meanwhile, `.invalid`.
    static func write(_ change: SessionChange, _ id: ID<Session>, _ c: Context<Caseload>, isForm: Bool) throws
    {
        let therapy = c.proof.patient
        let author = c.proof.therapist.id
        let key = try therapy.key(c.keys)
        let knowsWords = c.proof.mayKnowWords
        if !knowsWords, change.agenda?.contains(where: { !$0.isDone }) ?? false {
            throw Problem.invalid("agenda", "sessions.agenda_shared")
        }
        let told = try told(change, of: id, c)
        let isMark = change.agenda == nil && change.note == nil
        let action: AuditAction =
            change.times != nil ? .sessionMoved : isMark ? .sessionMarked : .sessionWritten
        try c.write(action, about: therapy.id, object: id, change: told) {
            [now = c.now, zone = c.dates.zone, request = c.request, services = c.services] connection in
            guard var session = try SessionStore.find(id, in: therapy.id, connection) else {
                throw Problem.notFound
            }
            if let times = change.times {
                try SessionMoving.move(session, to: times, in: therapy.id, services, at: now, connection)
                session = try SessionStore.find(id, in: therapy.id, connection) ?? session
            }
            if isForm {
                let current = try SessionNotes.revision(of: session, in: therapy.id, by: author, connection)
                try Conditional.requireRevision(request, current: current)
            }
            let list = try SessionStore.list(of: therapy, zone, now: now, connection)
            let takesOpen =
                knowsWords
                && list.all.contains { $0.session.id == session.id && list.takesOpen($0, now: now) }
            let before = try SessionNotes.read(
                session, of: therapy, by: author, key, withOpen: takesOpen, connection)
            if let agenda = change.agenda {
                try keepOpen(
                    agenda.filter { !$0.isDone }.map(\.text), instead: takesOpen, therapy, key, at: now,
                    connection)
            }
            if let state = change.state {
                try SessionActions.set(state, of: id, in: therapy.id, services, at: now, connection)
            }
            if isMark { return }
            // Earlier input is either in it, or was left out on purpose.
            if isForm {
                try SessionNoteDraftStore.save(nil, of: session, by: author, key, at: now, connection)
            }
            let done = change.agenda.map { $0.filter(\.isDone).map(\.text) } ?? before.done
            try keep(
                note: change.note ?? before.note, done: done, of: session, by: author, key, at: now,
                connection)
        }
    }

    /// The change for the audit log.
    private static func told(
        _ change: SessionChange, of id: ID<Session>, _ c: Context<Caseload>
    ) throws -> AuditChange? {
        if let times = change.times {
            let seen = try c.read { try SessionStore.find(id, in: c.proof.patient.id, $0) }
            return try SessionMoving.change(of: seen?.startsAt, to: times, c)
        }
        return try change.state.flatMap { try SessionActions.change(to: $0, of: id, c) }
    }

    /// Open items stay with the therapy: one unticked in a past session is open again beside the others.
    private static func keepOpen(
        _ lines: [String], instead takesOpen: Bool, _ therapy: Therapy, _ key: PersonKey, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        var all = lines
        let stored = try BriefingStore.find(therapy.id, connection)?.words(key, therapy: therapy.id)
        if !takesOpen { all = (stored.map { [$0] } ?? []) + lines }
        let text = all.joined(separator: "\n")
        if text == stored ?? "" { return }
        guard text.unicodeScalars.count <= BriefingPages.longestQuestions else {
            throw Problem.invalid(
                "agenda", "errors.too_long", ["limit": String(BriefingPages.longestQuestions)])
        }
        let sealed = text.isEmpty ? nil : key.seal(text, for: BriefingStore.place(therapy.id))
        try BriefingStore.save(sealed, of: therapy.id, at: now, connection)
    }

    private static func keep(
        note: String?, done: [String], of session: Session, by author: ID<Account>, _ key: PersonKey,
        at now: Instant, _ connection: borrowing Connection
    ) throws {
        let list = String(decoding: try JSONEncoder().encode(done), as: UTF8.self)
        try SessionNoteStore.save(
            note: note.map { key.seal($0, for: SessionNoteRecord.note(session.id)) },
            agenda: done.isEmpty ? nil : key.seal(list, for: SessionNoteRecord.agenda(session.id)),
            of: session, by: author, at: now, connection)
    }
}

extension AuditAction {
    static let sessionWritten = AuditAction(name: "session.written")
}
