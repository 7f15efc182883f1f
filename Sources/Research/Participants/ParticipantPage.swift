import Contributions
import Database
import HTTP
import Instruments
import Records
import Studies
import Therapies
import Web
import Wording

/// One participant by codename: their state, their sheets, and the papers that can be entered for them.
package enum ParticipantPage {
    static func routes(_ routes: inout Routes) {
        let path = "/studies/:study/participants/:codename"
        routes.page(.get, path, .studyAssessor, show)
    }

    package struct Show: Page {
        package static let template = "studies/participant"
        package static let section: NavigationItem? = .studies
        package struct Row: Encodable, Sendable {
            package let title: String
            package let when: String
            package let basis: String
            /// Nil for a sheet from a phone.
            package let paper: String?
            /// What is to be known of it; nil for most.
            package let mark: String?
        }
        package let head: StudyHead
        package let course: [ParticipantCourse.Row]
        package let hasCourse: Bool
        package let isStale: Bool
        package let errors: ErrorSummary?
        package let codename: String
        package let facts: [Fact]
        package let rows: [Row]
        /// Scores over time, and what is told of therapies.
        package let told: CourseView
        package let prompts: [PromptList.Row]
        let hasPrompts: Bool
        /// What was noted with buttons; nil where the study has none.
        package let events: EventList?
        let papers: [PageLink]
        let hasPapers: Bool
        /// The address for erasing a participant without an account; nil for all others.
        let erasure: String?
    }

    private static let shownSheets = 50
    /// So many more are looked at for what came together with the last one.
    private static let moreSheets = 10

    @Sendable static func show(_ c: Context<StudyAssessor>) throws -> Reply {
        guard let unmasked = c.unmasked else { return .page(try MaskedParticipant(c)) }
        return .page(try page(FormState(c.texts), unmasked))
    }

    /// - Parameter key: the time point whose date a form that was sent enters.
    static func page(
        _ filled: FormState, entering key: String? = nil, _ c: Context<StudyLead>
    ) throws -> Show {
        let study = c.proof.study
        let texts = c.texts
        let cache = c.services.questionnaires
        return try c.read { connection -> Show in
            let enrolment = try EnrolmentStore.told(c, connection)
            let reader = try ComplianceReader(study, c.now, connection)
            let compliance = try reader.compliance(of: enrolment, connection)
            let reminders = try StudyReminderStore.counts(of: enrolment.id, at: c.now, connection)
            let sheets = try StudyContributionStore.newest(
                of: enrolment.id, limit: shownSheets + moreSheets, connection)
            let byItem = Dictionary(grouping: sheets.indices) {
                sheets[$0].itemID ?? sheets[$0].questionnaireID.text
            }
            let together = byItem.values.flatMap { places in
                let given = places.map { (at: sheets[$0].completedAt, isPaper: sheets[$0].isPaper) }
                return AnsweredTogether.marked(given).map { places[$0] }
            }
            let rows = try sheets.prefix(shownSheets).enumerated().compactMap { place, sheet -> Show.Row? in
                try QuestionnaireStore.find(sheet.questionnaireID, cache, connection).map {
                    Show.Row(
                        title: $0.title(c.language), when: c.dates.dayAndTime(sheet.completedAt),
                        basis: texts.count("contributions.items", sheet.answered, of: sheet.asked),
                        paper: sheet.isPaper ? texts["contributions.from_paper"] : nil,
                        mark: together.contains(place) ? texts["studies.answered_together"] : nil)
                }
            }
            let path = "\(study.path)/participants/\(enrolment.codename)/paper/"
            let papers = try StudyPaper.all(study, enrolment, cache, connection).map {
                PageLink(
                    label: $0.label(c.languages), path: "\(path)\($0.item.id)", isCurrent: false)
            }
            let course = try ParticipantCourse.rows(
                of: enrolment, filled, entering: key, c, connection)
            let prompts = try PromptList.rows(of: enrolment, c, connection)
            let arms = try ArmWords(of: study.id, in: c.languages, texts, connection)
            return Show(
                head: StudyHead.make(c, tab: .participants), course: course, hasCourse: !course.isEmpty,
                isStale: filled.isStale, errors: filled.summary,
                codename: enrolment.codename,
                facts: facts(enrolment, arms, compliance, reminders, c), rows: rows,
                told: CourseView(try ToldCourse(of: enrolment, c, connection), c),
                prompts: prompts, hasPrompts: !prompts.isEmpty,
                events: try EventList.list(of: enrolment, c, connection), papers: papers,
                hasPapers: !papers.isEmpty,
                erasure: enrolment.signedOn.map { _ in
                    "\(study.path)/participants/\(enrolment.codename)/erasure"
                })
        }
    }

    private static func facts(
        _ enrolment: EnrolmentRecord, _ arms: ArmWords, _ compliance: Compliance,
        _ reminders: (due: Int, pushed: Int, shown: Int), _ c: Context<StudyLead>
    ) -> [Fact] {
        let texts = c.texts
        var facts = [
            Fact(
                label: texts["studies.state"], value: texts["studies.is_\(enrolment.state.rawValue)"]),
            Fact(
                label: texts["studies.since"], value: c.dates.day(enrolment.enrolledAt ?? enrolment.askedAt)),
            Fact(
                label: texts["studies.consent"],
                value: texts["studies.consent_version", ["n": String(enrolment.consentVersion)]]),
            Fact(
                label: texts["studies.answered"],
                value: compliance.words(texts)),
        ]
        // Without push, phones keep the times themselves.
        if reminders.due > 0 {
            let values = [
                "due": String(reminders.due), "pushed": String(reminders.pushed),
                "shown": String(reminders.shown),
            ]
            facts.append(
                .init(label: texts["studies.reminders"], value: texts["studies.reminders_line", values]))
        }
        if let arm = enrolment.arm {
            facts.append(.init(label: texts["studies.group"], value: arms.name(arm)))
        }
        if let crossed = enrolment.crossedAt {
            facts.append(.init(label: texts["studies.crossed"], value: c.dates.day(crossed)))
        }
        if enrolment.waits {
            facts.append(.init(label: texts["studies.group"], value: texts["studies.is_waiting"]))
        }
        if let day = enrolment.signedOn {
            facts.append(.init(label: texts["studies.consented_on"], value: c.dates.day(day)))
        }
        if let site = enrolment.site { facts.append(.init(label: texts["studies.site_name"], value: site)) }
        if let left = enrolment.leftAt {
            facts.append(.init(label: texts["studies.count_left"], value: c.dates.day(left)))
        }
        return facts
    }
}
