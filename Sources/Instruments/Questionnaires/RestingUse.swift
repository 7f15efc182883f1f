import Database
import Identity
import Records
import Web
import Wire
import Wording

/// A use, by the reader, of a questionnaire that is out of use: a line until it is changed.
package struct RestingUse: Encodable, Sendable {
    package let name: String
    package let path: String
    package let text: String
    /// The file of a plan.
    let therapy: String?

    private enum CodingKeys: String, CodingKey { case name, path, text }

    private static let most = 8

    /// In the order of kinds and names; limited to a list that can be read at once.
    package static func all(
        _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> [RestingUse] {
        let retired = try QuestionnaireStore.retired(c.services.questionnaires, connection)
        if retired.isEmpty { return [] }
        let uses = try c.services.uses(
            of: retired.map(\.key), for: c.proof.account, isOwnOnly: true, at: c.now, connection)
        let titles = Dictionary(uniqueKeysWithValues: retired.map { ($0.key, $0.title(c.language)) })
        return QuestionnaireUse.Kind.allCases.flatMap { kind in uses.filter { $0.kind == kind } }.prefix(most)
            .map { use in
                let values = ["title": titles[use.key] ?? use.key]
                return RestingUse(
                    name: use.name ?? c.texts["questionnaires.resting_dailies_name"],
                    path: use.path ?? "/patients",
                    text: c.texts["questionnaires.resting_\(use.kind.rawValue)", values], therapy: use.therapy
                )
            }
    }

    /// The files that are named.
    package static func files<Holder>(_ lines: [RestingUse]) -> [ID<Holder>] {
        lines.compactMap { $0.therapy.map { ID($0) } }
    }
}
