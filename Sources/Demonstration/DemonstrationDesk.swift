import Clinic
import Database
import Foundation
import Records
import Scheduling
import Therapies
import Wire

/// The therapist's notes of the last sessions, open agenda, and visits of the file.
extension DemonstrationLife {
    func desk(_ therapy: NewTherapy, _ connection: borrowing Connection) throws {
        guard let stored = try TherapyStore.find(therapy.id, of: therapist, connection) else { return }
        let held = try SessionStore.list(of: stored, zone, now: now, connection).held
        for (words, entry) in zip(patient.words.reversed(), held.reversed()) {
            let session = entry.session
            let done = String(decoding: try JSONEncoder().encode(words.done), as: UTF8.self)
            try SessionNoteStore.save(
                note: therapy.key.seal(words.note, for: SessionNoteRecord.note(session.id)),
                agenda: therapy.key.seal(done, for: SessionNoteRecord.agenda(session.id)), of: session,
                by: therapist, at: min(now, session.endsAt.adding(seconds: 420)), connection)
        }
        if let agenda = patient.agenda {
            try BriefingStore.save(
                therapy.key.seal(agenda, for: BriefingStore.place(therapy.id)), of: therapy.id,
                at: held.last?.session.endsAt ?? now, connection)
        }
        // Before the answers of last evening came in, or after all of them.
        let evening = zone.instant(today.adding(days: -1), hour: 17, minute: 6)
        try FileLookStore.save(
            therapy.id, of: therapist, at: patient.isRead ? now : evening, connection)
    }
}
