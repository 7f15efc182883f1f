import HTTP
import Studies
import Web
import Wording

/// The consent texts that participants have agreed to, when and how: by codename, also after leaving.
package enum ConsentPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/studies/:study/consents", .studyLead, index)
    }

    package struct Index: Page {
        package static let template = "studies/consents"
        package static let section: NavigationItem? = .studies

        struct Row: Encodable, Sendable {
            let codename: String
            /// The address of what is printed of it.
            let paper: String
            let version: String
            let when: String
            let way: String
            /// What is agreed to one by one.
            let items: String
        }
        let head: StudyHead
        let rows: [Row]
        let next: String?
    }

    @Sendable static func index(_ c: Context<StudyLead>) throws -> Reply {
        let paging = try Paging(c.request)
        let (agreed, items) = try c.read { connection in
            let agreed = try AgreedConsentStore.all(in: c.proof.study.id, connection)
            return (agreed, try AgreedItems(agreed, in: c.proof.study, connection))
        }
        let (part, next) = paging.part(of: agreed) { Position($0.agreedAt, $0.id) }
        return .page(
            Index(
                head: StudyHead.make(c, tab: .participants),
                rows: part.map { consent in
                    Index.Row(
                        codename: consent.codename,
                        paper: ConsentPaperPages.path(c.proof.study, consent.codename),
                        version: c.texts["studies.consent_version", ["n": String(consent.version)]],
                        when: c.dates.dayAndTime(consent.agreedAt), way: consent.words(c.texts),
                        items: items.words(consent, c.dates, c.texts) ?? "–")
                }, next: next))
    }
}
