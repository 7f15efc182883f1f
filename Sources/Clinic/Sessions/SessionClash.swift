import Database
import Records
import Therapies
import Web
import Wire
import Wording

/// Sessions of a therapist at the same time: that is said, never refused.
enum SessionClash {
    /// The most days that a sentence names.
    private static let mostNamed = 3

    /// Those of the drafts during which another session is to take place.
    /// - Parameter records: the records of the session that is moved, which is no other.
    static func among(
        _ drafts: [SessionDraft], of therapist: ID<Account>, without records: Set<ID<Session>> = [],
        at now: Instant, _ connection: borrowing Connection
    ) throws -> [SessionDraft] {
        guard let first = drafts.map(\.startsAt).min(), let last = drafts.map(\.endsAt).max() else {
            return []
        }
        let near = try SessionStore.all(
            ofTherapist: therapist, from: first.adding(days: -1), until: last.adding(days: 1), connection)
        let others = near.values.joined().filter { other in
            records.isDisjoint(with: other.records)
                && ![.missed, .cancelled].contains(other.state(at: now))
        }
        return drafts.filter { draft in
            others.contains { $0.startsAt < draft.endsAt && $0.endsAt > draft.startsAt }
        }
    }

    /// What was done, and during which of it another session is to take place.
    static func told(_ done: Message, _ clashes: [SessionDraft], _ c: Context<some Sendable>) -> Message {
        if clashes.isEmpty { return done }
        let named = clashes.prefix(mostNamed).map { c.dates.dayAndTime($0.startsAt) }
        let rest = clashes.count - named.count
        let more = rest > 0 ? c.texts.count("sessions.and_more", rest) : ""
        let days = named.joined(separator: "; ") + more
        return Message("sessions.done_clash", ["done": c.texts[done], "days": days])
    }
}
