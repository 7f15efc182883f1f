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
        /// Of what kind it is; nil where only counts are made of it.
        private(set) var source: Source?

        /// A holiday of the therapist, or a pause of this therapy alone.
        struct Source: Sendable {
            let therapy: ID<Therapy>
            let isTherapist: Bool
        }

        /// - Parameters:
        ///   - madeAt: when it was entered.
        ///   - ledSince: when the therapist whose holiday it is took the therapy over; nil for the first one, and for a pause of
        ///     the patient's own.
        /// - Returns: nil for one that never was in force.
        init?(
            days: ClosedRange<LocalDate>, madeAt: Instant, ledSince: Instant?, removedAt: Instant?,
            pairedAt: Instant?, endedAt: Instant?, source: Source? = nil
        ) {
            guard let pairedAt else { return nil }
            let begin = max(pairedAt, madeAt, ledSince ?? .distantPast)
            let end = min(endedAt ?? .distantFuture, removedAt ?? .distantFuture)
            if begin >= end { return nil }
            self.days = days
            self.source = source
            moments = begin..<end
        }

        /// Its days within others, as far as it was in force on them.
        fileprivate func days(within others: ClosedRange<LocalDate>, _ zone: Zone) -> ClosedRange<LocalDate>?
        {
            let begin = max(days.lowerBound, others.lowerBound, LocalTime(moments.lowerBound, zone).date)
            // The day after the last one lies within what a calendar knows.
            let limit = zone.instant(others.upperBound.adding(days: 1), hour: 0, minute: 0)
            let last = LocalTime(min(moments.upperBound, limit).adding(seconds: -1), zone).date
            let end = min(days.upperBound, others.upperBound, last)
            return begin <= end ? begin...end : nil
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
                    pairedAt: therapy.pairedAt, endedAt: therapy.endedAt,
                    source: .init(therapy: therapy.id, isTherapist: pause.therapyID == nil))
            }
        }
        isToldPaused = try EnrolmentStore.hasResearchConsent(account, connection)
    }

    /// For counts alone, which tell nothing of pauses.
    init(_ stretches: [Stretch]) {
        self.stretches = stretches
        isToldPaused = false
    }

    /// A pause as files tell it.
    struct Pause: Sendable {
        let source: Stretch.Source
        let days: ClosedRange<LocalDate>
    }

    /// The pauses of some days, the earliest first.
    func pauses(within days: ClosedRange<LocalDate>, _ zone: Zone) -> [Pause] {
        stretches.compactMap { stretch in
            guard let source = stretch.source, let own = stretch.days(within: days, zone) else { return nil }
            return Pause(source: source, days: own)
        }.sorted { $0.days.lowerBound < $1.days.lowerBound }
    }

    /// The state of a prompt that no sheet answers.
    package func state(of prompt: Prompt) -> PromptState {
        let isUnseen = stretches.contains { $0.days.contains(prompt.day) && $0.moments.contains(prompt.at) }
        return !isUnseen ? .missed : isToldPaused ? .paused : .unseen
    }
}
