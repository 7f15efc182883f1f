import Database
import Records
import Wire

/// As whom somebody opens a patient's file.
package enum FileStanding: String, Sendable, SQLConvertible {
    case owner
    /// Stands in for the therapist for a while.
    case coverRead = "cover_read"
    case coverAct = "cover_act"
    case secondTherapist = "second_therapist"
    case supervisor

    /// Whether they do what the therapist does, but with what is the therapist's own.
    package var mayAct: Bool { self != .supervisor && self != .coverRead }
    package var isOwner: Bool { self == .owner }
    package var isCover: Bool { self == .coverRead || self == .coverAct }

    /// What the wire calls it.
    package var access: String { isOwner ? "own" : mayAct ? "act" : "read" }

    /// The one that lets do more comes first.
    fileprivate var rank: Int {
        switch self {
        case .owner: 0
        case .secondTherapist: 1
        case .coverAct: 2
        case .supervisor: 3
        case .coverRead: 4
        }
    }
}

/// A therapy that somebody else shares with a reader.
package struct SharedTherapy: Sendable {
    package let therapy: Therapy
    package let standing: FileStanding
    /// Whether the first therapist shares alias, note and agenda.
    package let sharesWords: Bool
    /// Until when; nil for members.
    package let until: Instant?

    /// Of several grounds the one that lets do most; words are shared where any of them shares them.
    static func merged(_ all: [SharedTherapy]) -> [SharedTherapy] {
        var best: [ID<Therapy>: SharedTherapy] = [:]
        for shared in all {
            guard let other = best[shared.therapy.id] else {
                best[shared.therapy.id] = shared
                continue
            }
            let first = shared.standing.rank < other.standing.rank ? shared : other
            best[shared.therapy.id] = SharedTherapy(
                therapy: first.therapy, standing: first.standing,
                sharesWords: shared.sharesWords || other.sharesWords, until: first.until)
        }
        return best.values.sorted { $0.therapy.codename < $1.therapy.codename }
    }
}
