import Studies
import Therapies

/// What a masked file says instead of the arms (ST-5), and what it leaves out because it would tell them.
struct ExportMasking: Sendable {
    private let labels: MaskedLabels?
    /// What is asked whatever the arm.
    let shown: [StudyItem]
    /// Whether it may be told by which way a sheet came, and what was prompted: not where arms differ in that.
    let tellsWay: Bool

    init(_ stored: GroupStore.Stored?, _ items: [StudyItem]) {
        labels = stored?.labels
        shown = items.filter(\.arms.isEmpty)
        let arms = stored?.groups.arms ?? []
        let differsByApp = Set(arms.map { $0.treatment == .noApp }).count > 1
        // Until such a baseline is answered its arm is not prompted for anything else.
        let isHeldUp = items.contains { !$0.arms.isEmpty && $0.baseline == .required }
        tellsWay = !differsByApp && !isHeldUp
    }

    func shows(_ item: StudyItem) -> Bool { item.arms.isEmpty }

    /// Of what was noted with buttons.
    func shown(_ events: [StudyEventRecord]) -> [StudyEventRecord] {
        guard tellsWay else { return [] }
        let ids = Set(shown.map(\.id))
        return events.filter { ids.contains($0.itemID) }
    }

    /// A participant with the label of their arm; with none where it has no label.
    func masked(_ enrolment: EnrolmentRecord) -> EnrolmentRecord {
        enrolment.masked(as: enrolment.arm.flatMap { labels?[$0] })
    }
}
