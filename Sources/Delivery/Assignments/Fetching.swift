import Database
import Records
import Web
import Wire

/// Notes once that a device has fetched an assignment; reading it again writes nothing.
package enum Fetching {
    package static func note<P>(_ ids: [ID<Assignment>], _ c: Context<P>) throws {
        let fresh = try c.read { try AssignmentStore.unfetched(among: ids, $0) }
        guard !fresh.isEmpty else { return }
        keep(c) { [now = c.now] connection in try AssignmentStore.noteFetched(fresh, at: now, connection) }
    }

    /// Notes once that a patient began to fill it in, in a browser; apps report it themselves. Showing a form does
    /// not count: pages are fetched ahead.
    package static func noteOpened<P>(_ id: ID<Assignment>, of account: ID<Account>, _ c: Context<P>) throws {
        let record = try c.read { try AssignmentStore.find(id, of: account, $0) }
        guard let record, record.ledger.openedAt == nil else { return }
        keep(c) { [now = c.now] connection in
            try LedgerStore.report(id, notified: nil, opened: now, at: now, connection)
        }
    }

    private static func keep<P>(
        _ c: Context<P>, _ write: @escaping @Sendable (borrowing Connection) throws -> Void
    ) {
        do {
            try c.writeUnaudited(.lastUse, write)
        } catch {
            // A full disk must not prevent reading.
            c.services.log.line("warning", "delivery not noted", at: c.now)
        }
    }
}
