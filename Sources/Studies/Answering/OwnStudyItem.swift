import Contributions
import Database
import Instruments
import Records
import Wire

/// A questionnaire of a participant's study, and whether it may be filled in at will now (TYS-3).
package struct OwnStudyItem: Sendable {
    package enum State: Sendable, Equatable {
        case open
        /// Asked once, and answered.
        case answered
        /// The days of its time point have not come, or are over.
        case outside
        /// Baselines that come first.
        case waits(for: [ID<StudyItem>])
        case notRunning, inactive, onPaper
    }

    package let study: StudyRecord
    package let enrolment: EnrolmentRecord
    package let item: StudyItem
    /// The version to fill in now; nil when none is in use.
    package let questionnaire: QuestionnaireRecord?
    package let state: State
    /// Whether it was ever filled in; of what is asked for each session, whether what is open was.
    package let isFilledOut: Bool
    /// The prompt about a session that is filled in now; nil for what is not asked for each session.
    private let asks: ID<Assignment>?

    /// What is half filled in is kept under this.
    package func draft(of version: QuestionnaireRecord) -> ID<DraftSubject> {
        item.draft(of: version, answering: asks)
    }

    /// Whether a sensor may be read for it, by the study and the participant's choice.
    package func asks(_ sensor: String) -> Bool {
        item.asks(sensor, of: enrolment)
    }

    package var isRequiredBaseline: Bool { item.baseline == .required }
    package var isRecommendedBaseline: Bool { item.baseline == .recommended }

    /// All studies of an account: study by study, baselines first.
    package static func all(
        of account: ID<Account>, _ cache: QuestionnaireCache, at now: Instant,
        _ connection: borrowing Connection
    ) throws -> [OwnStudyItem] {
        try EnrolmentStore.all(of: account, connection).flatMap { enrolment -> [OwnStudyItem] in
            guard enrolment.state == .enrolled, enrolment.enrolledAt != nil,
                let study = try StudyStore.find(enrolment.studyID, connection)
            else { return [] }
            let prompts = try StudyPrompts(study, connection).of(enrolment, connection)
            return try prompts.items.map { item in
                let record = try QuestionnaireStore.newest(item.key, cache, connection)
                return OwnStudyItem(
                    study: study, enrolment: enrolment, item: item, questionnaire: record,
                    state: state(of: item, record, prompts, now),
                    isFilledOut: prompts.isFilledOut(item, at: now),
                    asks: item.isAskedEachSession
                        ? prompts.awaited(item, at: now).map {
                            PromptMatch.id($0, of: item, as: enrolment)
                        } : nil)
            }
        }
    }

    private static func state(
        of item: StudyItem, _ record: QuestionnaireRecord?, _ prompts: ParticipantPrompts, _ now: Instant
    ) -> State {
        if prompts.enrolment.isOnPaper { return .onPaper }
        if !prompts.all.study.isRunning(at: now) { return .notRunning }
        if record == nil || item.deactivatedAt != nil { return .inactive }
        if prompts.isSettled(item, at: now) { return .answered }
        guard prompts.isHeldUp(item, at: now) else { return prompts.isOpen(item, at: now) ? .open : .outside }
        return .waits(
            for: prompts.missingBaselines.map(\.id))
    }
}
