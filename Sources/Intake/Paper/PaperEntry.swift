import Contributions
import Database
import Delivery
import HTTP
import Identity
import Instruments
import Records
import Studies
import Therapies
import Web
import Wire
import Wording

/// Questionnaires on paper, entered by a therapist: of the therapy, or of a study the patient takes part in.
package enum PaperEntry {
    package static func routes(_ routes: inout Routes) {
        routes.page(.get, "/patients/:patient/contributions/new", .caseload, new)
        routes.page(.post, "/patients/:patient/contributions/new", .caseload, create)
        routes.call(
            .post, "/patients/:patient/contributions", .caseload,
            .one(
                "Enter a questionnaire from paper; study_id for one of a study", SubmissionAPI.Read.self,
                status: 201, takes: sent), enter)
    }

    private static let sent = Schema.object([
        Schema.property("questionnaire_key", .string), Schema.optional("study_id", .id.orNull),
        Schema.optional("item_id", .id.orNull),
        Schema.property("completed_at", .time), Schema.property("answers", .map(Answer.schema.orNull)),
    ])

    package struct Choose: Page {
        package static let template = "contributions/choose-paper"
        package static let section: NavigationItem? = .patients
        package let patient: ID<Therapy>
        package let codename: String
        /// The questionnaires of the study that the patient takes part in on paper; nil without one.
        package let study: Group?
        package let choices: [PageLink]

        package struct Group: Encodable, Sendable {
            package let title: String
            package let choices: [PageLink]
        }
    }

    // MARK: What may be entered

    private struct Target: Sendable {
        let questionnaire: QuestionnaireRecord
        /// Nil before pairing and before the first paper.
        let account: AccountRecord?
        /// Nil for a questionnaire of the therapy.
        let study: StudyPaper.Target?
    }

    /// - Throws: `Problem.conflict` for a therapy that has ended; `.invalid` for an unknown questionnaire.
    private static func wanted(
        _ key: String, item: ID<StudyItem>?, study: ID<Study>?, _ c: Context<Caseload>,
        _ connection: borrowing Connection
    ) throws -> Target {
        let account = try account(c, connection)
        if let study {
            // Studies that a patient has joined without the therapist are hidden from them.
            let all = try StudyPaper.offered(
                by: c.proof.patient.id, c.services.questionnaires, connection
            ).filter { $0.study.id == study }
            if all.isEmpty { throw Problem.invalid("study_id", "errors.unknown_study") }
            let target = try StudyPaper.target(key, item, among: all)
            return Target(questionnaire: target.questionnaire, account: account, study: target)
        }
        guard let record = try QuestionnaireStore.newest(key, c.services.questionnaires, connection) else {
            throw Problem.invalid("questionnaire_key", "errors.unknown_questionnaire")
        }
        return Target(questionnaire: record, account: account, study: nil)
    }

    private static func account(
        _ c: Context<Caseload>, _ connection: borrowing Connection
    ) throws -> AccountRecord? {
        let therapy = c.proof.patient
        if therapy.endedAt != nil { throw Problem.conflict(Message("assignments.therapy_ended")) }
        return try therapy.accountID.flatMap { try AccountStore.find($0, connection) }
    }

    /// - Returns: the id of the stored sheet, and its account.
    private static func store(
        _ draft: PaperDraft, _ target: Target, _ c: Context<Caseload>
    ) throws -> (id: ID<ContributionRecord>, account: AccountRecord) {
        let staff = c.proof.therapist.id
        let account = try target.account ?? TherapyHolder.ensure(for: c.proof.patient, c)
        if let study = target.study {
            let therapy = c.proof.patient.id
            let id = try store(draft, study, of: account, by: staff, c) { connection in
                // The participant left, was erased or the offer withdrawn meanwhile.
                guard try OfferStore.onPaper(in: therapy, connection)?.id == study.enrolment.id else {
                    throw Problem.invalid("study_id", "errors.unknown_study")
                }
            }
            return (id: id, account: account)
        }
        let place = TherapyTarget(paper: target.questionnaire, c.proof.patient)
        let id = try store(draft, for: .unasked(.therapy(place)), of: account, by: staff, c)
        return (id: id, account: account)
    }

    /// The same for a questionnaire of a study.
    static func store(
        _ draft: PaperDraft, _ target: StudyPaper.Target, of account: AccountRecord, by staff: ID<Account>,
        _ c: Context<some Sendable>, proof: (@Sendable (borrowing Connection) throws -> Void)? = nil
    ) throws -> ID<ContributionRecord> {
        let place = StudyTarget(
            study: target.study, enrolment: target.enrolment, item: target.item,
            questionnaire: target.questionnaire)
        return try store(draft, for: .unasked(.study(place)), of: account, by: staff, c, proof)
    }

    private static func store(
        _ draft: PaperDraft, for occasion: Occasion, of account: AccountRecord, by staff: ID<Account>,
        _ c: Context<some Sendable>, _ proof: (@Sendable (borrowing Connection) throws -> Void)? = nil
    ) throws -> ID<ContributionRecord> {
        let arrival = Arrival.paper(by: staff)
        let sheet = try occasion.sheet(
            draft.submission(account.timezone), id: c.newID(), answers: draft.answers, of: account.id,
            from: arrival, at: c.now)
        let new = IncomingContribution(sheet: sheet, key: try account.key(c.keys), proof: proof)
        return try Intake.take(new, for: occasion, from: arrival, c).id
    }

    // MARK: Over the API

    @Sendable static func enter(_ c: Context<Caseload>) throws -> Reply {
        let fields = try c.body()
        let key = fields.text("questionnaire_key", required: true)
        let study: ID<Study>? = fields.id("study_id")
        let item: ID<StudyItem>? = fields.id("item_id")
        guard let key else {
            _ = (fields.value("answers"), fields.time("completed_at"))
            try fields.finish()
            throw Problem.notFound
        }
        let target = try c.read { try wanted(key, item: item, study: study, c, $0) }
        let draft = try PaperDraft.read(json: fields, target.questionnaire.definition, now: c.now)
        let stored = try store(draft, target, c)
        return try SubmissionAPI.answer(stored.id, stored.account, c, status: 201)
    }

    // MARK: In the portal

    /// - Throws: `Problem.notFound` for an incomplete address: without it the sheet would be stored in the therapy.
    private static func known(_ id: String) throws -> ID<Study> {
        guard let id = ID<Study>(uuid: id) else { throw Problem.notFound }
        return id
    }

    @Sendable package static func new(_ c: Context<Caseload>) throws -> Reply {
        guard let key = c.request.query["questionnaire_key"] else { return .page(try choose(c)) }
        return .page(try form(key, FormState(c.texts), c))
    }

    @Sendable static func create(_ c: Context<Caseload>) throws -> Reply {
        let patient = c.proof.patient.id
        let key = c.request.query["questionnaire_key"] ?? ""
        let study = c.request.query["study_id"]
        let item = ID<StudyItem>(uuid: c.request.query["item_id"])
        let target = try c.read { try wanted(key, item: item, study: try study.map { try known($0) }, c, $0) }
        return try c.submit(orShow: { try self.form(key, $0, c) }) { fields in
            let definition = target.questionnaire.definition
            let draft = try PaperDraft.read(form: fields.form, definition, c.dates.zone, now: c.now)
            let id = try store(draft, target, c).id
            if target.study != nil {
                return .seeOther("/patients/\(patient)", flash: Message("contributions.paper_saved_study"))
            }
            return .seeOther(
                "/patients/\(patient)/contributions/\(id)", flash: Message("contributions.paper_saved"))
        }
    }

    private static func choose(_ c: Context<Caseload>) throws -> Choose {
        let patient = c.proof.patient
        let path = "/patients/\(patient.id)/contributions/new?questionnaire_key="
        return try c.read { connection in
            // A therapy that has ended takes no paper.
            _ = try account(c, connection)
            let cache = c.services.questionnaires
            let offered = try StudyPaper.offered(by: patient.id, cache, connection)
            return Choose(
                patient: patient.id, codename: patient.codename,
                study: offered.first.map { first in
                    Choose.Group(
                        title: c.texts["contributions.paper_of_study", ["study": title(first.study, c)]],
                        choices: offered.map {
                            PageLink(
                                label: $0.label(c.languages),
                                path: path + percentEncoded($0.item.key)
                                    + "&study_id=\($0.study.id)&item_id=\($0.item.id)",
                                isCurrent: false)
                        })
                },
                choices: try QuestionnaireStore.newest(cache, connection).map {
                    PageLink(
                        label: $0.title(c.language), path: path + percentEncoded($0.key), isCurrent: false)
                })
        }
    }

    private static func title(_ study: StudyRecord, _ c: Context<Caseload>) -> String {
        study.title.text(in: c.languages) ?? study.name
    }

    private static func form(_ key: String, _ filled: FormState, _ c: Context<Caseload>) throws -> PaperPage {
        let patient = c.proof.patient
        let study = c.request.query["study_id"]
        let item = ID<StudyItem>(uuid: c.request.query["item_id"])
        let target = try c.read { try wanted(key, item: item, study: try study.map { try known($0) }, c, $0) }
        let path = "/patients/\(patient.id)/contributions/new"
        let named = item.map { "&item_id=\($0)" } ?? ""
        let more = study.map { "&study_id=\(percentEncoded($0))\(named)" } ?? ""
        return PaperPage(
            target.questionnaire, back: PageLink(label: patient.codename, path: path, isCurrent: false),
            action: "\(path)?questionnaire_key=\(percentEncoded(key))\(more)",
            study: target.study.map {
                c.texts["contributions.paper_of_study", ["study": title($0.study, c)]]
            }, filled, c)
    }
}
