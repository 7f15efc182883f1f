import HTTP
import Identity
import Instruments
import Questionnaires
import Records
import Scheduling
import Templates
import Therapies
import Web
import Wire
import Wording

/// The page that assigns: duration, waiting assignments, deadline, and the patient's view (PR-19).
package struct AssignmentForm: Page {
    package static let template = "deliveries/assign"
    package static let section: NavigationItem? = .patients

    struct Pick: Encodable, Sendable {
        let value: String
        let title: WrittenText
        let facts: String
        let open: String?
        /// That archived parts of a battery are left out; nil where there are none.
        let archived: String?
        let isChosen: Bool
    }
    /// The phone's view.
    struct Preview: Encodable, Sendable {
        let titles: [WrittenText]
        let text: String?
        let due: String
        let time: String
        let language: String
    }
    /// A warning that it waits already.
    struct Doubt: Encodable, Sendable {
        let text: String
        let value: String
    }

    let id: ID<Therapy>
    let codename: String
    let hasQuestionnaires: Bool
    let used: [Pick]
    let hasUsed: Bool
    let others: [Pick]
    let hasOthers: Bool
    /// Whether the others are shown at once.
    let showsOthers: Bool
    let pickError: String?
    let until: [FieldView.Choice]
    let untilError: String?
    let due: FieldView
    let from: FieldView
    let permission: FieldView?
    /// The warning's confirmation so far.
    let again: String?
    let doubt: Doubt?
    let preview: Preview?
    let errors: ErrorSummary?

    static func make(_ filled: FormState, _ c: Context<Caseload>, doubt: AssignmentChoice? = nil) throws
        -> AssignmentForm
    {
        let (choices, next) = try c.read { connection in
            (try AssignmentChoice.all(c, connection), try AssignmentPages.nextSession(c, connection))
        }
        let form = filled.form
        // The most used one is chosen first, unless it waits already.
        let first = choices.first { $0.lastUsed != nil && $0.open.isEmpty }?.value ?? ""
        let chosen = filled.field(
            WhatToAssign.field, label: "assignments.questionnaire", first: form.fields.isEmpty ? first : "")
        filled.name(AssignmentDue.field, c.texts["assignments.due"])
        let due = AssignmentDue(form, next: next)
        let picks = choices.map { pick($0, chosen.value, c) }
        let used = picks.prefix(choices.count { $0.lastUsed != nil })
        let others = picks.dropFirst(used.count)
        let choice = choices.first { $0.value == chosen.value }
        let (dueField, fromField) = fields(filled, c)
        return AssignmentForm(
            id: c.proof.patient.id, codename: c.proof.patient.codename, hasQuestionnaires: !choices.isEmpty,
            used: Array(used), hasUsed: !used.isEmpty, others: Array(others), hasOthers: !others.isEmpty,
            showsOthers: used.isEmpty || others.contains(where: \.isChosen), pickError: chosen.error,
            until: AssignmentDue.choices(chosen: due, next: next, c),
            untilError: filled.field(AssignmentDue.field, label: "assignments.due").error, due: dueField,
            from: fromField, permission: Permission.box(filled),
            again: doubt == nil ? form[AssignmentPages.again] : nil,
            doubt: doubt.map {
                let words = ["title": $0.title, "open": $0.openWords(c) ?? ""]
                return Doubt(text: c.texts["assignments.open_already", words], value: $0.acceptance)
            }, preview: try choice.map { try preview($0, due, next, form, c) }, errors: filled.summary)
    }

    private static func fields(_ filled: FormState, _ c: Context<Caseload>) -> (FieldView, FieldView) {
        let from = filled.moment(
            "available_from", label: "assignments.from", first: c.now, c.dates,
            hint: Message("sessions.zone_hint", ["zone": c.dates.zone.identifier]))
        let due = filled.moment(
            "due_at", label: "assignments.due_moment", c.dates, hint: "assignments.due_hint")
        return (due, from)
    }

    private static func pick(_ choice: AssignmentChoice, _ chosen: String, _ c: Context<Caseload>) -> Pick {
        let last = choice.lastUsed.map { c.texts["assignments.last_used", ["day": c.dates.day($0)]] }
        let facts = [choice.time(c.texts), last].compactMap(\.self).joined(separator: " · ")
        return Pick(
            value: choice.value, title: choice.written(on: c.language), facts: facts,
            open: choice.openWords(c), archived: choice.archived, isChosen: choice.value == chosen)
    }

    /// In the patient's own language and time.
    private static func preview(
        _ choice: AssignmentChoice, _ due: AssignmentDue, _ next: Instant?, _ form: Form,
        _ c: Context<Caseload>
    ) throws -> Preview {
        let account = try c.proof.patient.accountID.flatMap { id in
            try c.read { try AccountStore.find(id, $0) }
        }
        let language = account?.language ?? c.language
        let texts = c.services.texts(language)
        let dates = DateFormat(texts, account.map { Zone($0.timezone) } ?? c.dates.zone, now: c.now)
        let readers = [language] + c.languages
        let fields = InputReader(form: form)
        let from = fields.moment("available_from", c.dates.zone) ?? c.now
        let moment: Instant?
        switch due {
        case .session: moment = next
        case .week: moment = from.adding(days: AssignmentDraft.defaultDays)
        case .date: moment = fields.moment("due_at", c.dates.zone)
        }
        let text = choice.records.first.flatMap { record -> String? in
            let definition = record.definition
            let own = definition.language(asked: readers.map(\.rawValue))
            return definition.intro?[own] ?? definition.description?[own]
        }
        return Preview(
            titles: choice.records.map { $0.written(readers, on: language) }, text: text,
            due: moment.map { texts["my.until", ["when": dates.short($0)]] } ?? "",
            time: texts.count("assignments.takes", choice.minutes), language: language.rawValue)
    }
}
