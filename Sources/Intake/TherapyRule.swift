import Contributions
import Database
import Delivery
import Identity
import Instruments
import Records
import Therapies
import Wire
import Wording

/// The rule for a sheet of a therapy, checked in the transaction that stores it.
///
/// | | device | paper | quarantine |
/// |---|---|---|---|
/// | the pairing stands; before pairing there is a holder | yes | yes | yes |
/// | the therapy runs | or ended at most 30 days ago, after it was completed; the therapist decides about later ones | yes | no |
/// | the window, and not withdrawn | yes | no: it may have been filled in any time, up to a year before pairing | no
/// |
/// | three dailies of its own a device and day | yes | there are none | no |
/// | one sheet answers an assignment | the second contradicts | the second answers none | the second answers none |
///
/// Staff check the sheets they admit from quarantine: they decide about windows and ended therapies, and a device
/// cannot flood decisions made one by one.
struct TherapyRule {
    private let arrival: Arrival
    private let now: Instant
    private let questionnaire: QuestionnaireRecord
    /// The present one.
    private let therapy: Therapy

    /// - Throws: `Problem.forbidden` when the pairing has ended.
    init(
        _ target: TherapyTarget, of account: ID<Account>, from arrival: Arrival, now: Instant,
        _ connection: borrowing Connection
    ) throws {
        guard let therapy = try TherapyStore.find(target.therapy.id, connection),
            therapy.takesSheets(of: account)
        else { throw Problem.forbidden(Message("problems.not_paired")) }
        self.arrival = arrival
        self.now = now
        self.questionnaire = target.questionnaire
        self.therapy = therapy
    }

    func prove(
        _ occasion: Occasion, _ sheet: inout NewContribution, _ connection: borrowing Connection
    ) throws -> Occasion {
        switch occasion {
        case .assignment(let known, _):
            return try proveAssignment(known.id, &sheet, connection)
        case .ownDaily(let target):
            if case .device(_, let device, _) = arrival {
                try checkWindow(of: sheet, target)
                try checkLimit(of: sheet, device, connection)
            }
            return .ownDaily(target.with(therapy))
        case .unasked:
            return try proveUnasked(&sheet, connection)
        case .prompt: return occasion
        }
    }

    private func proveAssignment(
        _ id: ID<Assignment>, _ sheet: inout NewContribution, _ connection: borrowing Connection
    ) throws -> Occasion {
        guard let assignment = try AssignmentStore.find(id, inTherapy: therapy.id, connection) else {
            throw Problem.notFound
        }
        let target = TherapyTarget(assignment, therapy, questionnaire)
        switch arrival {
        case .device: try checkWindow(of: sheet, target)
        // It is stored beside the sheet that came first.
        case .quarantine, .paper: if assignment.contributionID != nil { sheet.assignment = nil }
        }
        return .assignment(assignment, target)
    }

    /// From paper. It answers an assignment that waits for exactly this.
    private func proveUnasked(
        _ sheet: inout NewContribution, _ connection: borrowing Connection
    ) throws -> Occasion {
        if therapy.endedAt != nil { throw Problem.conflict(Message("assignments.therapy_ended")) }
        let completed = sheet.completedAt
        if completed.seconds < (therapy.pairedAt ?? therapy.createdAt).adding(days: -365).seconds {
            throw Problem.invalid("completed_at", "answers.too_early")
        }
        let waiting = try AssignmentStore.open(in: therapy.id, at: now, connection).first {
            $0.questionnaireID == questionnaire.id && $0.source != .daily
                && $0.availableFrom <= completed && completed <= $0.dueAt
        }
        sheet.assignment = waiting?.id
        return waiting.map { .assignment($0, TherapyTarget($0, therapy, questionnaire)) }
            ?? .unasked(.therapy(TherapyTarget(paper: questionnaire, therapy)))
    }

    // MARK: When

    /// A sheet completed in time but sent late counts; whole seconds are compared.
    private func checkWindow(of sheet: NewContribution, _ target: TherapyTarget) throws {
        let completed = sheet.completedAt.seconds
        try target.requireRunning(completed: sheet.completedAt, now: now)
        if completed > now.adding(seconds: Submission.clockSlackSeconds).seconds {
            throw WrongClock("errors.future")
        }
        if completed < target.opens.seconds { throw WrongClock("answers.too_early") }
        if completed > target.closes.seconds { throw Problem.invalid("completed_at", "answers.too_late") }
        if let withdrawn = target.assignment?.withdrawnAt, completed > withdrawn.seconds {
            throw Problem.conflict(Message("answers.withdrawn"))
        }
    }

    private static let dailiesPerDevice = 3

    /// A broken device must not fill a day with dailies of its own.
    private func checkLimit(
        of sheet: NewContribution, _ device: ID<Credential>?, _ connection: borrowing Connection
    ) throws {
        guard let slot = sheet.slot, let device else { return }
        let made = try ContributionStore.ownDailies(
            of: sheet.account, device: device, on: slot.day, connection)
        if made >= Self.dailiesPerDevice { throw Problem.conflict(Message("answers.daily_limit")) }
    }
}
