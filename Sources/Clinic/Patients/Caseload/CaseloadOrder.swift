import Delivery
import Questionnaires
import Wire

/// The columns that the list of patients is sorted by (PR-34).
enum CaseloadOrder: String, CaseIterable, Sendable {
    case codename, next, lead, change, rate, activity, unseen

    /// Whether the most urgent comes first when the largest comes first.
    var isDescending: Bool {
        switch self {
        case .lead, .change, .unseen: true
        case .codename, .next, .rate, .activity: false
        }
    }

    /// The most urgent first, or reversed. Patients without a value come behind those with one, and ended therapies
    /// last, in both directions.
    func sorted(_ entries: [CaseloadEntry], isReversed: Bool) -> [CaseloadEntry] {
        let keyed = entries.map { (entry: $0, key: key($0)) }
        return keyed.sorted { first, second in
            if first.entry.isRunning != second.entry.isRunning { return first.entry.isRunning }
            switch (first.key, second.key) {
            case (let one?, let other?) where one != other: return (one < other) != isReversed
            case (_?, nil): return true
            case (nil, _?): return false
            default: break
            }
            if self == .codename, isReversed { return first.entry.codename > second.entry.codename }
            return first.entry.codename < second.entry.codename
        }.map(\.entry)
    }

    /// A number that is small for what comes first; nil without a value, and for the name, which is no number.
    private func key(_ entry: CaseloadEntry) -> Double? {
        switch self {
        case .codename: nil
        case .next: entry.next.map { Double($0.seconds) }
        case .lead: entry.lead?.burden.map { -$0 }
        case .change: change(entry.lead)
        case .rate: entry.asked.asked == 0 ? nil : Double(entry.asked.answered) / Double(entry.asked.asked)
        case .activity: entry.lastSign.map { Double($0.seconds) }
        case .unseen: entry.unseen == 0 ? nil : -Double(entry.unseen)
        }
    }

    /// Reliable changes for the worse first and for the better last; within each, and without a verdict, by the share
    /// of the range.
    private func change(_ lead: CaseloadEntry.Lead?) -> Double? {
        guard let lead, let share = lead.worsening else { return nil }
        switch lead.verdict {
        case .deteriorated: return -2 - share
        case .unchanged, nil: return -share
        case .improved, .recovered: return 2 - share
        }
    }
}

/// The choices of patients that the list offers (PR-34).
enum CaseloadFilter: Sendable, Equatable {
    case all, worse, silent, unseen, withoutAppointment
    case state(PatientState)

    /// Offered at all times, also while they are empty.
    static let always: [CaseloadFilter] = [.all, .worse, .silent, .unseen, .withoutAppointment]

    init?(name: String) {
        if let known = Self.always.first(where: { $0.name == name }) {
            self = known
        } else if let state = PatientState(rawValue: name) {
            self = .state(state)
        } else {
            return nil
        }
    }

    var name: String {
        switch self {
        case .all: "all"
        case .worse: "worse"
        case .silent: "silent"
        case .unseen: "unseen"
        case .withoutAppointment: "without_appointment"
        case .state(let state): state.rawValue
        }
    }

    func fits(_ entry: CaseloadEntry) -> Bool {
        switch self {
        case .all: true
        case .worse: entry.isWorse
        case .silent: entry.isSilent
        case .unseen: entry.unseen > 0
        case .withoutAppointment: entry.isWithoutAppointment
        case .state(let state): entry.state == state
        }
    }
}
