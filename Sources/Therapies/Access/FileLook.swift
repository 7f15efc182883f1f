import Identity
import Records
import Web

/// A therapist's last visit of a file: answers after it are new to them (PR-9).
package enum FileLook {
    /// Called by pages that show answers. Writes only if something came in since the last visit.
    package static func note(_ c: Context<Caseload>) throws {
        let therapy = c.proof.patient
        let person = c.proof.therapist.id
        let last = try c.read { try FileLookStore.find(therapy.id, of: person, $0) }
        if let last, therapy.lastActivityAt.map({ $0 < last }) ?? true { return }
        do {
            try c.writeUnaudited(.lastUse) { [now = c.now] connection in
                try FileLookStore.save(therapy.id, of: person, at: now, connection)
            }
        } catch {
            // A full disk must not prevent reading.
            c.services.log.line("warning", "look not noted", at: c.now)
        }
    }
}
