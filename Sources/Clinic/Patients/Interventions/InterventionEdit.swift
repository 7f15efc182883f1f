import Database
import HTTP
import Identity
import Records
import Rules
import Therapies
import Web
import Wire
import Wording

/// The page that sends an intervention, or changes one that nobody has opened. What is in the library is read in full, with
/// how often this person had it and what came of it (PR-19).
package struct InterventionEdit: Page {
    package static let template = "interventions/give"
    package static let section: NavigationItem? = .patients

    /// A text of the library, as the phone shows it.
    struct Pick: Encodable, Sendable {
        let value: ID<LibraryIntervention>
        let text: String
        let language: String?
        let facts: String
        let isChosen: Bool
    }

    /// The texts of one kind.
    struct Group: Encodable, Sendable {
        let label: String
        let picks: [Pick]
    }

    let id: ID<Therapy>
    let codename: String
    let title: String
    let action: String
    let groups: [Group]
    let hasLibrary: Bool
    let writesOwn: Bool
    let pickError: String?
    let written: [FieldView]
    let submit: String
    let errors: ErrorSummary?

    package static let example = InterventionEdit(
        id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", codename: "C020480", title: "Intervention senden",
        action: "/patients/7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11/interventions/new",
        groups: [
            Group(
                label: "Anerkennungen",
                picks: [
                    Pick(
                        value: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a12", text: "Sie sind drangeblieben.",
                        language: "de", facts: "hatte diese Person einmal", isChosen: true)
                ])
        ], hasLibrary: true, writesOwn: false, pickError: "Diesen Text gibt es nicht.",
        written: [FieldView(name: "text", label: "Text", isArea: true)], submit: "Senden", errors: nil)

    static func make(
        _ record: InterventionRecord?, _ filled: FormState, _ c: Context<Caseload>
    ) throws -> InterventionEdit {
        let therapy = c.proof.patient
        let texts = c.texts
        let key = try therapy.key(c.keys)
        let first = try record.map { try $0.words(key, c.languages) } ?? ""
        var text = filled.field("text", label: "interventions.text", first: first)
        text.isArea = true
        text.hint = texts["interventions.text_hint"]
        let base = "/patients/\(therapy.id)/interventions"
        let chosen = filled.field("intervention_id", label: "interventions.from_library")
        let groups = record == nil ? try self.groups(chosen.value, c) : []
        return InterventionEdit(
            id: therapy.id, codename: therapy.codename,
            title: texts[record == nil ? "interventions.give" : "interventions.edit_given"],
            action: "\(base)/\(record?.id ?? "new")", groups: groups, hasLibrary: !groups.isEmpty,
            writesOwn: chosen.value.isEmpty, pickError: chosen.error,
            written: record == nil ? [InterventionKind.field(filled, first: .task), text] : [text],
            submit: texts[record == nil ? "interventions.give_submit" : "interventions.save"],
            errors: filled.summary)
    }

    private static func groups(_ chosen: String, _ c: Context<Caseload>) throws -> [Group] {
        let therapy = c.proof.patient
        let (library, given, account) = try c.read { connection in
            (
                try LibraryStore.all(for: c.proof.therapist.id, connection),
                try InterventionStore.all(in: therapy.id, withWithdrawn: false, connection),
                try therapy.accountID.flatMap { try AccountStore.find($0, connection) }
            )
        }
        let readers = [account?.language].compactMap(\.self) + c.languages
        let had = Dictionary(grouping: given.filter { $0.libraryID != nil }, by: \.libraryID)
        return InterventionKind.allCases.compactMap { kind in
            let picks = library.filter { $0.kind == kind }.map { text in
                Pick(
                    value: text.id, text: text.text.text(in: readers) ?? "",
                    language: readers.first { text.text[$0.rawValue] != nil }?.rawValue,
                    facts: facts(had[text.id] ?? [], c), isChosen: text.id.text == chosen)
            }
            let label = c.texts["interventions.kinds_\(kind.rawValue)"]
            return picks.isEmpty ? nil : Group(label: label, picks: picks)
        }
    }

    /// How often this person had it, and what came of it.
    private static func facts(_ given: [InterventionRecord], _ c: Context<Caseload>) -> String {
        let texts = c.texts
        guard let last = given.map(\.assignedAt).max() else { return texts["interventions.had_never"] }
        let outcome = [
            "opened": String(given.count { $0.openedAt != nil || $0.completedAt != nil }),
            "completed": String(given.count { $0.completedAt != nil }), "of": String(given.count),
        ]
        let words = [
            texts.count("interventions.had", given.count),
            texts["interventions.had_last", ["day": c.dates.day(last)]],
            texts["interventions.outcome", outcome],
        ]
        return words.joined(separator: " · ")
    }
}
