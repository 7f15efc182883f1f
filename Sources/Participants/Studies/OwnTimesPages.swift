import Accounts
import HTTP
import Instruments
import Records
import Scheduling
import Studies
import Web
import Wording

/// A participant's own times of a study's prompts (TYS-6): random, fixed, or both, where the leads allow it.
package enum OwnTimesPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/my/studies/:study/questionnaires/:item/times", .patient, edit)
        routes.page(.post, "/my/studies/:study/questionnaires/:item/times", .patient, update)
    }

    package struct Edit: Page {
        package static let template = "my/times"
        package static let section: NavigationItem? = .more

        /// The window of a weekday, or a time; drawn in one row.
        package struct Row: Encodable, Sendable {
            let id: String
            let title: String
            /// The error of the row as a whole.
            let error: String?
            let fields: [FieldView]
            /// Whether its time was set by the leads; not to be seen. Nil for windows.
            let fixed: FieldView?
        }
        let parent: PageLink
        let name: String
        let action: String
        let option: FieldView?
        let amount: FieldView?
        let windows: [Row]
        let hasWindows: Bool
        let allowsOvernight: Bool
        let times: [Row]
        /// The times as one value; not to be seen.
        let all: FieldView
        var errors: ErrorSummary?

        package static let example = Edit(
            parent: PageLink(label: "Studien", path: "/my/studies", isCurrent: false),
            name: "Wohlbefinden", action: "/my/studies/x/questionnaires/y/times",
            option: FieldView(name: "option", label: "Wie gefragt wird", isSelect: true),
            amount: FieldView(name: "amount", label: "Wie oft am Tag", type: "number"),
            windows: [
                Row(
                    id: "windows.0", title: "Mo", error: nil,
                    fields: [FieldView(name: "windows.0.from", label: "Von", type: "time")], fixed: nil)
            ], hasWindows: true, allowsOvernight: true,
            times: [
                Row(
                    id: "times.0", title: "1.", error: nil,
                    fields: [FieldView(name: "times.0.at", label: "Uhrzeit", type: "time")], fixed: nil)
            ], all: FieldView(name: OwnTimesForm.all, label: "", value: "08:00"), errors: nil)
    }

    @Sendable static func edit(_ c: Context<Member>) throws -> Reply {
        let (item, enrolment) = try found(c)
        let times = try NotificationPlanAPI.times(item, enrolment, c)
        return .page(try page(item, times, FormState(c.texts), c))
    }

    @Sendable static func update(_ c: Context<Member>) throws -> Reply {
        let (item, enrolment) = try found(c)
        let stored = try NotificationPlanAPI.times(item, enrolment, c)
        let again = { (filled: FormState) in
            // Errors are told by the lines without gaps.
            if filled.errors.isEmpty { return try page(item, stored, filled, c) }
            let laid = OwnTimesForm.withoutGaps(filled)
            return try page(item, stored, item.allowsOvernight ? laid : OwnTimesForm.exchanged(laid), c)
        }
        let form = OwnTimesForm.laid(
            try c.form(), over: stored, isDaily: item.isAskedDaily, c.shown)
        return try c.revise(form, orShow: again) { fields in
            let input = InputReader(
                json: OwnTimesForm.json(
                    of: OwnTimesForm.withoutGaps(fields.form), isDaily: item.isAskedDaily),
                hasTypedNumbers: true)
            _ = try NotificationPlanAPI.choose(input, for: item, enrolment, asksToExchange: true, c)
            return .seeOther(OwnStudiesPages.path, flash: Message("own_studies.times_saved"))
        }
    }

    /// - Throws: `Problem.notFound` also where the leads' times apply to all: there is no choice.
    private static func found(_ c: Context<Member>) throws -> (StudyItem, EnrolmentRecord) {
        let (item, enrolment) = try NotificationPlanAPI.found(c)
        guard item.isScheduleChangeable, item.studyID.text == c.places["study"] else {
            throw Problem.notFound
        }
        return (item, enrolment)
    }

    private static func page(
        _ item: StudyItem, _ times: NotificationTimes, _ filled: FormState, _ c: Context<Member>
    ) throws -> Edit {
        let newest = try c.read { try QuestionnaireStore.newest(item.key, c.services.questionnaires, $0) }
        let isDaily = item.isAskedDaily
        let form = OwnTimesForm(plan: times, filled: filled, isDaily: isDaily, weekdays: c.dates.weekdays)
        let windows = isDaily ? form.windows : []
        return Edit(
            parent: OwnStudiesPages.parent(c.texts), name: newest?.title(c.languages) ?? item.key,
            action: "/my/studies/\(item.studyID)/questionnaires/\(item.id)/times",
            option: isDaily ? form.option : nil, amount: isDaily ? form.amount : nil, windows: windows,
            hasWindows: isDaily, allowsOvernight: item.allowsOvernight, times: form.times, all: form.all,
            errors: filled.summary)
    }
}
