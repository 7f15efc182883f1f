import Database
import HTTP
import Studies
import Web
import Wire
import Wording

/// The time points of a study in the portal: which days belong to each (ST-1). They are part of the study, and change with it.
package enum TimePointPages {
    static func routes(_ routes: inout Routes) {
        let path = "/studies/:study/time-points"
        routes.page(.get, path + "/new", .studyLead, new)
        routes.page(.post, path + "/new", .studyLead, create)
        routes.page(.get, path + "/:key", .studyLead, edit)
        routes.page(.post, path + "/:key", .studyLead, update)
        routes.page(.post, path + "/:key/removal", .studyLead, destroy)
    }

    package struct Edit: Page {
        package static let template = "studies/time-point"
        package static let section: NavigationItem? = .studies
        package let head: StudyHead
        package let title: String
        package let action: String
        package let revision: String?
        package let isStale: Bool
        package let fields: [FieldView]
        /// Nil for a new one.
        package let removal: String?
        package let errors: ErrorSummary?
    }

    /// One in a list.
    package struct Row: Encodable, Sendable {
        package let title: String
        package let key: String
        package let path: String
        /// `Tag 90 ± 7, ab dem Einschluss`.
        package let days: String
    }

    static func rows(_ study: StudyRecord, _ c: Context<StudyLead>) -> [Row] {
        study.timePoints.map { point in
            Row(
                title: title(point, c), key: point.key, path: "\(study.path)/time-points/\(point.key)",
                days: words(point.window, c.texts, c.dates))
        }
    }

    static func title(_ point: TimePoint, _ c: Context<StudyLead>) -> String {
        point.title.text(in: c.languages) ?? point.key
    }

    private static func words(_ window: TimePointWindow, _ texts: Texts, _ dates: DateFormat) -> String {
        let values = [
            "day": String(window.day), "from": String(window.day - window.before),
            "to": String(window.day + window.after), "on": window.on.map { dates.day($0) } ?? "",
        ]
        let days = window.before + window.after == 0 ? "day" : "days"
        return texts["studies.window_\(days)_\(window.anchor.rawValue)", values]
    }

    @Sendable static func new(_ c: Context<StudyLead>) throws -> Reply {
        .page(page(nil, FormState(c.texts), c))
    }

    @Sendable static func edit(_ c: Context<StudyLead>) throws -> Reply {
        .page(page(try found(c), FormState(c.texts), c))
    }

    @Sendable static func create(_ c: Context<StudyLead>) throws -> Reply {
        try c.submit(orShow: { page(nil, $0, c) }, stale: { page(nil, $0, c) }) { fields in
            let point = try read(fields, nil, among: c.proof.study.timePoints, c)
            return try keep(c.proof.study.timePoints + [point], c)
        }
    }

    @Sendable static func update(_ c: Context<StudyLead>) throws -> Reply {
        let known = try found(c)
        return try c.submit(orShow: { page(known, $0, c) }, stale: { page(known, $0, c) }) { fields in
            let point = try read(fields, known.key, among: [], c)
            return try keep(c.proof.study.timePoints.map { $0.key == known.key ? point : $0 }, c)
        }
    }

    /// A date of the therapy needs the line of the consent text that says so, which the study's form has.
    private static func read(
        _ fields: InputReader, _ key: String?, among others: [TimePoint], _ c: Context<StudyLead>
    ) throws -> TimePoint {
        let anchor = fields.text("anchor").flatMap(TimePointWindow.Anchor.init)
        if anchor?.isOfTherapy == true, !c.proof.study.tellsSessionDates {
            fields.refuse("anchor", "studies.consent_line_missing")
        }
        return try TimePoint.read(form: fields, key: key, among: others)
    }

    @Sendable static func destroy(_ c: Context<StudyLead>) throws -> Reply {
        let known = try found(c)
        let isUsed = try c.read { connection in
            // Also by an outcome of what therapies ask.
            let outcomes = try GroupStore.find(c.proof.study.id, connection)?.groups.outcomes ?? []
            return try outcomes.contains { $0.timePoint == known.key }
                || StudyItemStore.all(in: c.proof.study.id, connection).contains { $0.timePoint == known.key }
        }
        if isUsed {
            return .seeOther(
                "\(c.proof.study.path)/time-points/\(known.key)",
                flash: Message("studies.time_point_used", ["key": known.key]))
        }
        do {
            return try keep(c.proof.study.timePoints.filter { $0.key != known.key }, c)
        } catch Problem.preconditionFailed {
            return .seeOther(
                "\(c.proof.study.path)/time-points/\(known.key)", flash: Message("studies.changed_meanwhile"))
        }
    }

    private static func keep(_ points: [TimePoint], _ c: Context<StudyLead>) throws -> Reply {
        var draft = StudyDraft(c.proof.study)
        draft.timePoints = points
        try StudyActions.change(c.proof.study, to: draft, c)
        return .seeOther("\(c.proof.study.path)/questionnaires", flash: Message("studies.saved"))
    }

    private static func found(_ c: Context<StudyLead>) throws -> TimePoint {
        guard let point = c.proof.study.timePoints.first(where: { $0.key == c.places["key"] }) else {
            throw Problem.notFound
        }
        return point
    }

    private static func page(_ point: TimePoint?, _ filled: FormState, _ c: Context<StudyLead>) -> Edit {
        let texts = c.texts
        let study = c.proof.study
        let path = "\(study.path)/time-points/"
        var fields: [FieldView] = []
        if point == nil {
            fields.append(
                filled.field(
                    "key", label: "studies.time_point_name", first: "t\(study.timePoints.count)",
                    hint: "studies.time_point_key", required: true))
        }
        fields +=
            LocalizedFields(
                "title", label: "studies.title_in", first: point?.title, isArea: false, filled, c.services
            ).fields
        let window = point?.window
        fields.append(
            filled.list(
                "anchor", label: "studies.anchor", first: window?.anchor.rawValue ?? "enrolment",
                StudyTimePoint.anchors.map { ($0, texts["studies.anchor_\($0)"]) }))
        fields.append(
            filled.field(
                "on", .date, label: "studies.anchor_on", first: window?.on?.text ?? "",
                hint: "studies.anchor_on_hint"))
        let numbers = [("day", window?.day), ("before", window?.before), ("after", window?.after)]
        for (name, first) in numbers {
            fields.append(
                filled.field(
                    name, .whole, label: "studies.window_\(name)", first: String(first ?? 0),
                    hint: name == "day" ? "studies.window_day_hint" : nil))
        }
        return Edit(
            head: StudyHead.make(c, tab: .questionnaires),
            title: point.map { title($0, c) } ?? texts["studies.new_time_point"],
            action: path + (point?.key ?? "new"), revision: filled.revision(study.revision),
            isStale: filled.isStale, fields: fields, removal: point.map { "\(path)\($0.key)/removal" },
            errors: filled.summary)
    }
}

extension TimePoint {
    /// - Parameters:
    ///   - key: of one that is there already, which keeps it; nil for a new one.
    ///   - others: their keys are taken.
    /// - Throws: `Problem.invalid`.
    fileprivate static func read(
        form fields: InputReader, key: String?, among others: [TimePoint]
    ) throws(Problem) -> TimePoint {
        let point = read(fields, key: key)
        if let point, others.contains(where: { $0.key == point.key }) {
            fields.refuse("key", "studies.time_point_twice")
        }
        try fields.finish()
        guard let point else { throw .invalid(fields.errors) }
        return point
    }
}
