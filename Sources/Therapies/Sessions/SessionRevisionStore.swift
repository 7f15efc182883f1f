import Database
import Records
import Wire

extension SessionStore {
    /// Counts what a change means for other calendars (RFC 5545, SEQUENCE and LAST-MODIFIED): every session that they show otherwise
    /// than before, and every one that they show again, since its record was part of another.
    /// - Parameter change: everything else that is written about the therapy's sessions.
    @discardableResult
    static func counting<T>(
        in therapy: ID<Therapy>, at now: Instant, _ connection: borrowing Connection,
        _ change: (borrowing Connection) throws -> T
    ) throws -> T {
        let before = try all(of: therapy, connection)
        let shown = Dictionary(before.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let known = Set(before.flatMap(\.records))
        let result = try change(connection)
        for session in try all(of: therapy, connection) where known.contains(session.id) {
            if let earlier = shown[session.id], earlier.looks(like: session) { continue }
            try connection.run(
                """
                UPDATE therapy_sessions SET sequence = sequence + 1, revised_at = \(max(now, session.revisedAt))
                WHERE id = \(session.id)
                """)
        }
        return result
    }
}

extension Session {
    fileprivate func looks(like other: Session) -> Bool {
        startsAt == other.startsAt && endsAt == other.endsAt && mark == other.mark && records == other.records
    }
}
