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

    /// Why a participant needs a look, the most urgent first.
    enum Look: String, CaseIterable, Sendable {
        /// A required baseline is missing.
        case baseline
        /// Nothing was answered in seven days.
        case silent
        /// Less than half was answered in seven days.
        case few
    }

    private struct Reason {
        let look: Look
        let person: StudyResponse.Person

        var rank: Int { Look.allCases.firstIndex(of: look) ?? 0 }

        var codename: String { person.enrolment.codename }
        var share: Int { Share.percent(person.answered, of: person.prompted) }

        func text(_ texts: Texts) -> String {
            if look == .baseline { return texts["studies.look_baseline", ["n": String(person.day)]] }
            let words = StudyResponse.words(person.answered, of: person.prompted, texts)
            return texts[look == .silent ? "studies.look_silent" : "studies.look_few", ["answered": words]]
        }
    }

    private static func reason(_ person: StudyResponse.Person, _ now: Instant) -> Reason? {
        look(at: person, now).map { Reason(look: $0, person: person) }
    }

    /// Nil for a participant that needs none.
    static func look(at person: StudyResponse.Person, _ now: Instant) -> Look? {
        guard person.enrolment.state == .enrolled else { return nil }
        let isMissing = person.baselineSince.map { $0.adding(days: Int64(baselineDays)) <= now } ?? false
        let isEnough = person.prompted >= fewPrompts
        if isMissing { return .baseline }
        if isEnough, person.answered == 0 { return .silent }
        return isEnough && person.answered * 2 < person.prompted ? .few : nil
    }
}
