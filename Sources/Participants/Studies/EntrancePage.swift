import Studies
import Web
import Wording

/// The first page for visitors: what this is, the public studies, and the ways in.
package enum EntrancePage {
    static func routes(_ routes: inout Routes) { routes.entrance(show) }

    package struct Show: Page {
        package static let template = "my/entrance"
        let studies: [Entry]
        let hasStudies: Bool

        struct Entry: Encodable, Sendable {
            let title: String
            let description: String?
            let path: String
        }
    }

    @Sendable static func show(_ c: Context<Anyone>) throws -> Reply {
        let studies = try c.read { try StudyStore.listed(at: c.now, $0) }.map { study in
            Show.Entry(
                title: study.title.text(in: c.languages) ?? study.name,
                description: study.description.text(in: c.languages),
                path: "/studies/\(PublicStudy.word(of: study))")
        }
        return .page(Show(studies: studies, hasStudies: !studies.isEmpty))
    }
}
