import Database
import Scheduling
import Studies
import Wire
import Wording

/// A participant's answering: the prompts of each local day, and how many were answered. Answered of delivered: a
/// prompt counts once it is answered or has ended, as in the file (RP-103); one that could not be seen, only when answered.
package struct Compliance: Sendable {
    struct Day: Sendable, Equatable {
        var prompted = 0
        var answered = 0
        /// Prompts that could not be seen: neither asked nor missed.
        var unseen = 0
        /// Sheets filled in at will, beyond the prompts.
        var extra = 0
    }

    private(set) var days: [LocalDate: Day] = [:]

    package var prompted: Int { days.values.reduce(0) { $0 + $1.prompted } }
    package var unseen: Int { days.values.reduce(0) { $0 + $1.unseen } }
    /// Those in a pause; nil without the consent to research (IO-20).
    package var paused: Int? { isToldPaused ? unseen : nil }
    private let isToldPaused: Bool
    package var answered: Int { days.values.reduce(0) { $0 + $1.answered } }

    init(
        _ prompts: ParticipantPrompts, _ times: UnseenTimes, sheets: [StudyContributionStore.Completion],
        now: Instant
    ) {
        isToldPaused = times.isToldPaused
        let byItem = Dictionary(grouping: sheets, by: \.item)
        for item in prompts.all.items {
            let own = byItem[item.id] ?? []
            let come = prompts.prompts(of: item, until: now)
            let nights = Dictionary(come.filter(\.isOfNight).map { ($0.at, $0.day) }) { first, _ in first }
            let ended = prompts.ended(come, of: item, at: now)
            for prompt in prompts.unanswered(ended, of: item, own.compactMap(\.prompt)) {
                let isMissed = times.state(of: prompt) == .missed
                days[prompt.day, default: Day()].prompted += isMissed ? 1 : 0
                days[prompt.day, default: Day()].unseen += isMissed ? 0 : 1
            }
            for sheet in own {
                let date =
                    sheet.prompt.flatMap { nights[$0] } ?? prompts.zones.day(of: sheet.prompt ?? sheet.at)
                days[date, default: Day()].extra += sheet.prompt == nil ? 1 : 0
                days[date, default: Day()].prompted += sheet.prompt == nil ? 0 : 1
                days[date, default: Day()].answered += sheet.prompt == nil ? 0 : 1
            }
        }
    }
}

extension Compliance {
    /// The same in two numbers, without the days: for all participants of a study at once.
    /// - Parameters:
    ///   - person: with the sheets that answer prompts since then.
    ///   - since: prompts before it do not count.
    static func counts(
        _ person: StudyWide.Person, since: Instant, now: Instant
    ) -> (prompted: Int, answered: Int) {
        let prompts = person.prompts
        let byItem = Dictionary(grouping: person.sheets, by: \.item)
        return prompts.all.items.reduce(into: (prompted: 0, answered: 0)) { sum, item in
            let given = (byItem[item.id] ?? []).compactMap(\.prompt)
            let answered = given.filter { $0 >= since }
            let come = prompts.prompts(of: item, since: since, until: now)
            let ended = prompts.unanswered(prompts.ended(come, of: item, at: now), of: item, given)
            let missed = ended.count { person.times.state(of: $0) == .missed }
            sum.prompted += answered.count + missed
            sum.answered += answered.count
        }
    }

    /// All days in words.
    func words(_ texts: Texts) -> String {
        let counted = texts.count("timeline.n_of", answered, of: prompted)
        return unseen > 0 ? "\(counted), \(note(unseen, texts))" : counted
    }

    /// Prompts that could not be seen, in words.
    func note(_ unseen: Int, _ texts: Texts) -> String {
        isToldPaused ? texts.count("studies.paused", unseen) : texts.count("studies.unseen", unseen)
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
        let sheets = try StudyContributionStore.completions(as: enrolment.id, prompts, connection)
        return Compliance(
            try prompts.of(enrolment, connection), try UnseenTimes(of: enrolment.accountID, connection),
            sheets: sheets, now: now)
    }
}

extension ParticipantPrompts {
    /// Those that cannot be answered any more.
    fileprivate func ended(_ come: [Prompt], of item: StudyItem, at now: Instant) -> [Prompt] {
        let open = open(among: come, of: item, at: now)
        return come.filter { !open.contains($0.at) }
    }
}
