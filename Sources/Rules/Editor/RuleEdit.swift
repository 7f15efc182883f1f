import Database
import HTTP
import Identity
import Records
import Therapies
import Web
import Wire
import Wording

/// The editor of reactions (PR-18): a sentence with gaps, and beside it a dry run.
package struct RuleEdit: Page {
    package static let template = "rules/edit"
    package static let section: NavigationItem? = .rules

    package struct Patient: Encodable, Sendable {
        package let id: ID<Therapy>
        package let codename: String
        package let alias: String?
        package let isChosen: Bool
    }

    package let title: String
    package let action: String
    /// Templates to start from; none for an existing rule.
    let starts: [PageLink]
    let hasStarts: Bool
    /// A warning that the rule can reach no patient, before anything is filled in; nil when it can.
    package let unreachable: String?
    /// Nil for a new one.
    package let revision: String?
    /// The rule was changed elsewhere meanwhile.
    package let isStale: Bool
    package let name: FieldView
    /// Nil with one condition.
    let combine: FieldView?
    /// The value that is sent instead.
    let combined: String?
    package let rows: [RuleSentence.Row]
    /// The kind of the next condition; nil when the limit is reached.
    let adding: FieldView?
    package let limits: [FieldView]
    package let reach: FieldView
    package let patients: [Patient]
    /// The stored choice of patients, where it differs from the ticked one.
    let storedPatients: String?
    package let actions: [FieldView]
    package let errors: ErrorSummary?
    let run: RunView
    /// The doubts about a rule that may be stored nonetheless, and the value that confirms them; nil without any.
    let doubt: Doubt?

    /// Why a rule is asked about before it is stored.
    struct Doubt: Encodable, Sendable {
        let reasons: [String]
        let value: String
    }

    static func make(
        _ record: RuleRecord?, _ filled: FormState, _ c: Context<Member>, step: RuleStep? = nil,
        doubts: [RuleWarning] = []
    ) throws -> RuleEdit {
        let texts = c.texts
        let form = filled.form
        let account = c.proof.account
        let (items, library, therapies, mayReach) = try c.read { connection in
            (
                try RuleItems(c, connection), try LibraryStore.all(for: account.id, connection),
                try TherapyStore.caseload(of: account.id, connection), try RuleActions.mayReach(c, connection)
            )
        }
        let chosen = patients(form)
        let running = therapies.filter { $0.endedAt == nil && $0.accountID != nil || chosen.contains($0.id) }
        let rows = RuleSentence(items: items, filled: filled, fresh: step?.fresh(in: form)).rows()
        let isJoined = rows.count > 1
        let starts = record == nil ? RuleStart.links(c) : []
        return RuleEdit(
            title: texts[record == nil ? "rules.new" : "rules.edit"],
            action: record.map { "/rules/\($0.id)/edit" } ?? "/rules/new",
            starts: starts, hasStarts: !starts.isEmpty,
            unreachable: mayReach ? nil : texts["rules.no_patients"],
            revision: record.flatMap { filled.revision($0.revision) }, isStale: filled.isStale,
            name: RuleFields.name(filled), combine: isJoined ? RuleFields.combine(filled) : nil,
            combined: isJoined ? nil : form["combine"], rows: rows,
            adding: rows.count < RuleEditForm.rows ? RuleFields.adding(filled) : nil,
            limits: RuleFields.limits(filled), reach: RuleFields.reach(filled),
            patients: try running.map {
                let name = try $0.name(for: account, c.keys)
                return Patient(
                    id: $0.id, codename: name.codename, alias: name.alias, isChosen: chosen.contains($0.id))
            }.sorted { $0.codename < $1.codename },
            storedPatients: storedPatients(therapies, chosen, filled),
            actions: RuleFields.actions(library, filled, c),
            errors: filled.summary,
            run: try RunView.make(form, c, isAsked: step == .preview),
            doubt: doubts.isEmpty
                ? nil
                : Doubt(
                    reasons: doubts.map { texts[$0.message] }, value: RulePages.acceptance(of: doubts)))
    }

    private static func patients(_ form: Form) -> Set<ID<Therapy>> {
        Set(form.all("patient_ids").map { ID($0) })
    }

    private static func storedPatients(
        _ therapies: [Therapy], _ chosen: Set<ID<Therapy>>, _ filled: FormState
    ) -> String? {
        guard let stored = filled.stored.map(patients), stored != chosen else {
            return nil
        }
        let names = therapies.filter { stored.contains($0.id) }.map(\.codename).sorted()
        return names.isEmpty ? filled.texts["forms.empty"] : names.joined(separator: ", ")
    }
}
