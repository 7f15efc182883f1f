import Contributions
import Instruments
import Questionnaires
import Records
import Scheduling
import Web
import Wire
import Wording

/// An assignment of a study: a prompt until the end of its local day, or a questionnaire without prompts until it was
/// answered once. Not stored: it follows from the prompts.
package struct StudyAssignment: Sendable {
    package let id: ID<Assignment>
    package let study: ID<Study>
    package let item: StudyItem
    package let enrolment: EnrolmentRecord
    package let questionnaire: QuestionnaireRecord
    /// The moment of the prompt; nil without one.
    package let promptedAt: Instant?
    /// When devices tell of it, where they do.
    package let announcedAt: Instant
    /// When it is called again while it is unanswered (ST-2).
    package let calls: [Instant]
    package let opens: PromptTime
    /// Until when it is said to be open.
    package let closes: PromptTime
    /// Until when what was completed is taken: a device may have been told so before the study's end was moved (RP-103).
    package let takenUntil: Instant
    /// Until when what was completed until then is taken by itself; nil whenever it comes (ST-2).
    package let arrivesUntil: Instant?
    /// What is asked once is answered at all its prompts.
    package let isAnswered: Bool
    /// Whether it is a baseline that comes before all else and has not come yet.
    package let isAwaited: Bool
    /// Where the questionnaire stands in its study, baselines first.
    let place: Int

    package var availableFrom: Instant { opens.at }
    package var dueAt: Instant { closes.at }
    /// Whether devices tell of it when it opens: every prompt, and of what is asked without a moment what comes before all else.
    package var isAnnounced: Bool { promptedAt != nil || isAwaited }

    /// Every moment at which devices tell of it, the first one included; none where they do not.
    package var allCalls: [Instant] { isAnnounced ? [announcedAt] + calls : [] }

    /// What is half filled in is kept under this: by the version, as pages have it; of a time point by itself, of each session by its prompt.
    package var draft: ID<DraftSubject> { item.draft(of: questionnaire, answering: id) }

    /// Whether the moment itself is what is measured.
    package var isMomentary: Bool { opens.isRandom }

    /// Whether a sensor may be read for it, as far as the study and the participant's choice for it say.
    package func asks(_ sensor: String) -> Bool { item.asks(sensor, of: enrolment) }

    /// The id of a questionnaire without prompts among a participant's assignments.
    package static func once(_ item: ID<StudyItem>, _ enrolment: ID<Enrolment>) -> ID<Assignment> {
        ID(DerivedID.of("study", enrolment, item, "once"))
    }

    /// Assignments due at one moment: in the order of their prompts, then of the study, the same for all.
    static func isBefore(_ one: StudyAssignment, _ other: StudyAssignment) -> Bool {
        let order = { (asked: StudyAssignment) in
            (asked.dueAt, asked.promptedAt ?? .distantPast, asked.study, asked.place)
        }
        return order(one) < order(other)
    }

    package func wire(draft: Answers, _ readers: [Language]) -> Assignment {
        let shown = questionnaire.definition.visibleSections(draft).flatMap(\.questions)
        return Assignment(
            questionnaireID: questionnaire.id.text, questionnaireKey: questionnaire.key,
            version: questionnaire.version, title: questionnaire.title(readers), source: "study",
            availableFrom: availableFrom, dueAt: dueAt,
            progress: .init(answered: shown.count { draft[$0.key] != nil }, total: shown.count))
    }
}
