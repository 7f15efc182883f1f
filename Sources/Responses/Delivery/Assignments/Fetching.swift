import Records
import Web
import Wire

/// Notes that a device has been told of assignments, once for each; reading them again writes nothing.
package enum Fetching {
    package static func note<P>(_ ids: [ID<Assignment>], _ c: Context<P>) throws {
        let fresh = try c.read { try AssignmentStore.unfetched(among: ids, $0) }
        guard !fresh.isEmpty else { return }
        do {
            try c.writeUnaudited(.lastUse) { [now = c.now] connection in
                try AssignmentStore.noteFetched(fresh, at: now, connection)
            }
        } catch {
            // A full disk must not keep anybody from reading.
            c.services.log.line("warning", "delivery not noted", at: c.now)
        }
    }
}
