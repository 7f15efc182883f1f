import HTTP
import Identity
import Records
import Scheduling
import Studies
import Web
import Wire
import Wording

/// What the reader agreed to in a study, to be printed (ST-6): one page for each participation, the latest first.
enum OwnConsentPaperPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/my/studies/:study/consents/print", .patient, show)
    }

    static func path(_ study: ID<Study>) -> String { "\(OwnStudiesPages.path)/\(study)/consents/print" }

    struct Show: Page {
        static let template = "my/consent-paper"
        static let section: NavigationItem? = .more
        let parent: PageLink
        let papers: [ConsentPaper]
        /// Below every printed page.
        let foot: String
        let paperStyles: String
    }

    /// Also after leaving.
    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        let id: ID<Study> = try c.id("study")
        let account = c.proof.account
        let key = try account.key(c.keys)
        let dates = c.dates(in: Zone(account.timezone))
        let papers = try c.read { connection -> [ConsentPaper] in
            guard let study = try StudyStore.find(id, connection) else { return [] }
            let own = try EnrolmentStore.all(of: account.id, connection).filter { $0.studyID == id }
            return try own.reversed().compactMap { enrolment in
                try ConsentPaper.make(
                    enrolment, in: study,
                    receipt: try ReceiptStore.number(of: enrolment.id, key, connection), dates: dates, c,
                    connection)
            }
        }
        guard let first = papers.first else { throw Problem.notFound }
        return .page(
            Show(
                parent: PageLink(
                    label: c.texts["own_studies.consents"], path: "\(OwnStudiesPages.path)/\(id)/consents",
                    isCurrent: false),
                papers: papers, foot: "\(first.study) · \(c.texts["consent_paper.title"])",
                paperStyles: c.services.assets.alone("agreed")))
    }
}
