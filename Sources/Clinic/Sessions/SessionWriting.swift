import Database
import Foundation
import Identity
import JSON
import Records
import Therapies
import Web
import Wire
import Wording

/// What a therapist writes about a session: nil is not touched.
struct SessionChange: Sendable {
    var state: Session.State?
    var agenda: [AgendaItem]?
    /// The outer nil leaves the note, the inner one takes it away.
    var note: String??

    static let longestNote = 10_000
    static let mostItems = 50
    static let longestItem = 300

    /// From the API.
    /// - Throws: `Problem.invalid`.
    static func read(_ fields: InputReader) throws(Problem) -> SessionChange {
        var change = SessionChange()
        if fields.has("state") {
            change.state = fields.choice(
                "state", from: Session.State.allCases.map(\.rawValue), required: true
            ).flatMap(Session.State.init(rawValue:))
        }
        if fields.has("note") {
            change.note = .some(fields.text("note", limit: longestNote, lines: true))
        }
        if fields.has("agenda") { change.agenda = agenda(fields) }
        try fields.finish()
        return change
    }

    private static func agenda(_ fields: InputReader) -> [AgendaItem]? {
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
            return text.map { AgendaItem(text: $0, isDone: isDone) }
        }
    }
}

/// Keeps state, agenda and note of a session, for the page and the call alike.
enum SessionWriting {
    /// - Parameter isForm: whether the form names the revision that was in view; calls say it with `If-Match`.
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
        let told = try change.state.flatMap { try SessionActions.change(to: $0, of: id, c) }
        let isMark = change.agenda == nil && change.note == nil
        try c.write(isMark ? .sessionMarked : .sessionWritten, about: therapy.id, object: id, change: told) {
            [now = c.now, zone = c.dates.zone, request = c.request, services = c.services] connection in
            guard let session = try SessionStore.find(id, in: therapy.id, connection) else {
                throw Problem.notFound
            }
            if isForm {
                let current = try SessionWords.revision(of: session, in: therapy.id, by: author, connection)
                try Conditional.requireRevision(request, current: current)
            }
            let list = try SessionStore.list(of: therapy, zone, now: now, connection)
            let takesOpen =
                knowsWords
                && list.all.contains { $0.session.id == session.id && list.takesOpen($0, now: now) }
            let before = try SessionWords.read(
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
            // What was typed before is either in it, or was left out on purpose.
            if isForm {
                try SessionNoteDraftStore.save(nil, of: session, by: author, key, at: now, connection)
            }
            let done = change.agenda.map { $0.filter(\.isDone).map(\.text) } ?? before.done
            try keep(
                note: change.note ?? before.note, done: done, of: session, by: author, key, at: now,
                connection)
        }
    }

    /// What is open stays with the therapy. To a session that lies back nothing is open: what is unticked there is open
    /// again, beside what is.
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
        let sealed = text.isEmpty ? nil : key.seal(text, for: BriefingQuestions.place(therapy.id))
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
