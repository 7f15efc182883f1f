import Database
import HTTP
import Scheduling
import Studies
import Web
import Wire
import Wording

/// Where a participant stands in the time points of their study (ST-1): the days of each, and what of it was filled in.
package enum ParticipantCourse {
    static func routes(_ routes: inout Routes) {
        routes.page(.post, "/studies/:study/participants/:codename/anchors/:key", .studyLead, enter)
    }

    package struct Row: Encodable, Sendable {
        package let title: String
        package let days: String
        /// `1 von 2`; what is missing where it has no days yet.
        package let state: String
        /// Where leads enter the date from which days are counted.
        package let anchor: Anchor?
    }

    package struct Anchor: Encodable, Sendable {
        package let action: String
        package let revision: String
        let date: FieldView
    }

    /// - Parameters:
    ///   - filled: a form that was sent.
    ///   - key: the time point whose date that form enters.
    static func rows(
        of enrolment: EnrolmentRecord, _ filled: FormState, entering key: String?, _ c: Context<StudyLead>,
        _ connection: borrowing Connection
    ) throws -> [Row] {
        let study = c.proof.study
        if study.timePoints.isEmpty { return [] }
        let prompts = try StudyPrompts(study, connection).of(enrolment, connection)
        return try study.timePoints.map { point in
            let days = prompts.days(of: point, at: c.now)
            let missing = try TherapyDates.lack(of: enrolment, for: point.window.anchor, connection)
            return Row(
                title: TimePointPages.title(point, c),
                days: days.map { words($0, c.dates) } ?? sessions(point, prompts, c.texts)
                    ?? c.texts["studies.course_\(missing?.rawValue ?? "no_date")"],
                state: point.window.anchor == .eachSession
                    ? eachState(of: point, prompts, c) : state(of: point, prompts, on: days, c),
                anchor: enrolment.state == .enrolled && point.window.anchor == .lead
                    ? anchor(point, prompts, point.key == key ? filled : FormState(c.texts), in: c) : nil)
        }
    }

    /// `12 Sitzungen`; nil where the therapy has none, and for what is counted from one date.
    private static func sessions(
        _ point: TimePoint, _ prompts: ParticipantPrompts, _ texts: Texts
    ) -> String? {
        let known = prompts.sessions.dates[point.key]?.count { $0.dates.last?.date != nil } ?? 0
        return known == 0 ? nil : texts.count("studies.course_sessions", known)
    }

    /// Of what is asked for each session, how much of it that has come was filled in.
    private static func eachState(
        of point: TimePoint, _ prompts: ParticipantPrompts, _ c: Context<StudyLead>
    ) -> String {
        let items = prompts.items.filter { $0.timePoint == point.key && $0.deactivatedAt == nil }
        let counts = items.map { prompts.eachSession($0, until: c.now) }
        let asked = counts.reduce(0) { $0 + $1.asked }
        if asked == 0 { return c.texts["studies.course_before"] }
        return c.texts.count("timeline.n_of", counts.reduce(0) { $0 + $1.answered }, of: asked)
    }

    private static func words(_ days: ClosedRange<LocalDate>, _ dates: DateFormat) -> String {
        let first = dates.day(days.lowerBound)
        let last = dates.day(days.upperBound)
        return first == last ? first : "\(first) – \(last)"
    }

    /// What was never asked, because its days were over before, is not missed.
    private static func state(
        of point: TimePoint, _ prompts: ParticipantPrompts, on days: ClosedRange<LocalDate>?,
        _ c: Context<StudyLead>
    ) -> String {
        let items = prompts.items.filter { $0.timePoint == point.key && $0.deactivatedAt == nil }
        let answered = items.count { prompts.firsts[$0.id] != nil }
        let asked = items.count {
            prompts.enrolment.isOnPaper || prompts.firsts[$0.id] != nil || prompts.wasAsked($0, at: c.now)
        }
        if asked > 0 { return c.texts.count("timeline.n_of", answered, of: asked) }
        let isOver = days.map { $0.upperBound < c.dates.today } ?? false
        return c.texts[isOver && !items.isEmpty ? "studies.course_not_asked" : "studies.course_before"]
    }

    private static func anchor(
        _ point: TimePoint, _ prompts: ParticipantPrompts, _ filled: FormState, in c: Context<StudyLead>
    ) -> Anchor {
        let entered = prompts.anchors[point.key] ?? []
        var date = filled.field(
            "date", .date, label: "studies.anchor_date_label", first: entered.last?.date?.text ?? "")
        date.label = "\(TimePointPages.title(point, c)): \(date.label)"
        date.name = "anchor-\(point.key)"
        date.sends = "date"
        return Anchor(
            action: "\(c.proof.study.path)/participants/\(prompts.enrolment.codename)/anchors/\(point.key)",
            revision: String(entered.count), date: date)
    }

    /// An empty date takes one back.
    @Sendable static func enter(_ c: Context<StudyLead>) throws -> Reply {
        let enrolment = try Anchors.found(c)
        let key = try Anchors.key(c)
        let path = "\(c.proof.study.path)/participants/\(enrolment.codename)"
        let again = { (filled: FormState) in try ParticipantPage.page(filled, entering: key, c) }
        return try c.submit(orShow: again, stale: again) { fields in
            let date = fields.date("date")
            try fields.finish()
            do {
                _ = try Anchors.set(date, for: key, of: enrolment, c)
            } catch Problem.conflict(let message, _) {
                return .seeOther(path, flash: message)
            }
            return .seeOther(path, flash: Message("studies.saved"))
        }
    }
}
