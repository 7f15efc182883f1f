import Database
import Instruments
import Questionnaires
import Records
import Scheduling
import Studies
import Web
import Wire
import Wording

/// What became of a participant's latest prompts, and when (ST-3): told, begun, answered. Pushed or shown is not seen.
package enum PromptList {
    package struct Row: Encodable, Sendable {
        package let title: String
        package let prompted: String
        /// `zugestellt 09:01 · angezeigt 09:02`; a dash where nothing is known.
        package let told: String
        package let started: String
        /// With how long it took from the prompt on.
        package let completed: String
        package let state: String
        /// `good` for an answered one, `warn` for a missed one; nil for all others.
        package let tone: String?
    }

    private static let most = 30
    private static let days: Int64 = 28

    private struct Asked {
        let item: StudyItem
        let prompt: Prompt
        let isOpen: Bool
    }

    /// - Returns: the latest first.
    static func rows(
        of enrolment: EnrolmentRecord, _ c: Context<StudyLead>, _ connection: borrowing Connection
    ) throws -> [Row] {
        let prompts = try StudyPrompts(c.proof.study, connection).of(enrolment, connection)
        let since = min(c.now, enrolment.leftAt ?? c.now).adding(days: -days)
        let planned = latest(
            prompts.all.items.flatMap { item -> [Asked] in
                let come = prompts.prompts(of: item, since: item.isAskedInWindow ? nil : since, until: c.now)
                let open = prompts.open(among: come, of: item, at: c.now)
                return come.map { Asked(item: item, prompt: $0, isOpen: open.contains($0.at)) }
            })
        let windows = prompts.all.items.filter(\.isOneWindow)
        let ids =
            planned.map { PromptMatch.id($0.prompt, of: $0.item, as: enrolment) }
            + windows.map { StudyAssignment.once($0.id, enrolment.id) }
        if ids.isEmpty { return [] }
        let answers = try StudyContributionStore.answers(to: ids, of: enrolment, connection)
        // What was answered stands at the moment it had then, wherever its days were moved since.
        let answered = windows.compactMap { item in
            answers[StudyAssignment.once(item.id, enrolment.id)].map {
                Asked(
                    item: item,
                    prompt: Prompt(openFrom: $0.promptedAt, until: $0.promptedAt, prompts.zones),
                    isOpen: false)
            }
        }
        let kept = Set(answered.map(\.item.id))
        let asked = latest(planned.filter { !kept.contains($0.item.id) } + answered)
        let told = try StudyReminderStore.all(of: enrolment.id, connection)
        let unseen = try UnseenTimes(of: enrolment.accountID, connection)
        let titles = try Dictionary(
            uniqueKeysWithValues: Set(asked.map(\.item.key)).map { key in
                let record = try QuestionnaireStore.newest(key, c.services.questionnaires, connection)
                return (key, record?.title(c.language) ?? key)
            })
        return asked.map { asked in
            let id = PromptMatch.id(asked.prompt, of: asked.item, as: enrolment)
            let answer = answers[id]
            let state =
                answer != nil
                ? "answered" : asked.isOpen ? "open" : unseen.state(of: asked.prompt).rawValue
            return Row(
                title: title(of: asked.item, titles, c),
                prompted: c.dates.dayAndTime(asked.prompt.at),
                told: words(told[id], asked.prompt, c),
                started: answer.map { when($0.startedAt, asked.prompt, c) } ?? "–",
                completed: answer.map { completed($0, asked.prompt, c) } ?? "–",
                state: c.texts["studies.prompt_\(state)"],
                tone: state == "answered" ? "good" : state == "missed" ? "warn" : nil)
        }
    }

    private static func latest(_ asked: [Asked]) -> [Asked] {
        Array(asked.sorted { $0.prompt.at > $1.prompt.at }.prefix(most))
    }

    private static func title(
        of item: StudyItem, _ titles: [String: String], _ c: Context<StudyLead>
    ) -> String {
        let title = titles[item.key] ?? item.key
        let point = item.timePoint.flatMap { c.proof.study.timePoints[$0] }
        return point.map { "\(title) · \(TimePointPages.title($0, c))" } ?? title
    }

    /// A time, with its day where that is not the prompt's.
    private static func when(_ moment: Instant, _ prompt: Prompt, _ c: Context<StudyLead>) -> String {
        let isSame = LocalTime(moment, c.dates.zone).date == LocalTime(prompt.at, c.dates.zone).date
        return isSame ? c.dates.time(moment) : c.dates.dayAndTime(moment)
    }

    private static func words(
        _ reminder: StudyReminder?, _ prompt: Prompt, _ c: Context<StudyLead>
    ) -> String {
        let parts = [("pushed", reminder?.pushedAt), ("shown", reminder?.shownAt)].compactMap {
            name, moment in
            moment.map { c.texts["studies.prompt_\(name)", ["at": when($0, prompt, c)]] }
        }
        return parts.isEmpty ? "–" : parts.joined(separator: " · ")
    }

    /// Within a day with the minutes since the prompt came, which of what is open for days is when devices tell of it.
    private static func completed(
        _ answer: StudyContributionStore.Answer, _ prompt: Prompt, _ c: Context<StudyLead>
    ) -> String {
        let minutes = (answer.completedAt.seconds - prompt.announcedAt.seconds) / 60
        if (0..<1440).contains(minutes) {
            return c.texts[
                "studies.prompt_after",
                ["at": when(answer.completedAt, prompt, c), "n": String(minutes)]]
        }
        return c.dates.dayAndTime(answer.completedAt)
    }
}
