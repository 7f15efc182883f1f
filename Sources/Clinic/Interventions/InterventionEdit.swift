import Identity
import Records
import Rules
import Therapies
import Web
import Wire
import Wording

/// The page that sends an intervention, or changes an unopened one. Texts of the library are shown in full, with how
/// often this patient got them and the result (PR-19).
package struct InterventionEdit: Page {
    package static let template = "interventions/give"
    package static let section: NavigationItem? = .patients

    /// A text of the library as shown on the phone.
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

    static func make(
        _ record: InterventionRecord?, _ filled: FormState, _ c: Context<Caseload>
    ) throws -> InterventionEdit {
        let therapy = c.proof.patient
        let texts = c.texts
        let key = try therapy.key(c.keys)
        let first = try record.map { try $0.words(key, c.languages) } ?? ""
        let text = filled.field(
            "text", .area, label: "interventions.text", first: first, hint: "interventions.text_hint")
        let base = "\(therapy.path)/interventions"
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

    /// How often this patient got it, and the result.
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
