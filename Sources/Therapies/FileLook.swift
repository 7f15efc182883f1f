import Identity
import Records
import Web
import Wire

/// Until when a therapist has looked at whose file: what came in after that is new to them (PR-9).
package enum FileLook {
    /// Told by the pages that show what came in. Writes only where something did since the last look: reading pages should
    /// not write.
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
            // A full disk must not keep anybody from reading.
            c.services.log.line("warning", "look not noted", at: c.now)
        }
    }
}
