import Database
import Records
import Scheduling
import Therapies
import Wire

/// What became of a prompt, for leads.
package enum PromptState: String, Sendable, CaseIterable {
    case answered
    case missed
    /// It could not be seen: neither asked nor missed.
    case unseen
    /// The same in a pause of a therapy, told only with the consent to research (IO-20).
    case paused
}

/// When a participant could not see prompts, because a therapy was paused. The one rule of what was missed: counts,
/// pages and exports read it here.
package struct UnseenTimes: Sendable {
    private struct Stretch: Sendable {
        let days: ClosedRange<LocalDate>
        /// From when the pause stood in the therapy to its removal: what was asked before could be seen.
        let moments: Range<Instant>
    }

    private let stretches: [Stretch]
    /// Whether leads may read that it was a pause.
    package let isToldPaused: Bool

    package init(of account: ID<Account>, _ connection: borrowing Connection) throws {
        stretches = try TherapyStore.all(of: account, connection).flatMap { therapy in
            try PauseStore.ever(for: therapy, connection).compactMap { Self.stretch($0, therapy) }
        }
        isToldPaused = try EnrolmentStore.hasResearchConsent(account, connection)
    }

    private static func stretch(_ pause: PauseRecord, _ therapy: Therapy) -> Stretch? {
        guard let paired = therapy.pairedAt else { return nil }
        let since = pause.therapyID == nil ? therapy.ledSince ?? .distantPast : .distantPast
        let begin = max(paired, pause.madeAt, since)
        let end = min(therapy.endedAt ?? .distantFuture, pause.removedAt ?? .distantFuture)
        return begin < end ? Stretch(days: pause.startsOn...pause.endsOn, moments: begin..<end) : nil
    }

    /// The state of a prompt that no sheet answers.
    package func state(of prompt: Prompt) -> PromptState {
        let isUnseen = stretches.contains { $0.days.contains(prompt.day) && $0.moments.contains(prompt.at) }
        return !isUnseen ? .missed : isToldPaused ? .paused : .unseen
    }
}
