import Psychometrics
import Studies
import Web
import Wire
import Wording

/// The participants of a running study that need a look (ST-3): a baseline that is missing, nothing answered lately,
/// less than half. No participant is removed for it.
struct ParticipantsInView: Sendable {
    /// A baseline is missed three days after enrolling.
    private static let baselineDays = 3
    /// So few prompts say nothing.
    private static let fewPrompts = 4
    private static let most = 5

    /// The first ones, the most urgent first.
    let shown: [ListRow]
    /// How many others there are.
    let others: Int

    init(_ study: StudyRecord, _ response: StudyResponse, at now: Instant, _ texts: Texts) {
        let found = study.isRunning(at: now) ? response.people.compactMap { Self.reason($0, now) } : []
        let ordered = found.sorted { ($0.rank, $0.share, $0.codename) < ($1.rank, $1.share, $1.codename) }
        shown = ordered.prefix(Self.most).map { one in
            ListRow(
                title: one.codename, path: "\(study.path)/participants/\(one.codename)",
                facts: one.text(texts))
        }
        others = ordered.count - shown.count
    }

    private struct Reason {
        let rank: Int
        let person: StudyResponse.Person

        var codename: String { person.enrolment.codename }
        var share: Int { Share.percent(person.answered, of: person.prompted) }

        func text(_ texts: Texts) -> String {
            if rank == 0 { return texts["studies.look_baseline", ["n": String(person.day)]] }
            let words = StudyResponse.words(person.answered, of: person.prompted, texts)
            return texts[rank == 1 ? "studies.look_silent" : "studies.look_few", ["answered": words]]
        }
    }

    private static func reason(_ person: StudyResponse.Person, _ now: Instant) -> Reason? {
        guard person.enrolment.state == .enrolled else { return nil }
        let isMissing = person.baselineSince.map { $0.adding(days: Int64(baselineDays)) <= now } ?? false
        let isEnough = person.prompted >= fewPrompts
        if isMissing { return Reason(rank: 0, person: person) }
        if isEnough, person.answered == 0 { return Reason(rank: 1, person: person) }
        if isEnough, person.answered * 2 < person.prompted { return Reason(rank: 2, person: person) }
        return nil
    }
}
