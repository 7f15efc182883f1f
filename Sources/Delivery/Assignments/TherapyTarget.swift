import Contributions
import Identity
import Instruments
import Records
import Scheduling
import Therapies
import Wire
import Wording

/// What a sheet is taken for: therapy, questionnaire, the window it had to be completed in.
package struct TherapyTarget: Sendable {
    package private(set) var therapy: Therapy
    package let questionnaire: QuestionnaireRecord
    package let opens: Instant
    package let closes: Instant
    /// Nil for a daily of the device's own.
    package let assignment: AssignmentRecord?
    /// Of a daily: the local day and period it counts for.
    package let slot: DailySlot?

    package init(_ assignment: AssignmentRecord, _ therapy: Therapy, _ questionnaire: QuestionnaireRecord) {
        self.assignment = assignment
        self.therapy = therapy
        self.questionnaire = questionnaire
        opens = assignment.availableFrom
        closes = assignment.dueAt
        slot = assignment.plannedOn.flatMap { day in
            assignment.period.map { DailySlot(day: day, period: $0) }
        }
    }

    /// The same with the therapy as it is now.
    package func with(_ therapy: Therapy) -> TherapyTarget {
        var target = self
        target.therapy = therapy
        return target
    }

    /// From paper, without an assignment: it may have been filled in whenever.
    package init(paper questionnaire: QuestionnaireRecord, _ therapy: Therapy) {
        assignment = nil
        self.therapy = therapy
        self.questionnaire = questionnaire
        opens = .distantPast
        closes = .distantFuture
        slot = nil
    }

    /// - Throws: `Problem.invalid` when the window does not begin in one of the day's three periods.
    package init(
        daily from: Instant, _ due: Instant, timezone: String, _ therapy: Therapy,
        _ questionnaire: QuestionnaireRecord
    ) throws(Problem) {
        let local = LocalTime(from, Zone(timezone))
        guard let period = DailyPlan.period(of: local) else {
            throw .invalid("daily.available_from", "answers.daily_period")
        }
        assignment = nil
        self.therapy = therapy
        self.questionnaire = questionnaire
        opens = from
        closes = due
        slot = DailySlot(day: local.date, period: period)
    }
}

extension NewContribution {
    /// A sheet of a therapy.
    package init(
        _ submission: Submission, id: ID<ContributionRecord>, account: ID<Account>, target: TherapyTarget,
        answers: Answers,
        receivedAt: Instant, device: ID<Credential>? = nil
    ) throws {
        try self.init(
            submission, id: id, account: account, target.questionnaire, answers, receivedAt: receivedAt,
            device: device, therapy: target.therapy.id,
            assignment: target.assignment?.id, slot: target.slot,
            window: (from: target.opens, due: target.closes))
    }
}
