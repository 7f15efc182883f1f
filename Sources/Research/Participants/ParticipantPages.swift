import Database
import HTTP
import Studies
import Therapies
import Web
import Wire
import Wording

/// Participants and their answers day by day: by codename alone.
package enum ParticipantPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/studies/:study/participants", .studyLead, index)
        routes.page(.post, "/studies/:study/participants/:codename/decision", .studyLead, decide)
        routes.page(.get, "/studies/:study/compliance", .studyLead, compliance)
    }

    package struct Index: Page {
        package static let template = "studies/participants"
        package static let section: NavigationItem? = .studies
        package struct Row: Encodable, Sendable {
            package let codename: String
            /// Nil before they are taken in.
            package let path: String?
            /// The group; nil without groups.
            package let arm: String?
            package let state: String
            package let tone: String
            package let since: String
            package let active: String
            package let answered: String
            package let consent: String
            /// Takes part on paper, without an account.
            package let isPaper: Bool
            /// Waits for a decision.
            package let isPending: Bool
        }
        package let head: StudyHead
        package let rows: [Row]
        package let next: String?
        /// The flow of all participants taken in.
        package let flow: [String]
        /// The number of refused sheets that wait for a decision; nil for none.
        package let held: String?
    }

    package struct Days: Page {
        package static let template = "studies/compliance"
        package static let section: NavigationItem? = .studies
        package struct Cell: Encodable, Sendable {
            package let text: String
            /// `none`, `low`, `some`, `most`, `all`.
            package let level: String
            /// The prompts that could not be seen; nil for none.
            package let note: String?
        }
        package struct Row: Encodable, Sendable {
            package let codename: String
            package let total: String
            package let cells: [Cell]
        }
        package struct Filter: Encodable, Sendable {
            package let label: String
            package let path: String
            package let isCurrent: Bool
        }
        package let head: StudyHead
        package let filters: [Filter]
        package let isFiltered: Bool
        package let days: [String]
        package let rows: [Row]
        package let next: String?
        package let earlier: String?
        package let later: String?
    }

    @Sendable package static func index(_ c: Context<StudyLead>) throws -> Reply {
        let texts = c.texts
        let paging = try Paging(c.request)
        let page = try c.read { try Participants.page(paging, c, $0) }
        let rows = page.part.map { entry in
            let enrolment = entry.enrolment
            let state = enrolment.state
            return Index.Row(
                codename: enrolment.codename,
                path: enrolment.enrolledAt.map { _ in
                    "\(c.proof.study.path)/participants/\(enrolment.codename)"
                },
                arm: enrolment.arm.map { texts["studies.arm_\($0.rawValue)"] },
                state: texts["studies.is_\(state.rawValue)"],
                tone: state == .pending ? "warn" : state == .enrolled ? "good" : "plain",
                since: c.dates.day(enrolment.enrolledAt ?? enrolment.askedAt),
                active: enrolment.lastActivityAt.map { c.dates.short($0) } ?? "–",
                answered: entry.compliance.words(texts),
                consent: texts["studies.consent_version", ["n": String(enrolment.consentVersion)]],
                isPaper: enrolment.signedOn != nil, isPending: state == .pending)
        }
        let (flow, held) = try c.read { connection in
            (
                try FlowStore.flow(of: c.proof.study.id, connection),
                try c.services.heldSheets(in: c.proof.study.id, connection)
            )
        }
        return .page(
            Index(
                head: StudyHead.make(c, tab: .participants), rows: rows, next: page.next,
                flow: flow.lines(texts),
                held: held > 0 ? texts.count("quarantine.waiting", held) : nil))
    }

    @Sendable static func decide(_ c: Context<StudyLead>) throws -> Reply {
        let fields = InputReader(form: try c.form())
        let action = fields.choice("action", from: ["accept", "decline"], required: true)
        try fields.finish()
        try Participants.decide(c.places["codename"] ?? "", isAccepted: action == "accept", c)
        return .seeOther("\(c.proof.study.path)/participants", flash: Message("studies.saved"))
    }

    private static let shownDays = 14

    @Sendable static func compliance(_ c: Context<StudyLead>) throws -> Reply {
        let last = c.request.query["until"].flatMap { LocalDate($0) } ?? c.dates.today
        // The newest first: it is what is looked for (ST-3).
        let days = (0..<shownDays).map { last.adding(days: -$0) }
        let look = c.request.query["show"].flatMap { ParticipantsInView.Look(rawValue: $0) }
        let paging = try Paging(c.request)
        let page = try c.read { try Participants.page(paging, enrolled: true, look: look, c, $0) }
        let rows = page.part.map { entry in
            let total = entry.compliance
            return Days.Row(
                codename: entry.enrolment.codename,
                total: total.words(c.texts),
                cells: days.map { cell(total, on: $0, c.texts) })
        }
        let shown = look.map { "&show=\($0.rawValue)" } ?? ""
        let path = { (day: LocalDate) in "\(c.proof.study.path)/compliance?until=\(day.text)\(shown)" }
        return .page(
            Days(
                head: StudyHead.make(c, tab: .compliance), filters: filters(look, until: last, c),
                isFiltered: look != nil, days: days.map(c.dates.numericDay), rows: rows,
                next: page.next,
                earlier: path(last.adding(days: -shownDays)),
                later: last < c.dates.today ? path(min(c.dates.today, last.adding(days: shownDays))) : nil))
    }

    /// All, and those that need a look for each reason.
    private static func filters(
        _ chosen: ParticipantsInView.Look?, until last: LocalDate, _ c: Context<StudyLead>
    ) -> [Days.Filter] {
        let path = "\(c.proof.study.path)/compliance?until=\(last.text)"
        let all = Days.Filter(label: c.texts["studies.show_all"], path: path, isCurrent: chosen == nil)
        return [all]
            + ParticipantsInView.Look.allCases.map { look in
                Days.Filter(
                    label: c.texts["studies.show_\(look.rawValue)"], path: path + "&show=\(look.rawValue)",
                    isCurrent: look == chosen)
            }
    }

    private static func cell(_ all: Compliance, on date: LocalDate, _ texts: Texts) -> Days.Cell {
        let day = all.days[date] ?? Compliance.Day()
        let note = day.unseen > 0 ? all.note(day.unseen, texts) : nil
        guard day.prompted > 0 else { return Days.Cell(text: "–", level: "none", note: note) }
        let share = Double(day.answered) / Double(day.prompted)
        let level = share == 0 ? "low" : share < 0.5 ? "some" : share < 1 ? "most" : "all"
        return Days.Cell(text: "\(day.answered)/\(day.prompted)", level: level, note: note)
    }
}
