import Database
import Wire

/// How a participant answers: prompts of each local day, and how many of them were answered. Answered of delivered: a
/// prompt counts once its moment has passed.
struct Compliance: Sendable {
    struct Day: Sendable, Equatable {
        var prompted = 0
        var answered = 0
        /// Filled in at will, beyond what was asked.
        var extra = 0
    }

    private(set) var days: [LocalDate: Day] = [:]

    var prompted: Int { days.values.reduce(0) { $0 + $1.prompted } }
    var answered: Int { days.values.reduce(0) { $0 + $1.answered } }

    /// - Parameter sheets: when which questionnaire was completed.
    init(
        _ prompts: StudyPrompts.OfOne, sheets: [(key: String, at: Instant)], now: Instant
    ) {
        let (byKey, enrolment) = (Dictionary(grouping: sheets, by: \.key), prompts.enrolment)
        for item in prompts.all.items {
            let times = (byKey[item.key] ?? []).map(\.at)
            let asked = prompts.prompts(of: item, answered: times.first, until: now)
            for occasion in AskedSheet.paired(asked, times, enrolment.zone) {
                guard let at = occasion.prompt ?? occasion.sheet.map({ times[$0] }) else { continue }
                let date = LocalTime(at, enrolment.zone).date
                if occasion.prompt != nil { days[date, default: Day()].prompted += 1 }
                if occasion.prompt != nil, occasion.sheet != nil { days[date, default: Day()].answered += 1 }
                if occasion.prompt == nil { days[date, default: Day()].extra += 1 }
            }
        }
    }
}

/// Works out how participants of one study answer; what all have in common is read once.
struct ComplianceReader {
    private let prompts: StudyPrompts
    private let now: Instant

    init(_ study: StudyRecord, _ now: Instant, _ connection: borrowing Connection) throws {
        prompts = try StudyPrompts(study, connection)
        self.now = now
    }

    func compliance(of enrolment: EnrolmentRecord, _ connection: borrowing Connection) throws -> Compliance {
        let sheets = try StudySheetStore.completed(as: enrolment.id, connection)
        return Compliance(try prompts.of(enrolment, connection), sheets: sheets, now: now)
    }
}
