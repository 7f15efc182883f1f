import Database
import Instruments
import Records
import Scheduling
import Wire

/// What decides the prompts of all participants of a study, and their sheets since a moment, read at once.
package struct StudyWide: Sendable {
    package struct Person: Sendable {
        package let prompts: ParticipantPrompts
        package let times: UnseenTimes
        /// The earliest first; of what has one prompt on the days of a time point also those that answer it by earlier days.
        package let sheets: [StudyContributionStore.Completion]
    }

    /// In the order of the enrolments.
    package let people: [Person]

    /// - Parameter since: only prompts from then on are looked for, and only their sheets are read.
    package init(
        _ prompts: StudyPrompts, _ enrolments: [EnrolmentRecord], since: Instant,
        _ connection: borrowing Connection
    ) throws {
        let study = prompts.study.id
        var versions: [ID<QuestionnaireVersion>: String] = [:]
        for item in prompts.items {
            for version in try QuestionnaireStore.versions(item.key, connection) {
                versions[version.id] = item.key
            }
        }
        // Only these decide about later prompts.
        let deciding = Set(prompts.items.filter { $0.isOnetime || $0.baseline == .required }.map(\.key))
        let firsts = try StudyWideStore.firsts(
            prompts, of: versions.filter { deciding.contains($0.value) }, connection)
        // A clock may be behind, and its sheet lies before its prompt.
        let sheets = try StudyWideStore.completions(
            prompts, of: versions, since: since.adding(seconds: -2 * PromptMatch.slack), connection)
        let zones = try StudyWideStore.zones(in: study, connection)
        let plans = try StudyWideStore.plans(in: study, connection)
        let anchors = prompts.hasEntered ? try AnchorStore.all(in: study, connection) : [:]
        let sessions = prompts.hasSessions ? try AnchorStore.sessions(in: study, connection) : [:]
        let answered = try StudyWideStore.answeredSessions(prompts, connection)
        let unseen = try StudyWideStore.unseen(in: study, connection)
        let windows = Set(prompts.items.filter(\.isOneWindow).map(\.id))
        people = enrolments.map { enrolment in
            Person(
                prompts: prompts.of(
                    enrolment, zones: zones[enrolment.id] ?? [], own: plans[enrolment.id] ?? [:],
                    anchors: anchors[enrolment.id] ?? [:],
                    sessions: ParticipantSessions(
                        dates: sessions[enrolment.id] ?? [:], answered: answered[enrolment.id] ?? [:]),
                    firsts: firsts[enrolment.id] ?? [:]),
                times: UnseenTimes(unseen[enrolment.accountID] ?? []),
                sheets: (sheets[enrolment.id] ?? []).filter {
                    windows.contains($0.item) || $0.prompt.map { $0 >= since } ?? true
                })
        }
    }
}
