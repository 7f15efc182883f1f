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
    struct Stretch: Sendable {
        fileprivate let days: ClosedRange<LocalDate>
        /// From when the pause stood in the therapy to its removal: what was asked before could be seen.
        fileprivate let moments: Range<Instant>

        /// - Parameters:
        ///   - madeAt: when it was entered.
        ///   - ledSince: when the therapist whose holiday it is took the therapy over; nil for the first one, and for a pause of
        ///     the patient's own.
        /// - Returns: nil for one that never was in force.
        init?(
            days: ClosedRange<LocalDate>, madeAt: Instant, ledSince: Instant?, removedAt: Instant?,
            pairedAt: Instant?, endedAt: Instant?
        ) {
            guard let pairedAt else { return nil }
            let begin = max(pairedAt, madeAt, ledSince ?? .distantPast)
            let end = min(endedAt ?? .distantFuture, removedAt ?? .distantFuture)
            if begin >= end { return nil }
            self.days = days
            moments = begin..<end
        }
    }

    private let stretches: [Stretch]
    /// Whether leads may read that it was a pause.
    package let isToldPaused: Bool

    package init(of account: ID<Account>, _ connection: borrowing Connection) throws {
        stretches = try TherapyStore.all(of: account, connection).flatMap { therapy in
            try PauseStore.ever(for: therapy, connection).compactMap { pause in
                Stretch(
                    days: pause.startsOn...pause.endsOn, madeAt: pause.madeAt,
                    ledSince: pause.therapyID == nil ? therapy.ledSince : nil, removedAt: pause.removedAt,
                    pairedAt: therapy.pairedAt, endedAt: therapy.endedAt)
            }
        }
        isToldPaused = try EnrolmentStore.hasResearchConsent(account, connection)
    }

    /// For counts alone, which tell nothing of pauses.
    init(_ stretches: [Stretch]) {
        self.stretches = stretches
        isToldPaused = false
    }

    /// The state of a prompt that no sheet answers.
    package func state(of prompt: Prompt) -> PromptState {
        let isUnseen = stretches.contains { $0.days.contains(prompt.day) && $0.moments.contains(prompt.at) }
        return !isUnseen ? .missed : isToldPaused ? .paused : .unseen
    }
}
