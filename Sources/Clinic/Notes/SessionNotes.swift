import Database
import Records
import Therapies
import Web
import Wire

/// A line of a session's agenda, open or ticked off.
struct AgendaPoint: Codable, Sendable, Equatable {
    let text: String
    let isDone: Bool

    enum CodingKeys: String, CodingKey {
        case text
        case isDone = "done"
    }
}

/// Note and agenda of a session for their author. The therapist's record and the patient's may be one session (PR-2):
/// the words of both are shown together.
struct SessionNotes: Sendable {
    var note: String?
    /// Open items first, then those ticked off in it.
    var agenda: [AgendaPoint]

    static let none = SessionNotes(note: nil, agenda: [])

    var done: [String] { agenda.filter(\.isDone).map(\.text) }
    var open: [String] { agenda.filter { !$0.isDone }.map(\.text) }
    var isEmpty: Bool { note == nil && agenda.isEmpty }

    /// - Parameter withOpen: includes open items: for coming sessions, and the last one held.
    static func read(
        _ session: Session, of therapy: Therapy, by author: ID<Account>, _ key: PersonKey, withOpen: Bool,
        _ connection: borrowing Connection
    ) throws -> SessionNotes {
        let records = try SessionNoteStore.all(session.records, by: author, connection)
        let notes = try records.compactMap { try $0.note(key) }
        let open =
            withOpen
            ? try BriefingStore.find(therapy.id, connection)?.words(key, therapy: therapy.id) ?? "" : ""
        let lines = open.split(whereSeparator: \.isNewline).map {
            AgendaPoint(text: String($0), isDone: false)
        }
        let done = try records.flatMap { try $0.done(key) }.map { AgendaPoint(text: $0, isDone: true) }
        return SessionNotes(note: notes.isEmpty ? nil : notes.joined(separator: "\n\n"), agenda: lines + done)
    }
}

extension SessionList {
    /// Whether open items belong to a session: it is coming, or the last one held.
    func takesOpen(_ entry: Numbered, now: Instant) -> Bool {
        entry.session.isComing(at: now) || entry.session.id == last?.session.id
    }
}

extension SessionNotes {
    /// Covers everything a session's page can change: its state, note, agenda, and the open items.
    static let revision: RevisionOf = { places, author, connection in
        guard let therapy = ID<Therapy>(uuid: places["patient"]),
            let id = ID<Session>(uuid: places["session"]),
            let session = try SessionStore.find(id, in: therapy, connection)
        else { return nil }
        return try revision(of: session, in: therapy, by: author, connection)
    }

    static func revision(
        of session: Session, in therapy: ID<Therapy>, by author: ID<Account>,
        _ connection: borrowing Connection
    ) throws -> Int {
        let notes = try SessionNoteStore.revisions(session.records, by: author, connection)
        let open = try BriefingStore.revision(of: therapy, connection)
        return Revision.number(
            of: [
                .integer(Int64(session.sequence)), .text(session.mark?.rawValue ?? ""),
                .integer(Int64(open ?? 0)),
            ] + notes.map { .integer(Int64($0)) })
    }
}
