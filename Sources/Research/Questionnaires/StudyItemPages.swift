import Database
import HTTP
import Instruments
import Records
import Scheduling
import Studies
import Web
import Wire
import Wording

/// The questionnaires of a study, how each is asked, and a preview of actual prompts (TYS-3, TYS-4).
package enum StudyItemPages {
    static func routes(_ routes: inout Routes) {
        let path = "/studies/:study/questionnaires"
        routes.page(.get, path, .studyLead, index)
        routes.page(.post, path, .studyLead, create)
        routes.page(.get, path + "/:item", .studyLead, edit)
        routes.page(.post, path + "/:item", .studyLead, update)
        routes.page(.post, path + "/:item/removal", .studyLead, destroy)
    }

    package struct Index: Page {
        package static let template = "studies/questionnaires"
        package static let section: NavigationItem? = .studies
        package struct Row: Encodable, Sendable {
            package let id: ID<StudyItem>
            package let title: String
            package let key: String
            package let plan: String
            package let badges: [String]
        }
        package let head: StudyHead
        package let timePoints: [TimePointPages.Row]
        package let hasTimePoints: Bool
        package let newTimePoint: String
        /// What a participant will be asked, day by day; nil where that is nothing.
        package let course: CoursePicture?
        package let rows: [Row]
        /// Nil where no questionnaire is left to add.
        package let asking: StudyItemFields?
        package let errors: ErrorSummary?
    }

    package struct Edit: Page {
        package static let template = "studies/questionnaire"
        package static let section: NavigationItem? = .studies
        package struct Preview: Encodable, Sendable {
            package let day: String
            package let times: String
        }
        package let head: StudyHead
        package let id: ID<StudyItem>
        package let revision: String?
        package let isStale: Bool
        package let title: String
        package let asking: StudyItemFields
        package let preview: [Preview]
        package let affected: String
        package let errors: ErrorSummary?
    }

    @Sendable package static func index(_ c: Context<StudyLead>) throws -> Reply {
        .page(try page(FormState(c.texts), c))
    }

    private static func page(_ filled: FormState, _ c: Context<StudyLead>) throws -> Index {
        let study = c.proof.study
        let points = study.timePoints
        let (lines, known) = try c.read { connection in
            let items = try StudyItemStore.all(in: study.id, connection)
            let lines = try items.map { item in
                let record = try QuestionnaireStore.newest(item.key, c.services.questionnaires, connection)
                return CoursePicture.Line(
                    item: item, title: record?.title(c.language) ?? item.key,
                    words: words(item, c.texts, c.dates))
            }
            // At its time points the same one stands as often as there are.
            let used = points.isEmpty ? Set(items.map(\.key)) : []
            let known = try QuestionnaireStore.newest(c.services.questionnaires, connection).filter {
                !used.contains($0.key)
            }
            return (lines, known)
        }
        let arms = try c.read { try ArmWords(of: study.id, in: c.languages, c.texts, $0) }
        let rows = lines.map { line in
            Index.Row(
                id: line.item.id, title: line.title, key: line.item.key, plan: line.words,
                badges: badges(line.item, arms, c))
        }
        let key = filled.list(
            "questionnaire_key", label: "studies.questionnaire", known.map { ($0.key, $0.title(c.language)) })
        return Index(
            head: StudyHead.make(c, tab: .questionnaires), timePoints: TimePointPages.rows(study, c),
            hasTimePoints: !points.isEmpty, newTimePoint: "\(study.path)/time-points/new",
            course: CoursePicture(lines, of: study, c), rows: rows,
            asking: known.isEmpty ? nil : try fields(StudyItemDraft(nil), [key], filled, c),
            errors: filled.summary)
    }

    private static func badges(_ item: StudyItem, _ arms: ArmWords, _ c: Context<StudyLead>) -> [String] {
        let texts = c.texts
        var badges = c.proof.study.timePoints.filter { $0.key == item.timePoint }.map {
            TimePointPages.title($0, c)
        }
        if let baseline = item.baseline { badges.append(texts["studies.baseline_\(baseline.rawValue)"]) }
        if item.isOnetime, !item.isAskedInWindow { badges.append(texts["studies.onetime"]) }
        if item.deactivatedAt != nil { badges.append(texts["studies.inactive"]) }
        return badges + item.arms.map(arms.name)
    }

    /// `3 zwischen 09:00 und 21:00, alle 1 Tage, ab Tag 0`.
    private static func words(_ item: StudyItem, _ texts: Texts, _ dates: DateFormat) -> String {
        if let event = item.event { return texts["studies.asked_\(event.rawValue)"] }
        if item.schedules.isEmpty {
            if item.isAskedEachSession { return texts["studies.asked_each_session"] }
            return texts[item.isAskedInWindow ? "studies.asked_in_window" : "studies.no_schedule"]
        }
        return item.schedules.map { schedule in
            ([moments(schedule, texts)] + limits(schedule, texts, dates)).joined(separator: ", ")
        }.joined(separator: "; ")
    }

    private static func moments(_ schedule: Schedule, _ texts: Texts) -> String {
        let unit = texts.count("studies.every_\(schedule.unit.rawValue)", schedule.every)
        switch schedule.moment {
        case .fixed(let at): return texts["studies.plan_fixed", ["at": at.text, "every": unit]]
        case .between(let start, let end):
            let values = [
                "n": String(schedule.amount), "start": start.text, "end": end.text, "every": unit,
            ]
            return texts["studies.plan_between", values]
        }
    }

    /// `an je 14 von 90 Tagen`, `30 Tage lang`.
    private static func limits(_ schedule: Schedule, _ texts: Texts, _ dates: DateFormat) -> [String] {
        let burst = schedule.burst.map { burst in
            texts["studies.plan_burst", ["days": String(burst.days), "every": String(burst.everyDays)]]
        }
        let end = schedule.end.map { end in
            switch end {
            case .on(let day): texts["studies.plan_until_on", ["day": dates.day(day)]]
            case .days(let days): texts.count("studies.plan_until_days", days)
            case .prompts(let prompts): texts.count("studies.plan_until_prompts", prompts)
            }
        }
        let valid = schedule.validMinutes.map { texts.count("studies.plan_valid", $0) }
        let grace = schedule.graceMinutes.map { texts.count("studies.plan_grace", $0) }
        let again =
            schedule.repeatMinutes.isEmpty
            ? nil
            : texts[
                "studies.plan_repeat_\(schedule.repeatMinutes.count)",
                Dictionary(
                    uniqueKeysWithValues: zip(["first", "second"], schedule.repeatMinutes.map { String($0) }))
            ]
        return [burst, end, valid, again, grace].compactMap(\.self)
    }

    @Sendable static func create(_ c: Context<StudyLead>) throws -> Reply {
        try c.submit(orShow: { try page($0, c) }) { fields in
            let key = fields.text("questionnaire_key", required: true)
            let id = try StudyItems.add(key ?? "", try draft(fields, over: nil, c), c)
            return .seeOther("\(c.proof.study.path)/questionnaires/\(id)", flash: Message("studies.saved"))
        }
    }

    /// A limit without a schedule would be lost without a word.
    private static func draft(_ fields: InputReader, over item: StudyItem?, _ c: Context<StudyLead>) throws
        -> StudyItemDraft
    {
        if ["none", nil].contains(fields.text("type")) {
            for name in StudyItemFields.limitNames where fields.value(name) != nil {
                fields.refuse(name, "studies.limit_alone")
            }
        }
        let groups = try c.read { try GroupStore.find(c.proof.study.id, $0) }?.groups
        return try StudyItemDraft.read(form: fields, over: item, arms: groups?.arms.map(\.key) ?? [])
    }

    @Sendable static func edit(_ c: Context<StudyLead>) throws -> Reply {
        .page(try page(try StudyItems.found(c), FormState(c.texts), c))
    }

    private static func page(_ item: StudyItem, _ filled: FormState, _ c: Context<StudyLead>) throws -> Edit {
        let (record, counts, own) = try c.read { connection in
            (
                try QuestionnaireStore.newest(item.key, c.services.questionnaires, connection),
                try StudyStore.counts(item.studyID, connection),
                try NotificationTimesStore.count(of: item.id, connection)
            )
        }
        var affected = c.texts.count("studies.affected", counts["enrolled"] ?? 0)
        if own > 0 { affected += " " + c.texts.count("studies.with_own_times", own) }
        return Edit(
            head: StudyHead.make(c, tab: .questionnaires), id: item.id,
            revision: filled.revision(item.revision), isStale: filled.isStale,
            title: record?.title(c.language) ?? item.key,
            asking: try fields(StudyItemDraft(item), [], filled, c),
            preview: preview(item, c), affected: affected,
            errors: filled.summary)
    }

    private static let previewDays: Int64 = 28

    /// The prompts of four weeks for a participant enrolling now.
    private static func preview(_ item: StudyItem, _ c: Context<StudyLead>) -> [Edit.Preview] {
        let zone = c.dates.zone
        let prompts = item.schedules.enumerated().flatMap { number, schedule in
            schedule.prompts(
                enrolledOn: c.dates.today, ParticipantZones(zone),
                seed: Schedule.seed("example", item.id.text, String(number)),
                until: c.now.adding(days: previewDays)
            ).map(\.at)
        }.filter { $0 > c.now }
        let days = Dictionary(grouping: prompts.sorted()) { LocalTime($0, zone).date }
        return days.keys.sorted().map { day in
            Edit.Preview(
                day: c.dates.shortDay(day),
                times: (days[day] ?? []).map { c.dates.time($0) }.joined(separator: ", "))
        }
    }

    @Sendable static func update(_ c: Context<StudyLead>) throws -> Reply {
        let item = try StudyItems.found(c)
        return try c.submit(
            orShow: { try page(item, $0, c) }, stale: { try page(try StudyItems.found(c), $0, c) }
        ) {
            fields in
            try StudyItems.change(item, to: try draft(fields, over: item, c), c)
            return .seeOther(
                "/studies/\(item.studyID)/questionnaires/\(item.id)", flash: Message("studies.saved"))
        }
    }

    @Sendable static func destroy(_ c: Context<StudyLead>) throws -> Reply {
        let item = try StudyItems.found(c)
        do {
            try StudyItems.remove(item, c)
        } catch Problem.conflict(let message, _) {
            return .seeOther("/studies/\(item.studyID)/questionnaires/\(item.id)", flash: message)
        } catch Problem.preconditionFailed {
            return .seeOther(
                "/studies/\(item.studyID)/questionnaires/\(item.id)",
                flash: Message("studies.changed_meanwhile"))
        }
        return .seeOther("/studies/\(item.studyID)/questionnaires", flash: Message("studies.saved"))
    }
}
