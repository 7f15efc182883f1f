import Contributions
import Database
import Instruments
import Scheduling
import Studies
import Wire
import Wording

/// The rule for a sheet of a study, checked in the transaction that stores it. It takes a few look-ups by index,
/// however many sheets there are.
///
/// | | device | paper | quarantine |
/// |---|---|---|---|
/// | the prompt's window | yes | names no prompt | no: leads check what they admit |
/// | within its schedule's grace | yes; leads decide about later ones | no | no |
/// | since enrolling, before leaving, nothing erased | yes | by day | yes |
/// | in a group with the app | yes | no | yes |
/// | of everybody, or of this group | yes | yes | yes |
/// | on the days of its time point | yes, or its event was; leads decide about what came after them | no | no |
/// | the study ran, and asked it | yes, or a prompt that had come then; leads decide about later ones | yes | yes, or it ended meanwhile |
/// | a version in use | yes, then | the one in use | no: the one it was filled in with |
/// | about an event | of this person and questionnaire, once | no | it stands alone where another sheet names the event |
/// | once only | the second contradicts | the second is refused | no: it is stored beside the first |
/// | a hundred a day | yes | no: paper cannot flood | no: they come one by one |
/// | required baselines first | yes | no: papers come in any order | no: it was answered when it was asked |
struct StudyRule {
    let place: StudyTarget
    let arrival: Arrival
    let cache: QuestionnaireCache
    let now: Instant

    /// Sheets of one participant and questionnaire a day: a client that sends more is faulty.
    private static let sheetsADay = 100

    private var about: EventAnswer { EventAnswer(item: place.item.id, enrolment: place.enrolment.id) }

    /// Notes the prompt that a sheet answers, and the consent text it was given under.
    func prove(
        _ occasion: Occasion, _ sheet: inout NewContribution, _ connection: borrowing Connection
    ) throws {
        let completed = sheet.completedAt
        guard let study = try StudyStore.find(place.study.id, connection),
            let enrolment = try EnrolmentStore.find(id: place.enrolment.id, connection)
        else { throw Problem.notFound }
        if case .device = arrival { try checkClock(occasion, of: enrolment, completed, connection) }
        // Refused since the sheet was read: it is read again without its position.
        if enrolment.location == .refused, place.enrolment.location != .refused {
            throw Problem.unavailable(retryAfter: 1)
        }
        try checkTaking(enrolment, completed, connection)
        let prompts = try StudyPrompts(study, connection).of(enrolment, connection)
        let item = prompts.all.items.first { $0.id == place.item.id }
        try checkAsked(item, prompts.all.runs, asked(occasion, prompts.all.runs, completed))
        guard let item else { throw Problem.conflict(Message("answers.inactive")) }
        if !item.asks(enrolment) { throw Problem.conflict(Message("studies.not_in_arm")) }
        // Leads enter paper and admit sheets: they would choose what comes, and when it is drawn.
        if enrolment.waits, !isFromDevice, item.baseline != .required || isPaper {
            throw Problem.conflict(Message("studies.person_waits"))
        }
        switch arrival {
        case .device:
            if let retired = try QuestionnaireStore.retirement(of: item.key, connection),
                asked(occasion, prompts.all.runs, completed).seconds > retired.seconds
            {
                throw over(.conflict(Message("answers.inactive")), since: retired)
            }
            try checkOnce(occasion, of: item, at: completed, prompts)
            try about.check(sheet, connection)
            if sheet.event == nil { try checkWindow(occasion, item, completed, prompts) }
            try checkLimit(enrolment, connection)
            if prompts.isHeldUp(item, at: completed) {
                let isReady = prompts.missingBaselines.isEmpty
                throw Problem.conflict(
                    isReady ? Message("studies.not_allocated") : Message("studies.baseline_first"))
            }
        case .paper: try checkOnce(occasion, of: item, at: completed, prompts)
        case .quarantine: sheet.event = try about.free(sheet, connection)
        }
        sheet.prompt = try prompt(occasion, item, completed, prompts, connection)
        sheet.consentVersion = try AgreedConsentStore.version(of: enrolment.id, at: completed, connection)
    }

    private var isPaper: Bool { if case .paper = arrival { true } else { false } }
    private var isFromDevice: Bool { if case .device = arrival { true } else { false } }

    /// Why a refused sheet cannot be admitted, known beforehand; nil when it can.
    func obstacle(
        at completed: Instant, _ enrolment: EnrolmentRecord, _ connection: borrowing Connection
    ) throws -> Message? {
        do {
            try checkTaking(enrolment, completed, connection)
            try checkAsked(place.item, try StudyStore.runs(place.study, connection), completed)
            return nil
        } catch Problem.conflict(let message, _) {
            return message
        } catch let clock as WrongClock {
            return Message(clock.key)
        }
    }

    // MARK: When

    /// Only phones have clocks that can be wrong.
    private func checkClock(
        _ occasion: Occasion, of enrolment: EnrolmentRecord, _ completed: Instant,
        _ connection: borrowing Connection
    ) throws {
        if completed.seconds > now.adding(seconds: Submission.clockSlackSeconds).seconds {
            throw WrongClock("errors.future")
        }
        guard case .prompt(let asked, _) = occasion else { return }
        if completed.seconds < asked.availableFrom.seconds { throw WrongClock("answers.too_early") }
        if completed.seconds > asked.takenUntil.seconds {
            // What was completed after leaving is kept nowhere.
            try checkTaking(enrolment, completed, connection)
            // Of what is asked without a moment only the study's end is known, not one that was told before it was moved.
            let end =
                asked.promptedAt == nil
                ? place.study.endsAt : asked.item.isAskedInWindow ? asked.takenUntil : nil
            throw over(.invalid("completed_at", "answers.too_late"), since: end)
        }
    }

    /// The moment at which the study has to have asked: a prompt that had come before the study was ended or stopped can be answered
    /// as long as was said (RP-103).
    private func asked(_ occasion: Occasion, _ runs: StudyRuns, _ completed: Instant) -> Instant {
        guard case .device = arrival, case .prompt(let asked, _) = occasion, let prompt = asked.promptedAt,
            runs.hold(prompt)
        else { return completed }
        return min(prompt, completed)
    }

    /// - Parameter enrolment: the present one: the participant may have left, or had everything removed.
    private func checkTaking(
        _ enrolment: EnrolmentRecord, _ completed: Instant, _ connection: borrowing Connection
    ) throws {
        if isBefore(enrolment, completed) { throw WrongClock("studies.before_enrolment") }
        // A sheet completed before leaving still counts, unless the participant had everything removed.
        let isLeft =
            enrolment.erasedAt != nil || completed.seconds > (enrolment.leftAt ?? .distantFuture).seconds
        if isLeft { throw Problem.conflict(Message("studies.left")) }
        if case .paper = arrival {
            // Staff enter nothing for a participant whose data may not be disclosed.
            if try EnrolmentStore.consenting(enrolment.id, connection) == nil {
                throw Problem.conflict(Message("studies.left"))
            }
        } else if enrolment.isOnPaper {
            throw Problem.conflict(Message("studies.on_paper"))
        }
    }

    /// Paper knows the day; it may be the one of enrolling.
    private func isBefore(_ enrolment: EnrolmentRecord, _ completed: Instant) -> Bool {
        guard let enrolled = enrolment.enrolledAt else { return false }
        guard case .paper = arrival else { return completed.seconds < enrolled.seconds }
        return LocalTime(completed, enrolment.zone).date < LocalTime(enrolled, enrolment.zone).date
    }

    /// Whether the study ran and asked for it then.
    private func checkAsked(_ item: StudyItem?, _ runs: StudyRuns, _ completed: Instant) throws {
        if case .paper = arrival {
            let enrolled = place.enrolment.enrolledAt ?? .distantPast
            if !runs.hold(completed), !runs.hold(max(completed, enrolled)) {
                throw Problem.invalid("completed_at", "studies.was_not_running")
            }
        } else if !runs.hold(completed), !isAfterEnd {
            throw over(.conflict(Message("studies.was_not_running")), since: runs.end(before: completed))
        }
        guard let item else { throw Problem.conflict(Message("answers.inactive")) }
        if let ended = item.deactivatedAt, completed.seconds > ended.seconds, !isAfterEnd {
            throw over(.conflict(Message("answers.inactive")), since: ended)
        }
    }

    /// Whether it was refused for this: the leads have decided.
    private var isAfterEnd: Bool {
        if case .quarantine(let record, _) = arrival { return record.reason == .ended }
        return false
    }

    /// The refusal of what was completed after an end. Of a device that may not have heard of it the sheet lies with the leads.
    private func over(_ problem: Problem, since end: Instant?) -> any Error {
        guard case .device = arrival else { return problem }
        return AfterEnd(problem, at: end, for: .study(enrolment: place.enrolment.id), now: now) ?? problem
    }

    /// One that names no prompt is taken on the days of its time point; leads decide about what was completed later.
    private func checkWindow(
        _ occasion: Occasion, _ item: StudyItem, _ completed: Instant, _ prompts: ParticipantPrompts
    ) throws {
        if case .prompt = occasion { return }
        if prompts.isOpen(item, at: completed) { return }
        guard let end = prompts.windowEnd(item, at: completed) else {
            throw Problem.conflict(Message("studies.window_not_begun"))
        }
        throw over(.invalid("completed_at", "answers.too_late"), since: end)
    }

    // MARK: How often

    /// Of what is asked for each session one that names a prompt is told apart from its first sheet by that.
    private func checkOnce(
        _ occasion: Occasion, of item: StudyItem, at completed: Instant, _ prompts: ParticipantPrompts
    ) throws {
        if case .prompt = occasion, item.isAskedEachSession { return }
        if prompts.isSettled(item, at: completed) { throw Contradiction("answers.already_answered") }
    }

    private func checkLimit(_ enrolment: EnrolmentRecord, _ connection: borrowing Connection) throws {
        let isFull = try StudyContributionStore.hasReceived(
            Self.sheetsADay, of: enrolment.id, questionnaire: place.questionnaire.id,
            since: now.adding(days: -1), connection)
        if isFull {
            throw Problem.conflict(Message("studies.sheets_a_day", ["n": String(Self.sheetsADay)]))
        }
    }

    // MARK: What it answers

    /// The prompt that it names, else the one that the rule finds. A sheet refused as a contradiction is stored
    /// beside the other one, as filled in at will.
    private func prompt(
        _ occasion: Occasion, _ item: StudyItem, _ completed: Instant, _ prompts: ParticipantPrompts,
        _ connection: borrowing Connection
    ) throws -> AnsweredPrompt? {
        if case .prompt(let asked, _) = occasion {
            let named = AnsweredPrompt(id: asked.id, at: asked.promptedAt)
            let account = prompts.enrolment.accountID
            let isFirst = try StudyContributionStore.answered([asked.id], by: account, connection).isEmpty
            guard case .quarantine = arrival else {
                // A second sheet contradicts the first, however late it is.
                if isFirst { try checkArrival(asked.arrivesUntil) }
                return named
            }
            return isFirst ? named : nil
        }
        if case .quarantine(let record, _) = arrival, record.reason == .contradiction { return nil }
        let found = try PromptMatch.find(for: item, at: completed, prompts, connection)
        if case .device = arrival { try checkArrival(found?.arrivesUntil) }
        return found?.prompt
    }

    /// What was completed in time and comes after its schedule's grace lies with the leads, however late it is (ST-2).
    private func checkArrival(_ last: Instant?) throws {
        guard let last, now.seconds > last.seconds else { return }
        throw over(.invalid("completed_at", "answers.arrived_late"), since: now)
    }
}
