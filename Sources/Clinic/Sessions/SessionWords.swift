import Database
import Records
import Therapies
import Web
import Wire

/// What a therapist wants to take up, or has taken up, in a session: a line of it.
struct AgendaItem: Codable, Sendable, Equatable {
    let text: String
    let isDone: Bool

    enum CodingKeys: String, CodingKey {
        case text
        case isDone = "done"
    }
}

/// Note and agenda of a session as its author sees them. What a therapist noted and what the patient entered may be one
/// session of two records (PR-2): the words of both stand together.
struct SessionWords: Sendable {
    var note: String?
    /// What is open first, then what was ticked off in it.
    var agenda: [AgendaItem]

    static let none = SessionWords(note: nil, agenda: [])

    var done: [String] { agenda.filter(\.isDone).map(\.text) }
    var open: [String] { agenda.filter { !$0.isDone }.map(\.text) }
    var isEmpty: Bool { note == nil && agenda.isEmpty }

    /// - Parameter withOpen: whether what is open belongs to it: to those that are to come, and the last one that was held.
    static func read(
        _ session: Session, of therapy: Therapy, by author: ID<Account>, _ key: PersonKey, withOpen: Bool,
        _ connection: borrowing Connection
    ) throws -> SessionWords {
        let records = try SessionNoteStore.all(session.records, by: author, connection)
        let notes = try records.compactMap { try $0.note(key) }
        let open =
            withOpen
            ? try BriefingStore.find(therapy.id, connection)?.words(key, therapy: therapy.id) ?? "" : ""
        let lines = open.split(whereSeparator: \.isNewline).map {
            AgendaItem(text: String($0), isDone: false)
        }
        let done = try records.flatMap { try $0.done(key) }.map { AgendaItem(text: $0, isDone: true) }
        return SessionWords(note: notes.isEmpty ? nil : notes.joined(separator: "\n\n"), agenda: lines + done)
    }
}

extension SessionList {
    /// Whether open questions belong to a session: it is still to come, or the last that was held.
    func takesOpen(_ entry: Numbered, now: Instant) -> Bool {
        entry.session.isComing(at: now) || entry.session.id == last?.session.id
    }
}

extension SessionWords {
    /// Changes with whatever a session's page lets change: its state, note, agenda, and the questions that are open.
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
