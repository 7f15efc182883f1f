import Contributions
import HTTP
import Identity
import Instruments
import Records
import Studies
import Web
import Wire
import Wording

/// Questionnaires on paper that a lead enters for a participant of a study, by codename (IO-21).
package enum StudyPaperEntry {
    static func routes(_ routes: inout Routes) {
        let path = "/studies/:study/participants/:codename"
        routes.page(.get, path + "/paper/:item", .studyAssessor, new)
        routes.page(.post, path + "/paper/:item", .studyAssessor, create)
        routes.call(
            .post, path + "/contributions", .studyAssessor,
            .nothing("Enter a questionnaire that a participant filled in on paper", takes: sent), enter)
    }

    private static let sent = Schema.object([
        Schema.property("questionnaire_key", .string), Schema.optional("item_id", .id.orNull),
        Schema.property("completed_at", .time),
        Schema.property("answers", .map(Answer.schema.orNull)),
    ])

    private static func target(
        _ wanted: ([StudyPaper.Target]) throws -> StudyPaper.Target?, _ c: Context<StudyAssessor>
    ) throws -> (StudyPaper.Target, AccountRecord) {
        try c.read { connection in
            let enrolment = try EnrolmentStore.told(c, connection)
            let all = try StudyPaper.all(
                c.proof.study, enrolment, isMasked: c.proof.isMasked, c.services.questionnaires, connection)
            guard let target = try wanted(all),
                let account = try AccountStore.find(enrolment.accountID, connection)
            else { throw Problem.notFound }
            return (target, account)
        }
    }

    @Sendable package static func new(_ c: Context<StudyAssessor>) throws -> Reply {
        let id: ID<StudyItem> = try c.id("item")
        return .page(form(try target({ all in all.first { $0.item.id == id } }, c).0, FormState(c.texts), c))
    }

    private static func form(
        _ target: StudyPaper.Target, _ filled: FormState, _ c: Context<StudyAssessor>
    ) -> PaperPage {
        let codename = target.enrolment.codename
        let path = "/studies/\(target.study.id)/participants/\(codename)"
        return PaperPage(
            target.questionnaire, back: PageLink(label: codename, path: path, isCurrent: false),
            action: "\(path)/paper/\(target.item.id)", filled, c)
    }

    @Sendable static func create(_ c: Context<StudyAssessor>) throws -> Reply {
        let id: ID<StudyItem> = try c.id("item")
        let (target, account) = try target({ all in all.first { $0.item.id == id } }, c)
        let path = "/studies/\(target.study.id)/participants/\(target.enrolment.codename)"
        return try c.submit(orShow: { form(target, $0, c) }) { fields in
            let definition = target.questionnaire.definition
            let draft = try PaperDraft.read(form: fields.form, definition, c.dates.zone, now: c.now)
            do {
                _ = try PaperEntry.store(draft, target, of: account, by: c.proof.lead.id, c)
                return .seeOther(path, flash: Message("contributions.paper_saved"))
            } catch Problem.conflict(let message, _) {
                return .seeOther(path, flash: message)
            }
        }
    }

    @Sendable static func enter(_ c: Context<StudyAssessor>) throws -> Reply {
        let fields = try c.body()
        let key = fields.text("questionnaire_key", required: true) ?? ""
        let item: ID<StudyItem>? = fields.id("item_id")
        let (target, account) = try target({ try StudyPaper.target(key, item, among: $0) }, c)
        let draft = try PaperDraft.read(json: fields, target.questionnaire.definition, now: c.now)
        _ = try PaperEntry.store(draft, target, of: account, by: c.proof.lead.id, c)
        return .response(.noContent)
    }
}
