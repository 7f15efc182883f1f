import Appointments
import Contributions
import Database
import Delivery
import Instruments
import Records
import Rules
import Scheduling
import Studies
import Therapies
import Wire

/// Something that is asked of an account, given to it or awaited by it.
package struct AgendaItem: Sendable {
    package enum Content: Sendable {
        /// A questionnaire of a therapy; a daily is one that comes by itself, at a moment that is not told ahead.
        case assignment(AssignmentRecord)
        case daily(AssignmentRecord)
        /// A questionnaire of a study: at a moment, or once and for all.
        case prompt(StudyAssignment)
        case once(StudyAssignment)
        case intervention(InterventionRecord)
        case appointment(AppointmentRecord)
    }

    /// Whether something can be done with it, and why not.
    package enum State: Sendable, Equatable {
        case coming, open
        /// Its time is over.
        case late
        /// Answered, looked at or done; with the sheet where one is known.
        case done(ID<ContributionRecord>?)
        case withdrawn, ended, onPaper, notRunning, inactive
        /// Of a questionnaire that is filled in at a time point: not on its days.
        case outside
        /// These questionnaires of its study come first.
        case waits(for: [ID<StudyItem>])
    }

    /// What is filled in.
    package struct Form: Sendable {
        package let id: ID<Assignment>
        package let questionnaire: QuestionnaireRecord
        /// What is half filled in is kept under this.
        package let draft: ID<DraftSubject>
    }

    package let content: Content
    /// Nil for interventions and appointments.
    package let form: Form?
    package let opens: PromptTime
    /// Nil for what has no end.
    package let closes: PromptTime?
    /// When devices tell of it; nil where they do not, or not any more.
    package let announcedAt: Instant?
    package let state: State

    /// Seconds between telling of an appointment and its begin.
    package static let secondsAhead: Int64 = 3600

    /// The latest for what has no end.
    package var dueAt: Instant { closes?.at ?? .distantFuture }

    package var study: StudyAssignment? {
        switch content {
        case .prompt(let asked), .once(let asked): asked
        default: nil
        }
    }

    package var intervention: InterventionRecord? {
        if case .intervention(let record) = content { record } else { nil }
    }

    package var appointment: AppointmentRecord? {
        if case .appointment(let record) = content { record } else { nil }
    }

    /// Whether a sensor may be read for it, as far as the questionnaire's card or the study says.
    package func asks(_ sensor: String, _ connection: borrowing Connection) throws -> Bool {
        if let study { return study.asks(sensor) }
        return try form.map { try InstrumentStore.card($0.questionnaire.key, connection).asks(sensor) }
            ?? false
    }
}

extension AgendaItem {
    package init(
        _ record: AssignmentRecord, _ questionnaire: QuestionnaireRecord, of therapy: Therapy, at now: Instant
    ) {
        content =
            record.source == .daily ? .daily(record) : .assignment(record)
        form = Form(id: record.id, questionnaire: questionnaire, draft: ID(record.id))
        opens = record.opens
        closes = record.closes
        let isUntold = record.ledger.notifiedAt == nil && record.ledger.openedAt == nil
        announcedAt = isUntold && record.dueAt > now ? record.availableFrom : nil
        state =
            if let sheet = record.contributionID {
                .done(sheet)
            } else if record.withdrawnAt != nil {
                .withdrawn
            } else if therapy.endedAt != nil {
                .ended
            } else if !therapy.asksByApp {
                .onPaper
            } else {
                Self.window(record.opens, record.closes, at: now)
            }
    }

    /// - Parameter state: where the study says more than its time.
    init(_ asked: StudyAssignment, at now: Instant, state: State? = nil) {
        content = asked.promptedAt == nil ? .once(asked) : .prompt(asked)
        form = Form(id: asked.id, questionnaire: asked.questionnaire, draft: asked.draft)
        opens = asked.opens
        closes = asked.closes
        announcedAt = asked.isAnnounced ? asked.announcedAt : nil
        self.state = state ?? Self.window(asked.opens, asked.closes, at: now)
    }

    init(_ record: InterventionRecord) {
        content = .intervention(record)
        form = nil
        opens = .set(record.assignedAt)
        closes = nil
        announcedAt = record.state == .new ? record.assignedAt : nil
        state = record.state == .new ? .open : .done(nil)
    }

    init(_ record: AppointmentRecord, at now: Instant) {
        content = .appointment(record)
        form = nil
        opens = .set(record.startsAt)
        closes = .set(record.endsAt)
        announcedAt = record.startsAt > now ? record.startsAt.adding(seconds: -Self.secondsAhead) : nil
        state = record.endsAt <= now ? .done(nil) : record.startsAt > now ? .coming : .open
    }

    /// Whole seconds count, as at the door.
    static func window(_ opens: PromptTime, _ closes: PromptTime, at now: Instant) -> State {
        if now.seconds < opens.at.seconds { return .coming }
        return now.seconds > closes.at.seconds ? .late : .open
    }
}
