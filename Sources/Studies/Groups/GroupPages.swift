import Database
import HTTP
import Therapies
import Web
import Wire
import Wording

/// The groups of a study in the portal: how people come into them, outcomes, sites, and how far it has come (IO-21).
package enum GroupPages {
    static func routes(_ routes: inout Routes) {
        let path = "/studies/:study/groups"
        routes.page(.get, path, .studyLead, show)
        routes.page(.post, path, .studyLead, update)
        routes.page(.post, path + "/removal", .studyLead, destroy)
    }

    package struct Show: Page {
        package static let template = "studies/groups"
        package static let section: NavigationItem? = .studies
        package struct Row: Encodable, Sendable {
            package let site: String
            package let cells: [Fact]
        }
        package struct Outcome: Encodable, Sendable {
            package let scale: FieldView
            package let day: FieldView
            let primary: FieldView
        }
        package struct Site: Encodable, Sendable {
            package let name: FieldView
            package let email: FieldView
        }
        package let head: StudyHead
        /// How many places are taken; nil without groups.
        package let progress: String?
        package let arms: [String]
        package let rows: [Row]
        /// What became of all who came into a group.
        package let flow: [String]
        /// Nil while there are no groups.
        package let revision: String?
        package let isStale: Bool
        /// That nobody can come into a group any more, and why; nil until then.
        package let closed: String?
        /// Nil until then.
        package let seed: String?
        package let mayClose: Bool
        let canRemove: Bool
        package let allocation: FieldView
        package let boxes: [FieldView]
        package let numbers: [FieldView]
        package let outcomes: [Outcome]
        package let sites: [Site]
        package let errors: ErrorSummary?

        package static let example = Show(
            head: .example, progress: "37 von 120 Plätzen vergeben", arms: ["volle Behandlung"],
            rows: [Row(site: "Ulm", cells: [.init(label: "volle Behandlung", value: "19")])],
            flow: ["37 Personen wurden aufgenommen.", "37 nehmen teil"],
            revision: "3", isStale: true, closed: "Die Zuteilung ist abgeschlossen.", seed: "17",
            mayClose: true, canRemove: true,
            allocation: FieldView(name: "allocation", label: "Zuteilung", isSelect: true),
            boxes: [FieldView(name: "arm_full", label: "volle Behandlung", isCheck: true)],
            numbers: [FieldView(name: "size", label: "Größe")],
            outcomes: [
                Outcome(
                    scale: FieldView(name: "outcome_1", label: "Skala", isSelect: true),
                    day: FieldView(name: "outcome_1_day", label: "Tag"),
                    primary: FieldView(name: "outcome_1_primary", label: "primär", isCheck: true))
            ],
            sites: [
                Site(
                    name: FieldView(name: "site_1_name", label: "Ort"),
                    email: FieldView(name: "site_1_email", label: "E-Mail"))
            ], errors: nil)
    }

    @Sendable static func show(_ c: Context<StudyLead>) throws -> Reply {
        .page(try page(FormState(c.texts), c))
    }

    @Sendable static func update(_ c: Context<StudyLead>) throws -> Reply {
        let form = try c.form()
        do {
            try Grouping.set(
                try GroupDraft.read(form: InputReader(form: form), scales: try Grouping.scales(c)), c)
            return .seeOther("/studies/\(c.proof.study.id)/groups", flash: Message("studies.saved"))
        } catch Problem.invalid(let errors) {
            return .page(try page(FormState(form, placed(errors), c.texts), c), status: 422)
        } catch Problem.preconditionFailed {
            return .page(try page(FormState(form, FieldErrors(), c.texts, isStale: true), c), status: 412)
        }
    }

    /// Errors of lists stand at the first field that a form has for them.
    private static func placed(_ errors: FieldErrors) -> FieldErrors {
        let places = ["arms": "arm_full", "outcomes": "outcome_1"]
        return errors.list.reduce(into: FieldErrors()) { all, error in
            let parts = error.field.split(separator: ".")
            let site = parts.first == "sites" ? parts.dropFirst().first.flatMap { Int($0) } : nil
            let field = site.map { "site_\($0 + 1)_email" } ?? places[error.field] ?? error.field
            all.add(FieldErrors(field, error.message))
        }
    }

    @Sendable static func destroy(_ c: Context<StudyLead>) throws -> Reply {
        let path = "/studies/\(c.proof.study.id)/groups"
        do {
            try Grouping.remove(c)
        } catch Problem.conflict(let message, _) {
            return .seeOther(path, flash: message)
        } catch Problem.preconditionFailed {
            return .seeOther(path, flash: Message("studies.changed_meanwhile"))
        }
        return .seeOther(path, flash: Message("studies.saved"))
    }

    private static func page(_ filled: FormState, _ c: Context<StudyLead>) throws -> Show {
        let study = c.proof.study
        let texts = c.texts
        let (stored, counts, sites) = try c.read { connection in
            (
                try GroupStore.find(study.id, connection), try GroupStore.counts(study.id, connection),
                try Grouping.sites(c, connection)
            )
        }
        let flow = try c.read { connection in
            try stored.map { try FlowStore.flow(of: study.id, allocated: $0.allocated, connection) }
        }
        let arms = stored?.groups.arms ?? []
        let names = Set(counts.map(\.site)).sorted()
        let rows = names.map { site in
            Show.Row(
                site: site.isEmpty ? texts["studies.no_site"] : site,
                cells: arms.map { arm in
                    let own = counts.filter { $0.site == site && $0.arm == arm }
                    return Fact(
                        label: texts["studies.arm_\(arm.rawValue)"],
                        value: String(own.reduce(0) { $0 + $1.count }))
                })
        }
        let isRandom = stored?.groups.allocation == .randomised
        let closed = stored?.closedAt.map { day in
            texts[
                stored?.isClosedByArchiving == true ? "studies.closed_by_archiving" : "studies.closed_on",
                ["day": c.dates.day(day)]]
        }
        return Show(
            head: StudyHead.make(c, tab: .groups),
            progress: stored.map { texts.count("studies.places", $0.allocated, of: $0.groups.sampleSize) },
            arms: arms.map { texts["studies.arm_\($0.rawValue)"] }, rows: rows,
            flow: flow?.lines(texts) ?? [], revision: filled.revision(stored?.revision),
            isStale: filled.isStale, closed: closed,
            seed: closed != nil && isRandom ? stored.map { String($0.seed) } : nil,
            mayClose: stored.map { $0.closedAt == nil } ?? false,
            canRemove: stored.map { $0.allocated == 0 } ?? false,
            allocation: allocation(stored?.groups, filled), boxes: boxes(stored?.groups, filled),
            numbers: numbers(stored?.groups, filled),
            outcomes: outcomes(stored?.groups, try Grouping.scales(c), filled),
            sites: sitesFields(sites, filled), errors: filled.summary)
    }

    private static func allocation(_ groups: TrialDesign?, _ filled: FormState) -> FieldView {
        var field = filled.field(
            "allocation", label: "studies.allocation", first: groups?.allocation.rawValue ?? "alternating")
        field.isSelect = true
        field.hint = filled.texts["studies.allocation_hint"]
        field.choices = StudyDesign.allocations.map {
            .init(value: $0, label: filled.texts["studies.allocation_\($0)"], isChosen: $0 == field.value)
        }
        return field
    }

    private static func boxes(_ groups: TrialDesign?, _ filled: FormState) -> [FieldView] {
        StudyDesign.arms.map { arm in
            let isOn = groups.map { $0.arms.contains { $0.rawValue == arm } } ?? (arm != "no_app")
            var field = filled.field("arm_\(arm)", label: "studies.arm_\(arm)", first: isOn ? "true" : "")
            field.isCheck = true
            field.hint = filled.texts["studies.arm_\(arm)_hint"]
            return field
        }
    }

    private static func numbers(_ groups: TrialDesign?, _ filled: FormState) -> [FieldView] {
        let rows = [("size", groups?.size ?? 20), ("sample_size", groups?.sampleSize ?? 120)]
        return rows.map { name, first in
            var field = filled.field(name, label: "studies.group_\(name)", first: String(first))
            field.inputMode = "numeric"
            field.isRequired = true
            field.hint = filled.texts["studies.group_\(name)_hint"]
            return field
        }
    }

    private static let spareRows = 2

    private static func outcomes(
        _ groups: TrialDesign?, _ scales: [StudyScale], _ filled: FormState
    ) -> [Show.Outcome] {
        let known = groups?.outcomes ?? []
        return (1...max(3, known.count + spareRows)).map { number in
            let outcome = known.indices.contains(number - 1) ? known[number - 1] : nil
            let name = "outcome_\(number)"
            let first = outcome.map { "\($0.key)/\($0.scale)" } ?? "none"
            var scale = filled.field(name, label: "studies.outcome_scale", first: first)
            scale.isSelect = true
            let none = FieldView.Choice(
                value: "none", label: filled.texts["studies.no_outcome"], isChosen: scale.value == "none")
            scale.choices =
                [none] + scales.map { .init(value: $0.id, label: $0.title, isChosen: $0.id == scale.value) }
            var day = filled.field(
                "\(name)_day", label: "studies.outcome_day", first: outcome.map { String($0.day) } ?? "")
            day.inputMode = "numeric"
            let isPrimary = outcome?.isPrimary ?? (known.isEmpty && number == 1)
            var primary = filled.field(
                "\(name)_primary", label: "studies.outcome_primary", first: isPrimary ? "true" : "")
            primary.isCheck = true
            return Show.Outcome(scale: scale, day: day, primary: primary)
        }
    }

    private static func sitesFields(
        _ sites: [(name: String, email: String)], _ filled: FormState
    ) -> [Show.Site] {
        (1...(sites.count + spareRows)).map { number in
            let site = sites.indices.contains(number - 1) ? sites[number - 1] : nil
            var email = filled.field(
                "site_\(number)_email", label: "studies.site_email", first: site?.email ?? "")
            email.type = "email"
            email.autocomplete = "off"
            return Show.Site(
                name: filled.field(
                    "site_\(number)_name", label: "studies.site_name", first: site?.name ?? ""),
                email: email)
        }
    }
}
