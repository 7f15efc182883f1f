import Database
import Instruments
import Web
import Wire
import Wording

/// The questionnaires of batteries as pages name them: an archived one is not assigned with the rest, and is named as such.
package struct BatteryParts {
    private let texts: Texts
    /// The titles of questionnaires by key.
    private let inUse: [String: String]
    private let archived: [String: String]

    package init<P>(_ c: Context<P>, _ connection: borrowing Connection) throws {
        let cache = c.services.questionnaires
        let titles = { (records: [QuestionnaireRecord]) in
            Dictionary(
                records.map { ($0.key, $0.title(c.language)) }, uniquingKeysWith: { first, _ in first })
        }
        texts = c.texts
        inUse = titles(try QuestionnaireStore.newest(cache, connection))
        archived = titles(try QuestionnaireStore.retired(cache, connection))
    }

    /// A part's title.
    func title(_ key: String) -> String {
        if let title = inUse[key] { return title }
        return texts["batteries.archived_part", ["title": archived[key] ?? key]]
    }

    /// The titles of the archived parts; nil where all are in use.
    func archived(of battery: Battery) -> String? {
        let left = battery.keys.filter { inUse[$0] == nil }.map { archived[$0] ?? $0 }
        return left.isEmpty ? nil : left.joined(separator: ", ")
    }

    /// What is said beside a battery with archived parts; nil where all are in use.
    func warning(_ battery: Battery) -> String? {
        archived(of: battery).map { texts["batteries.archived_left_out", ["titles": $0]] }
    }

    /// A battery in a list to choose from, by its name and its archived parts.
    /// - Parameter isAlone: whether the list holds nothing but batteries.
    package func choice(_ battery: Battery, isAlone: Bool = false) -> String {
        let name = isAlone ? battery.name : texts["batteries.named", ["name": battery.name]]
        return archived(of: battery).map {
            texts["batteries.choice_archived", ["name": name, "titles": $0]]
        } ?? name
    }
}
