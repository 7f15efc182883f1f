import Database
import Scheduling
import Studies
import Wire

/// A participant's answering: the prompts of each local day, and how many were answered. Answered of delivered: a
/// prompt counts once its moment has passed, or once it is answered.
package struct Compliance: Sendable {
    struct Day: Sendable, Equatable {
        var prompted = 0
        var answered = 0
        /// Sheets filled in at will, beyond the prompts.
        var extra = 0
    }

    private(set) var days: [LocalDate: Day] = [:]

    package var prompted: Int { days.values.reduce(0) { $0 + $1.prompted } }
    package var answered: Int { days.values.reduce(0) { $0 + $1.answered } }

    init(_ prompts: ParticipantPrompts, sheets: [StudyContributionStore.Completion], now: Instant) {
        let byKey = Dictionary(grouping: sheets, by: \.key)
        for item in prompts.all.items {
            let own = byKey[item.key] ?? []
            let answered = Set(own.compactMap(\.prompt))
            for prompt in prompts.prompts(of: item, until: now) where !answered.contains(prompt.at) {
                days[prompt.day, default: Day()].prompted += 1
            }
            for sheet in own {
                let date = prompts.zones.day(of: sheet.prompt ?? sheet.at)
                days[date, default: Day()].extra += sheet.prompt == nil ? 1 : 0
                days[date, default: Day()].prompted += sheet.prompt == nil ? 0 : 1
                days[date, default: Day()].answered += sheet.prompt == nil ? 0 : 1
            }
        }
    }
}

/// Works out how participants of one study answer; what all have in common is read once.
package struct ComplianceReader {
    private let prompts: StudyPrompts
    private let now: Instant

    package init(_ study: StudyRecord, _ now: Instant, _ connection: borrowing Connection) throws {
        prompts = try StudyPrompts(study, connection)
        self.now = now
    }

    func compliance(of enrolment: EnrolmentRecord, _ connection: borrowing Connection) throws -> Compliance {
        let sheets = try StudyContributionStore.completions(as: enrolment.id, connection)
        return Compliance(try prompts.of(enrolment, connection), sheets: sheets, now: now)
    }
}
