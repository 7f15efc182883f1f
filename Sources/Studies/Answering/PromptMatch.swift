import Contributions
import Database
import Records
import Scheduling
import Web
import Wire

/// The prompt that a sheet answers: decided when the sheet comes in, and stored with it.
package enum PromptMatch {
    /// The id of a prompt, derived from questionnaire, participant and moment. On the days of a time point it is one, wherever they
    /// are moved.
    package static func id(
        _ prompt: Instant, of item: StudyItem, as enrolment: EnrolmentRecord
    ) -> ID<Assignment> {
        if item.isAskedInWindow { return StudyAssignment.once(item.id, enrolment.id) }
        return ID(DerivedID.of("study", enrolment.id, item.id, prompt.milliseconds))
    }

    /// The same of one that may ask about a session, whose id it hangs on then.
    package static func id(
        _ prompt: Prompt, of item: StudyItem, as enrolment: EnrolmentRecord
    ) -> ID<Assignment> {
        prompt.session.map { ParticipantSessions.prompt(item.id, enrolment.id, about: $0) }
            ?? id(prompt.at, of: item, as: enrolment)
    }

    /// The ids of the prompts of what is asked once that come after its answer: they ask nothing any more.
    package static func settled(
        of item: StudyItem, byAnswerAt answered: Instant, until: Instant, _ prompts: ParticipantPrompts
    ) -> [ID<Assignment>] {
        guard item.isOnetime else { return [] }
        let later = prompts.planned(item, since: answered, until: until).filter {
            $0.at.seconds > answered.seconds
        }
        return later.map { id($0.at, of: item, as: prompts.enrolment) }
    }

    /// How far a clock may be behind of which a sheet comes: a prompt that opens so soon after it has come.
    static let slack: Int64 = 300

    /// The one rule for a sheet that names no prompt: the last unanswered prompt of its local day, or night, that has come; without any it
    /// was filled in at will (RP-104). Which prompts are still to come says nothing of it.
    ///
    /// - Parameter prompts: of that day, open at the time of the sheet, the earliest first.
    static func choose(among prompts: [Prompt], at completed: Instant, isAnswered: (Prompt) -> Bool)
        -> Prompt?
    {
        // Whole seconds, the precision of phones.
        prompts.last { $0.at.seconds <= completed.seconds + slack && !isAnswered($0) }
    }

    /// The same for a new sheet, by a few look-ups in indexes.
    /// - Returns: the prompt, and until when such a sheet is taken by itself; nil whenever it comes.
    package static func find(
        for item: StudyItem, at completed: Instant, _ prompts: ParticipantPrompts,
        _ connection: borrowing Connection
    ) throws -> (prompt: AnsweredPrompt, arrivesUntil: Instant?)? {
        let zones = prompts.zones
        let enrolment = prompts.enrolment
        // An awaited baseline answers the prompt that is offered, on any day.
        if let kept = prompts.kept(item, at: completed) {
            return (AnsweredPrompt(id: id(kept.at, of: item, as: enrolment), at: kept.at), nil)
        }
        if item.isAskedEachSession {
            return prompts.awaited(item, at: completed).map { prompt in
                (AnsweredPrompt(id: id(prompt, of: item, as: enrolment), at: prompt.at), nil)
            }
        }
        let day = zones.day(of: completed)
        let found = prompts.planned(
            item, since: prompts.begin(of: day, for: item), until: zones.begin(of: day.adding(days: 1))
        ).filter {
            ($0.day == day || $0.isOfNight || item.isAskedInWindow) && completed.seconds <= $0.dueAt.seconds
        }
        let ids = found.map { id($0.at, of: item, as: enrolment) }
        let answered = try StudyContributionStore.answered(ids, by: enrolment.accountID, connection)
        let chosen = choose(among: found, at: completed) {
            answered.contains(id($0.at, of: item, as: enrolment))
        }
        return chosen.map { prompt in
            (
                AnsweredPrompt(id: id(prompt.at, of: item, as: enrolment), at: prompt.at),
                prompt.arrives(after: prompt.dueAt)
            )
        }
    }
}

/// What happened with a questionnaire: a prompt with the sheet that answers it, or one of both alone.
package struct StudyOccasion: Sendable, Equatable {
    /// Nil for a sheet filled in at will.
    package let prompt: Instant?
    /// The place of the sheet among those of its questionnaire; nil for a prompt without an answer.
    package let sheet: Int?

    /// All sheets, and the unanswered prompts, in order of time.
    ///
    /// - Parameter sheets: when each was completed, and the prompt that it answers.
    static func all(_ prompts: [Prompt], _ sheets: [(at: Instant, prompt: Instant?)])
        -> [StudyOccasion]
    {
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

extension ParticipantPrompts {
    /// All sheets of a questionnaire, and the prompts that ended without an answer: those were missed (RP-103). Numbered in order of
    /// time; a prompt that can still be answered has its number, and stands nowhere yet.
    /// - Parameters:
    ///   - come: its `prompts` until now.
    ///   - sheets: when each was completed, and the prompt that it answers.
    package func occasions(
        of item: StudyItem, _ come: [Prompt], _ sheets: [(at: Instant, prompt: Instant?)], at now: Instant
    ) -> [(number: Int, occasion: StudyOccasion)] {
        let open = open(among: come, of: item, at: now)
        let come = unanswered(come, of: item, sheets.compactMap(\.prompt))
        return StudyOccasion.all(come, sheets).enumerated().filter { _, occasion in
            occasion.sheet != nil || !(occasion.prompt.map(open.contains) ?? false)
        }.map { (number: $0.offset + 1, occasion: $0.element) }
    }

    /// Those of some prompts that have no answer. The one prompt of a time point has one on whatever days a phone answered it, which may
    /// have held others than those that count.
    /// - Parameter answered: the moments of the questionnaire's prompts that sheets answer.
    package func unanswered(
        _ come: [Prompt], of item: StudyItem, _ answered: some Collection<Instant>
    ) -> [Prompt] {
        if answered.isEmpty { return come }
        if item.isOneWindow { return [] }
        let known = Set(answered)
        return come.filter { !known.contains($0.at) }
    }

    /// The moments of those prompts that can still be answered: neither asked in vain nor missed yet.
    /// - Parameter come: the questionnaire's `prompts` until now.
    package func open(among come: [Prompt], of item: StudyItem, at now: Instant) -> Set<Instant> {
        let end = all.study.endsAt ?? .distantFuture
        // The last one of an awaited baseline stays open as long as the study.
        if isAwaited(item) { return now <= end ? Set(come.suffix(1).map(\.at)) : [] }
        // No window is longer than two days, but for the one of a time point.
        let early = item.isAskedInWindow ? .distantPast : now.adding(days: -3)
        let late = come.reversed().prefix { $0.at > early }
        return Set(late.filter { now <= $0.due(beforeEnd: end) }.map(\.at))
    }
}
