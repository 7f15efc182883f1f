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

    package let id: ID<StudyItem>
    package let studyID: ID<Study>
    package let key: String
    /// The key of the time point at which it is asked; nil for none.
    package let timePoint: String?
    /// Its place among those of the study.
    package let position: Int
    package let isOnetime: Bool
    package let baseline: Baseline?
    package let deactivatedAt: Instant?
    package let isScheduleChangeable: Bool
    /// Whether own windows may end on the day after they begin.
    package let allowsOvernight: Bool
    let usesGPS: Bool
    let usesMicrophone: Bool
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
    package var isAskedInWindow: Bool { timePoint != nil && schedules.isEmpty }

    /// Whether it is asked once for each session of the therapy.
    package var isAskedEachSession: Bool {
        isAskedInWindow && plans.last?.window?.anchor == .eachSession
    }

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

/// The settings of a study's questionnaire. Made only by reading.
package struct StudyItemDraft: Sendable {
    package var isActive: Bool
    package var isOnetime: Bool
    package var baseline: StudyItem.Baseline?
    package var isScheduleChangeable: Bool
    package var allowsOvernight: Bool
    package var usesGPS: Bool
    package var usesMicrophone: Bool
    package var schedules: [Schedule]
    package var timePoint: String?
    /// Nil for the last place.
    package var position: Int?

    private static let mostSchedules = 12

    package init(_ item: StudyItem?) {
        isActive = item.map { $0.deactivatedAt == nil } ?? true
        isOnetime = item?.isOnetime ?? false
        baseline = item?.baseline
        isScheduleChangeable = item?.isScheduleChangeable ?? false
        allowsOvernight = item?.allowsOvernight ?? false
        usesGPS = item?.usesGPS ?? false
        usesMicrophone = item?.usesMicrophone ?? false
        schedules = item?.schedules ?? []
        timePoint = item?.timePoint
        position = item?.position
    }

    /// From the API: fields that are not sent keep their values.
    /// - Throws: `Problem.invalid`.
    package static func read(json fields: InputReader, over item: StudyItem?) throws(Problem)
        -> StudyItemDraft
    {
        var draft = StudyItemDraft(item)
        draft.readFlags(fields)
        if fields.has("baseline") {
            draft.baseline = fields.choice("baseline", from: StudyQuestionnaire.baselines).flatMap(
                StudyItem.Baseline.init)
        }
        if let list = fields.list("schedules") { draft.readSchedules(list, fields) }
        if let list = fields.list("can_use") { draft.readSensors(list, fields) }
        if fields.has("time_point") { draft.timePoint = fields.text("time_point") }
        if fields.value("position") != nil { draft.position = fields.whole("position", 0...999, first: 0) }
        return try draft.checked(fields)
    }

    private mutating func readFlags(_ fields: InputReader) {
        isActive = fields.box("is_active", over: isActive)
        isOnetime = fields.box("is_onetime", over: isOnetime)
        isScheduleChangeable = fields.box("is_schedule_changeable", over: isScheduleChangeable)
        allowsOvernight = fields.box("allows_overnight", over: allowsOvernight)
    }

    private mutating func readSchedules(_ list: [JSON], _ fields: InputReader) {
        if list.count > Self.mostSchedules {
            return fields.refuse(
                "schedules", "errors.whole", ["from": "0", "to": String(Self.mostSchedules)])
        }
        schedules = list.enumerated().compactMap { index, json in
            guard case .object = json else {
                fields.refuse("schedules.\(index)", "errors.object")
                return nil
            }
            let inner = fields.inner(json, "schedules.\(index).")
            let schedule = Schedule.read(inner)
            fields.adopt(inner)
            return schedule
        }
    }

    private mutating func readSensors(_ list: [JSON], _ fields: InputReader) {
        usesGPS = false
        usesMicrophone = false
        for (index, json) in list.enumerated() {
            switch json["name"]?.string ?? json.string {
            case "gps": usesGPS = true
            case "microphone": usesMicrophone = true
            default: fields.refuse("can_use.\(index)", "errors.choice")
            }
        }
    }

    /// From the portal's form: one schedule in fields of its own.
    /// - Throws: `Problem.invalid`.
    package static func read(form fields: InputReader, over item: StudyItem?) throws(Problem)
        -> StudyItemDraft
    {
        var draft = StudyItemDraft(item)
        draft.readFlags(fields)
        let baseline = fields.choice("baseline", from: ["none"] + StudyQuestionnaire.baselines)
        draft.baseline = baseline.flatMap(StudyItem.Baseline.init)
        draft.usesGPS = fields.bool("gps") ?? false
        draft.usesMicrophone = fields.bool("microphone") ?? false
        if draft.schedules.count > 1 {
            // Several are changed over the API; the form shows none of them.
        } else if fields.text("type") == "none" || fields.value("type") == nil {
            draft.schedules = []
        } else if let schedule = Schedule.read(fields) {
            draft.schedules = [schedule]
        }
        draft.timePoint = fields.text("time_point")
        return try draft.checked(fields)
    }

    private func checked(_ fields: InputReader) throws(Problem) -> StudyItemDraft {
        var draft = self
        // On the days of a time point it is asked once.
        if timePoint != nil, schedules.isEmpty { draft.isOnetime = true }
        if timePoint != nil, schedules.isEmpty, isScheduleChangeable {
            fields.refuse("is_schedule_changeable", "studies.window_has_no_times")
        }
        let fixed = schedules.compactMap { schedule -> String? in
            guard case .fixed(let at) = schedule.moment else { return nil }
            return "\(at.text) \(schedule.every) \(schedule.unit) \(schedule.startDay)"
        }
        if Set(fixed).count < fixed.count { fields.refuse("schedules", "studies.same_time") }
        if isOnetime, schedules.contains(where: { $0.amount > 1 }) {
            fields.refuse("schedules", "studies.onetime_once")
        }
        let repeats = baseline == .required && !isOnetime && !schedules.isEmpty
        if repeats { fields.refuse("schedules", "studies.baseline_once") }
        try fields.finish()
        return draft
    }
}
