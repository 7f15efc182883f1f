import Pairing
import Therapies
import Wire

/// What a therapist sees of how far a patient is.
enum PatientState: String, Sendable, CaseIterable {
    case codeOpen = "code_open"
    case codeExpired = "code_expired"
    case paired
    case ended

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
