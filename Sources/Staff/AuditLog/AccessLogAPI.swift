import Accounts
import Database
import HTTP
import Identity
import Records
import Therapies
import Web
import Wire

/// A patient's access log: who has opened their data.
enum AccessLogAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .get, "/my/access-log", .patient, .many("Who has looked at the own data", FileAccess.self), index)
    }

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        try .data(try list(c))
    }

    /// The part of the list that a request names.
    static func list(_ c: Context<Member>) throws -> Many<FileAccess> {
        let paging = try Paging(c.request)
        let account = c.proof.account.id
        return try c.read { connection in
            let all = AuditVisits(try visits(of: account, connection)).list
            let (part, next) = paging.part(of: all) {
                Position(number: Int64($0.newest.id), String($0.newest.id))
            }
            var names: [ID<Account>: String] = [:]
            for actor in Set(part.compactMap(\.newest.actor)) {
                names[actor] = try TherapistStore.card(of: actor, c.keys, connection)?.fullName
            }
            let items = part.map { visit in
                let line = visit.newest
                // Details of a hand-over are in its notice; the log shows parts of the file, not whole assignments.
                let isWhole = line.action == "therapy.handed_over" || line.action.hasPrefix("assignment.")
                let areas = isWhole ? [] : visit.areas
                return Item(
                    id: DerivedID.of("audit", String(line.id)),
                    FileAccess(
                        at: visit.since, until: line.at, by: line.actor.flatMap { names[$0] },
                        action: line.action, areas: areas))
            }
            return Many(items, total: all.count, next: next)
        }
    }

    /// An undone pairing counts: visits in that time concerned this account's data.
    private static func visits(
        of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> [AuditLine] {
        let therapies = try TherapyStore.all(of: account, connection).map(\.id)
        let own = try AuditLogStore.visits(of: [account] + therapies, but: account, connection)
        let undone = try AuditLogStore.pairings(of: account, connection).filter {
            !therapies.contains($0.therapy)
        }
        let earlier = try undone.flatMap { pairing in
            try AuditLogStore.visits(of: [pairing.therapy], but: account, connection).filter {
                $0.id > pairing.from && $0.id < pairing.until
            }
        }
        return (own + earlier).sorted { $0.id > $1.id }
    }
}
