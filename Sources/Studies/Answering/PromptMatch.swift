import Database
import Records
import Responses
import Scheduling
import Web
import Wire

/// The prompt that a sheet answers: decided when the sheet is taken in, stored with it, and read from there.
package enum PromptMatch {
    /// The id of a prompt. It follows from what is asked, of whom and when.
    package static func id(
        _ prompt: Instant, of item: StudyItem, as enrolment: EnrolmentRecord
    ) -> ID<Assignment> {
        ID(DerivedID.of("study", enrolment.id, item.id, prompt.milliseconds))
    }

    /// The one rule for a sheet that names no prompt: of its local day the last prompt that had come and that no sheet
    /// answers, else the first one that was still to come; none makes it a sheet filled in at will.
    ///
    /// - Parameter prompts: of that day, the earliest first.
    static func choose(among prompts: [Prompt], at completed: Instant, isAnswered: (Prompt) -> Bool)
        -> Prompt?
    {
        let free = prompts.filter { !isAnswered($0) }
        // Whole seconds: phones send no more.
        return free.last { $0.at.seconds <= completed.seconds } ?? free.first
    }

    /// The same for a sheet that is taken in now, by a few looks into indexes.
    package static func find(
        for item: StudyItem, at completed: Instant, _ prompts: ParticipantPrompts,
        _ connection: borrowing Connection
    ) throws -> AnsweredPrompt? {
        let zones = prompts.zones
        let enrolment = prompts.enrolment
        // A baseline that is awaited answers the prompt that is offered, on whatever day.
        if let kept = prompts.kept(item, at: completed) {
            return AnsweredPrompt(id: id(kept.at, of: item, as: enrolment), at: kept.at)
        }
        let day = zones.day(of: completed)
        let found = prompts.planned(
            item, since: zones.begin(of: day), until: zones.begin(of: day.adding(days: 1))
        ).filter { $0.day == day }
        let ids = found.map { id($0.at, of: item, as: enrolment) }
        let answered = try StudyContributionStore.answered(ids, by: enrolment.accountID, connection)
        let chosen = choose(among: found, at: completed) {
            answered.contains(id($0.at, of: item, as: enrolment))
        }
        return chosen.map { AnsweredPrompt(id: id($0.at, of: item, as: enrolment), at: $0.at) }
    }
}

/// What happened with a questionnaire: a prompt with the sheet that answers it, or one of both alone.
struct StudyOccasion: Sendable, Equatable {
    /// Nil for a sheet filled in at will.
    let prompt: Instant?
    /// The place of the sheet among those of its questionnaire; nil for a prompt without an answer.
    let sheet: Int?

    /// All sheets, and the prompts that none of them answers, in order of time.
    ///
    /// - Parameter sheets: when each was completed, and the prompt that it answers.
    static func all(_ prompts: [Prompt], _ sheets: [(at: Instant, prompt: Instant?)]) -> [StudyOccasion] {
        let answered = Set(sheets.compactMap(\.prompt))
        var all = sheets.enumerated().map { index, sheet in
            (at: sheet.at, occasion: StudyOccasion(prompt: sheet.prompt, sheet: index))
        }
        for prompt in prompts where !answered.contains(prompt.at) {
            all.append((prompt.at, StudyOccasion(prompt: prompt.at, sheet: nil)))
        }
        return all.sorted { ($0.at, $0.occasion.sheet ?? 0) < ($1.at, $1.occasion.sheet ?? 0) }.map(
            \.occasion)
    }
}
