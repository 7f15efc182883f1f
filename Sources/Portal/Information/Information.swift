import Database
import Foundation
import HTTP
import Wire

/// Reading and writing information pages, for pages and calls alike.
enum Information {
    struct Current: Sendable {
        let version: Int
        let text: InformationText
    }

    /// The page in a language as it is in force.
    static func current(
        _ page: InformationPage, _ language: Language, _ services: Services,
        _ connection: borrowing Connection
    ) throws -> Current {
        let version = try InformationStore.version(of: page, connection)
        let own = try InformationStore.text(of: page, language, version: version, connection)
        return Current(version: version, text: try own ?? shipped(page, language, services.settings))
    }

    private static func shipped(
        _ page: InformationPage, _ language: Language, _ settings: Settings
    ) throws -> InformationText {
        let path = "\(settings.resources)/templates/information/\(page.rawValue).\(language.rawValue).md"
        return InformationText(file: try String(contentsOfFile: path, encoding: .utf8))
    }

    /// - Throws: `Problem.notFound`.
    static func page<P>(_ c: Context<P>) throws -> InformationPage {
        guard let page = c.places["page"].flatMap(InformationPage.init(rawValue:)) else {
            throw Problem.notFound
        }
        return page
    }

    /// - Parameter seen: the version that was in view.
    /// - Throws: `Problem.preconditionFailed` when there is a newer one meanwhile.
    static func publish(
        _ draft: InformationDraft, as page: InformationPage, over seen: Int, _ c: Context<Member>
    ) throws {
        let account = c.proof.account.id
        try c.write(.informationChanged, object: page.rawValue) { [now = c.now] connection in
            guard try InformationStore.version(of: page, connection) == seen else {
                throw Problem.preconditionFailed
            }
            _ = try InformationStore.publish(draft, as: page, by: account, at: now, connection)
        }
    }
}
