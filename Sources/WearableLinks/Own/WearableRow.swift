import Wire
import Wording

/// A provider on the own page.
package struct WearableRow: Encodable, Sendable {
    let name: String
    let state: String
    /// The fault, and the remedy; nil while all is well.
    let trouble: String?
    /// The permissions, in words.
    let scopes: [String]
    let hasScopes: Bool
    let missing: String?
    let facts: [String]
    /// The address that requests a link; nil where there is one.
    let link: String?
    let linkLabel: String
    /// The address that ends it; nil without one.
    let removal: String?
    /// Distinguishes the fields of two providers.
    let id: String
    /// The provider's own note on test mode; nil where it has none.
    let note: String?

    package static let example = WearableRow(
        name: "Anbieter", state: "Verbunden", trouble: nil, scopes: ["Schritte, Strecke, Aktivität"],
        missing: "Leer bleiben: Schlaf", facts: ["Zuletzt abgefragt: heute 14:12"], link: nil,
        linkLabel: "Verbinden", removal: "/my/wearables/google_health/removal", id: "google_health",
        note: nil)
    package static let unlinked = WearableRow(
        name: "Anbieter", state: "Nicht verbunden", trouble: nil, scopes: [], missing: nil, facts: [],
        link: "/my/wearables/google_health/link", linkLabel: "Verbinden", removal: nil, id: "other",
        note: "Im Testbetrieb endet die Erlaubnis nach sieben Tagen.")

    private init(
        name: String, state: String, trouble: String?, scopes: [String], missing: String?, facts: [String],
        link: String?, linkLabel: String, removal: String?, id: String, note: String?
    ) {
        self.name = name
        self.state = state
        self.trouble = trouble
        self.scopes = scopes
        hasScopes = !scopes.isEmpty
        self.missing = missing
        self.facts = facts
        self.link = link
        self.linkLabel = linkLabel
        self.removal = removal
        self.id = id
        self.note = note
    }

    init(_ wearable: Wearable, _ texts: Texts, _ dates: DateFormat) {
        let path = "\(OwnWearablePages.path)/\(wearable.provider)"
        let isLinked = ["live", "needs_consent"].contains(wearable.state)
        let table = WearableProvider.named(wearable.provider)
        name = table?.title ?? wearable.provider
        state = texts["wearables.state_\(wearable.state)"]
        trouble = wearable.problem.map { texts["wearables.problem_\($0)"] }
        let words = table?.scopes ?? []
        scopes = words.filter { wearable.scopes.contains($0.name) }.map {
            texts["wearables.scope_\($0.word)"]
        }
        hasScopes = !scopes.isEmpty
        let empty = wearable.missing.map { texts["health.\($0)"] }.joined(separator: ", ")
        missing = empty.isEmpty ? nil : texts["wearables.missing", ["names": empty]]
        facts = [
            wearable.lastPullAt.map { texts["wearables.last_pull", ["when": dates.short($0)]] },
            wearable.expiresAt.map { texts["wearables.expires", ["when": dates.short($0)]] },
        ].compactMap(\.self)
        link = ["available", "needs_consent"].contains(wearable.state) ? path + "/link" : nil
        linkLabel = texts[isLinked ? "wearables.link_again" : "wearables.link"]
        removal = isLinked ? path + "/removal" : nil
        id = wearable.provider
        note = texts["wearables.note_\(wearable.provider)"]
    }
}
