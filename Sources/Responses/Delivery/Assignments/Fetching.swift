import Database
import Records
import Web
import Wire

/// Notes that a device has been told of assignments, once for each; reading them again writes nothing.
package enum Fetching {
    package static func note<P>(_ ids: [ID<Assignment>], _ c: Context<P>) throws {
        let fresh = try c.read { try AssignmentStore.unfetched(among: ids, $0) }
        guard !fresh.isEmpty else { return }
        keep(c) { [now = c.now] connection in try AssignmentStore.noteFetched(fresh, at: now, connection) }
    }

    /// Notes that somebody began to fill in in a browser, once; apps tell it themselves. Showing a form is no opening: pages
    /// are fetched ahead.
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
            // A full disk must not keep anybody from reading.
            c.services.log.line("warning", "delivery not noted", at: c.now)
        }
    }
}
