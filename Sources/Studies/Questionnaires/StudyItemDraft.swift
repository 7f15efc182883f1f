import JSON
import Scheduling
import Web
import Wire
import Wording

/// The settings of a study's questionnaire. Made only by reading.
package struct StudyItemDraft: Sendable {
    package var isActive: Bool
    package var isOnetime: Bool
    package var baseline: StudyItem.Baseline?
    package var event: StudyItem.Event?
    package var isScheduleChangeable: Bool
    package var allowsOvernight: Bool
    package var usesGPS: Bool
    package var usesMicrophone: Bool
    package var schedules: [Schedule]
    package var timePoint: String?
    /// Nil for the last place.
    package var position: Int?
    /// Of everybody, if empty.
    package var arms: [StudyArm.Key]

    private static let mostSchedules = 12

    package init(_ item: StudyItem?) {
        isActive = item.map { $0.deactivatedAt == nil } ?? true
        isOnetime = item?.isOnetime ?? false
        baseline = item?.baseline
        event = item?.event
        isScheduleChangeable = item?.isScheduleChangeable ?? false
        allowsOvernight = item?.allowsOvernight ?? false
        usesGPS = item?.usesGPS ?? false
        usesMicrophone = item?.usesMicrophone ?? false
        schedules = item?.schedules ?? []
        timePoint = item?.timePoint
        position = item?.position
        arms = item?.arms ?? []
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
        if fields.has("event") {
            draft.event = fields.choice("event", from: StudyQuestionnaire.events).flatMap(
                StudyItem.Event.init)
        }
        if let list = fields.list("schedules") { draft.readSchedules(list, fields) }
        if let list = fields.list("can_use") { draft.readSensors(list, fields) }
        if fields.has("time_point") { draft.timePoint = fields.text("time_point") }
        if fields.has("arms") { draft.readArms(fields.list("arms") ?? [], fields) }
        if fields.value("position") != nil { draft.position = fields.whole("position", 0...999, first: 0) }
        return try draft.freed(from: item, fields).checked(fields)
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

    private mutating func readArms(_ list: [JSON], _ fields: InputReader) {
        let keys = list.compactMap(\.string).map { StudyArm.Key(rawValue: $0) }
        if keys.count < list.count || Set(keys).count < keys.count { fields.refuse("arms", "errors.choice") }
        arms = keys
    }

    /// From the portal's form: one schedule in fields of its own.
    /// - Throws: `Problem.invalid`.
    /// - Parameter choices: the arms of the study, each with a box.
    package static func read(
        form fields: InputReader, over item: StudyItem?, arms choices: [StudyArm.Key]
    ) throws(Problem) -> StudyItemDraft {
        var draft = StudyItemDraft(item)
        if !choices.isEmpty { draft.arms = choices.filter { fields.bool("arm_\($0.rawValue)") ?? false } }
        draft.readFlags(fields)
        let baseline = fields.choice("baseline", from: ["none"] + StudyQuestionnaire.baselines)
        draft.baseline = baseline.flatMap(StudyItem.Baseline.init)
        let event = fields.choice("event", from: ["none"] + StudyQuestionnaire.events)
        draft.event = event.flatMap(StudyItem.Event.init)
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
        return try draft.freed(from: item, fields).checked(fields)
    }

    /// What was asked once on the days of a time point was so by itself, which says nothing of a button.
    private func freed(from item: StudyItem?, _ fields: InputReader) -> StudyItemDraft {
        var draft = self
        if event != nil, item?.isAskedInWindow == true, fields.isForm || !fields.has("is_onetime") {
            draft.isOnetime = false
        }
        return draft
    }

    private func checked(_ fields: InputReader) throws(Problem) -> StudyItemDraft {
        var draft = self
        // On the days of a time point it is asked once.
        if timePoint != nil, schedules.isEmpty, event == nil { draft.isOnetime = true }
        if event != nil { checkEvent(fields) }
        if timePoint != nil, schedules.isEmpty, event == nil, isScheduleChangeable {
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

    /// What comes when it happens is asked at no time, as often as it happens, and nothing waits for it.
    private func checkEvent(_ fields: InputReader) {
        if !schedules.isEmpty {
            fields.refuse(fields.isForm ? "type" : "schedules", "studies.event_no_schedule")
        }
        if isOnetime { fields.refuse("is_onetime", "studies.event_not_onetime") }
        if baseline != nil { fields.refuse("baseline", "studies.event_no_baseline") }
        if isScheduleChangeable { fields.refuse("is_schedule_changeable", "studies.event_no_times") }
    }
}
