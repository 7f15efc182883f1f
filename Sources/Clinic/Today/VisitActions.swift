import Therapies
import Web
import Wording

/// What can be done from a session's row on Today: one action in sight, all others in its menu. A session that has begun
/// is marked as missed by one button; any other opens its briefing, also the next one while it runs.
struct VisitActions {
    private let session: Session
    private let therapy: Therapy
    private let texts: Texts
    private let canMiss: Bool
    private let isNext: Bool

    /// - Parameter canMiss: whether it has begun, and is not marked as missed or cancelled.
    init(_ session: Session, of therapy: Therapy, canMiss: Bool, isNext: Bool, _ texts: Texts) {
        self.session = session
        self.therapy = therapy
        self.canMiss = canMiss
        self.isNext = isNext
        self.texts = texts
    }

    private var miss: FormAct {
        FormAct(
            label: texts["today.ask_missed"], path: "\(therapy.path)/sessions/\(session.id)/state",
            name: "state", value: "missed", back: "/")
    }

    /// The action in sight, unless that is the briefing.
    var missing: FormAct? { canMiss && !isNext ? miss : nil }

    func menu(notes: [String]) -> Menu {
        var entries = [PageLink(label: texts["assignments.assign"], path: "\(therapy.path)/assignments/new")]
        if missing != nil {
            entries.insert(
                PageLink(label: texts["briefing.link"], path: "\(therapy.path)/briefing"), at: 0)
        }
        return Menu(
            id: "menu-\(session.id)", label: "\(texts["patients.more_actions"]): \(therapy.codename)",
            notes: notes, entries: entries, acts: canMiss && isNext ? [miss] : [])
    }
}
