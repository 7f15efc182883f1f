import Database
import Pairing
import Therapies
import Wire

/// What a therapist sees of how far a patient is.
enum PatientState: String, Sendable, CaseIterable {
    case codeOpen = "code_open"
    case codeExpired = "code_expired"
    case paired
    case ended

    /// Reads the code of a patient who needs one.
    init(of therapy: Therapy, now: Instant, _ connection: borrowing Connection) throws {
        let isWaiting = therapy.accountID == nil && therapy.endedAt == nil
        self.init(therapy, isWaiting ? try PairingStore.current(of: therapy.id, connection) : nil, now: now)
    }

    init(_ therapy: Therapy, _ code: PairingCodeRecord?, now: Instant) {
        if therapy.endedAt != nil {
            self = .ended
        } else if therapy.accountID != nil {
            self = .paired
        } else {
            self = code?.isLive(at: now) == true ? .codeOpen : .codeExpired
        }
    }
}
