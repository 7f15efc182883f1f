import Contributions
import Database
import Instruments
import JSON
import Questionnaires
import Records
import Scheduling
import Web
import Wire
import Wording

/// A questionnaire of a study, as stored.
package struct StudyItem: Sendable {
    package enum Baseline: String, Sendable, CaseIterable, SQLConvertible { case required, recommended }
    /// What a participant notes with a button when it happens: a moment, or a span with a begin and an end (ST-2).
    package enum Event: String, Sendable, CaseIterable, SQLConvertible { case moment, span }

    package let id: ID<StudyItem>
    package let studyID: ID<Study>
    package let key: String
    /// The key of the time point at which it is asked; nil for none.
    package let timePoint: String?
    /// Its place among those of the study.
    package let position: Int
    package let isOnetime: Bool
    package let baseline: Baseline?
    /// Nil for what is asked at times, once or at will.
    package let event: Event?
    package let deactivatedAt: Instant?
    package let isScheduleChangeable: Bool
    /// Whether own windows may end on the day after they begin.
    package let allowsOvernight: Bool
    let usesGPS: Bool
    let usesMicrophone: Bool
    /// The arms that are asked; empty for everybody (ST-5).
    package let arms: [StudyArm.Key]
    let addedAt: Instant
    package let revision: Int
    /// How it was asked, and since when, the earliest first.
    let plans: [Plan]

    struct Plan: Sendable {
        let since: Instant
        let isActive: Bool
        let schedules: [Schedule]
        /// The days of its time point; nil without one.
        let window: TimePointWindow?
    }

    /// Whether it is asked once on the days of a time point, and not at moments.
    package var isAskedInWindow: Bool { timePoint != nil && schedules.isEmpty && event == nil }

    /// Whether it is in use, and comes before all else.
    package var isAwaitedFirst: Bool { baseline == .required && deactivatedAt == nil }

    /// The same of everybody: what an arm alone is asked cannot be awaited before there is one.
    package var isAwaitedByAll: Bool { isAwaitedFirst && arms.isEmpty }

    /// Whether it is asked of a participant, as far as arms go.
    package func asks(_ enrolment: EnrolmentRecord) -> Bool {
        arms.isEmpty || enrolment.arm.map(arms.contains) ?? false
    }

    /// Whether it is asked once for each session of the therapy.
    package var isAskedEachSession: Bool {
        isAskedInWindow && plans.last?.window?.anchor == .eachSession
    }

    /// Whether it has one prompt, which is open on the days of its time point, wherever these are moved.
    package var isOneWindow: Bool { isAskedInWindow && !isAskedEachSession }

    package var schedules: [Schedule] { plans.last?.schedules ?? [] }

    /// Whether prompts come by the day; for weekly or monthly ones participants choose only the time. A questionnaire
    /// without a schedule may be asked for every day.
    package var isAskedDaily: Bool { schedules.isEmpty || schedules.contains { $0.unit == .day } }

    /// What is half filled in is kept under this: by the version, as it always was; of a time point by itself.
    /// - Parameter prompt: which one is filled in: what is asked for each session is kept by it.
    package func draft(
        of version: QuestionnaireRecord, answering prompt: ID<Assignment>?
    ) -> ID<DraftSubject> {
        if isAskedEachSession, let prompt { return ID(prompt) }
        return timePoint == nil ? ID(version.id) : ID(id.text)
    }

    /// Whether values of a sensor are asked for: `gps`, `microphone`.
    package func asks(_ sensor: String) -> Bool {
        sensor == "gps" ? usesGPS : sensor == "microphone" && usesMicrophone
    }

    /// The same of one participant, who may have refused the position.
    func asks(_ sensor: String, of enrolment: EnrolmentRecord) -> Bool {
        asks(sensor) && !(sensor == "gps" && enrolment.location == .refused)
    }

    package func wire(_ record: QuestionnaireRecord?, _ readers: [Language]) -> StudyQuestionnaire {
        var sensors: [StudyQuestionnaire.Sensor] = []
        if usesGPS { sensors.append(.init(name: "gps")) }
        if usesMicrophone { sensors.append(.init(name: "microphone")) }
        var wire = StudyQuestionnaire(
            studyID: studyID.text, key: key, title: record?.title(readers) ?? key,
            isActive: deactivatedAt == nil,
            isOnetime: isOnetime, baseline: baseline?.rawValue, isScheduleChangeable: isScheduleChangeable,
            questionnaireID: record?.id.text, schedules: schedules.map(\.wire), canUse: sensors)
        wire.allowsOvernight = allowsOvernight
        wire.timePoint = timePoint
        wire.position = position
        wire.event = event?.rawValue
        if let definition = record?.definition {
            let chosen = definition.language(asked: readers)
            wire.description = definition.description?[chosen]
            wire.origin = definition.origin
            wire.intro = definition.intro?[chosen]
            wire.outro = definition.outro?[chosen]
        }
        return wire
    }
}

extension [StudyItem] {
    /// One of each questionnaire of a study, whatever time points it stands at.
    package var distinct: [StudyItem] {
        var seen: Set<String> = []
        return filter { seen.insert("\($0.studyID)/\($0.key)").inserted }
    }
}
