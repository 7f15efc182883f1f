import HTTP
import Studies
import Web
import Wording

/// What a participant agreed to, to be printed (ST-6): by codename, for as long as the log of consents has it.
enum ConsentPaperPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/studies/:study/participants/:codename/consent", .studyLead, show)
    }

    static func path(_ study: StudyRecord, _ codename: String) -> String {
        "\(study.path)/participants/\(codename)/consent"
    }

    struct Show: Page {
        static let template = "studies/consent-paper"
        static let section: NavigationItem? = .studies
        let back: String
        let paper: ConsentPaper
        let foot: String
        let paperStyles: String
    }

    @Sendable static func show(_ c: Context<StudyLead>) throws -> Reply {
        let study = c.proof.study
        let paper = try c.read { connection -> ConsentPaper? in
            let found = try EnrolmentStore.find(c.places["codename"] ?? "", in: study.id, connection)
            return try found.flatMap {
                // The number of a receipt is its owner's.
                try ConsentPaper.make($0, in: study, receipt: nil, dates: c.dates, c, connection)
            }
        }
        guard let paper else { throw Problem.notFound }
        return .page(
            Show(
                back: "\(study.path)/consents", paper: paper,
                foot: "\(paper.codename) · \(c.texts["consent_paper.title"])",
                paperStyles: c.services.assets.alone("agreed")))
    }
}
