import Database
import Records
import Wire

extension SessionStore {
    /// The sessions of some therapies, by therapy; of each the earliest first.
    package static func all(
        of therapies: [ID<Therapy>], _ connection: borrowing Connection
    ) throws -> [ID<Therapy>: [Session]] {
        if therapies.isEmpty { return [:] }
        let rows = try connection.all(
            "SELECT * FROM therapy_sessions WHERE therapy_id IN \(list: therapies)"
        ) { row in (therapy: try row["therapy_id"] as ID<Therapy>, session: try Session(row: row)) }
        return Dictionary(grouping: rows, by: \.therapy).mapValues { Session.merged($0.map(\.session)) }
    }

    /// How far back most last sessions are.
    private static let usualDays: Int64 = 70

    /// The last session held of each of a therapist's therapies that are asked for. Two statements: most are found in
    /// the last weeks, and only the others are read from the begin.
    package static func lastHeld(
        of therapies: [Therapy], ofTherapist therapist: ID<Account>, at now: Instant,
        _ connection: borrowing Connection
    ) throws -> [ID<Therapy>: Session] {
        let recent = try all(
            ofTherapist: therapist, from: now.adding(days: -usualDays), until: now, connection)
        let held = { (sessions: [Session]?) in sessions?.last { $0.state(at: now) == .held } }
        var last: [ID<Therapy>: Session] = [:]
        for therapy in therapies { last[therapy.id] = held(recent[therapy.id]) }
        let earlier = try all(of: therapies.map(\.id).filter { last[$0] == nil }, connection)
        for (therapy, sessions) in earlier { last[therapy] = held(sessions) }
        return last
    }
}
