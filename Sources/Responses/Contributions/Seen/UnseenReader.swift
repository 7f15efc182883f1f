import Database
import Identity
import Records
import Therapies
import Web
import Wire

/// The answers that have to be seen, of everybody for whom a reader is to look: their own patients, and those shared with
/// them but for supervision, for as long as they are (PR-11, PR-20, PR-21).
package enum UnseenReader {
    /// The newest first.
    /// - Parameter shared: what is shared with the reader now.
    package static func all(
        _ shared: [SharedTherapy], _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> [UnseenAnswer] {
        let own = try ContributionStore.unseen(ofTherapist: c.proof.account.id, connection)
        let watched = shared.filter(\.standing.isWatching)
        let theirs = try watched.flatMap {
            try ContributionStore.unseen(inTherapy: $0.therapy.id, connection)
        }
        let records =
            theirs.isEmpty ? own : (own + theirs).sorted { ($1.receivedAt, $0.id) < ($0.receivedAt, $1.id) }
        let readOnly = Set(watched.filter { !$0.standing.mayAct }.map(\.therapy.id))
        return try UnseenAnswer.all(records, c, connection) { !readOnly.contains($0) }
    }

    /// How many sheets wait, for the navigation.
    package static func waiting(
        for reader: ID<Account>, now: Instant, _ connection: borrowing Connection
    ) throws -> Int {
        let shared = try SharingStore.all(with: reader, now: now, connection).filter(\.standing.isWatching)
        return try ContributionStore.unseenCount(ofTherapist: reader, connection)
            + shared.reduce(0) {
                try $0 + ContributionStore.unseenCount(inTherapy: $1.therapy.id, connection)
            }
    }
}
