import Database
import Identity
import Therapies
import Web
import Wire
import Wording

/// What a therapist kept of the session before.
struct LastSession: Encodable, Sendable {
    let when: String
    let path: String
    let note: String?
    let done: [String]
    let hasDone: Bool
}

extension LastSession {
    /// Nil when nothing was kept of it.
    init?(
        before entry: SessionList.Numbered?, _ sessions: SessionList, _ c: Context<Caseload>,
        _ connection: borrowing Connection
    ) throws {
        let end = entry?.session.startsAt ?? .distantFuture
        guard let held = sessions.held.last(where: { $0.session.startsAt < end }) else { return nil }
        let therapy = c.proof.patient
        let words = try SessionNotes.read(
            held.session, of: therapy, by: c.proof.therapist.id, try therapy.key(c.keys), withOpen: false,
            connection)
        if words.isEmpty { return nil }
        self.init(
            when: c.dates.longDay(held.session.startsAt),
            path: "\(therapy.path)/sessions/\(held.session.id)", note: words.note, done: words.done,
            hasDone: !words.done.isEmpty)
    }
}
