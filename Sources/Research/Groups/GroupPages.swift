import Database
import HTTP
import Secrets
import Studies
import Web
import Wire
import Wording

/// The groups of a study in the portal: allocation, outcomes, sites, and progress (IO-21).
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
            package let name: String
            package let cells: [Fact]
        }
        package struct Site: Encodable, Sendable {
            package let name: FieldView
            package let email: FieldView
        }
        package let head: StudyHead
        /// The number of places taken; nil without groups.
        package let progress: String?
        package let arms: [String]
        /// The letter of each arm in masked files.
        let labels: [Fact]
        let hasLabels: Bool
        package let rows: [Row]
        /// The flow of all allocated participants.
        package let flow: [String]
        /// The same by arm: every allocated participant is counted in one place.
        let flows: [Row]
        let hasFlows: Bool
        /// Nil without groups.
        package let revision: String?
        package let isStale: Bool
        /// The notice that allocation has ended, and why; nil before.
        package let closed: String?
        /// Nil before the end of allocation.
        package let seed: String?
        package let salt: String?
        /// To rule and seed; nil for groups of before.
        package let commitment: String?
        package let mayClose: Bool
        let canRemove: Bool
        /// How many are enrolled and not allocated; nil for none.
        package let waiting: String?
        package let allocation: FieldView
        /// The groups that the house names, and rows for the study's own.
        package let boxes: [ArmFields]
        package let ownArms: [ArmFields]
        package let moment: FieldView
        package let strata: [FieldView]
        /// Scores of the baseline, each with its bands.
        package let scores: [ScoreFields]
        package let numbers: [FieldView]
        package let outcomes: [OutcomeFields]
        package let sites: [Site]
        package let errors: ErrorSummary?
    }

    @Sendable static func show(_ c: Context<StudyLead>) throws -> Reply {
        .page(try page(FormState(c.texts), c))
    }

    @Sendable static func update(_ c: Context<StudyLead>) throws -> Reply {
        try c.submit(orShow: { try page($0.moving(placed), c) }, stale: { try page($0, c) }) { fields in
            let known = try c.read { try GroupStore.find(c.proof.study.id, $0) }?.groups
            let scales = try Grouping.scales(c)
            try Grouping.set(try GroupDraft.read(form: fields, scales: scales, over: known), c)
            return .seeOther("\(c.proof.study.path)/groups", flash: Message("studies.saved"))
        }
    }

    /// Errors of lists are shown at the first field that a form has for them.
    private static func placed(_ errors: FieldErrors) -> FieldErrors {
        let places = ["arms": "arm_full", "outcomes": "outcome_1", "strata": "stratum_site"]
        return errors.list.reduce(into: FieldErrors()) { all, error in
            let parts = error.field.split(separator: ".")
            let site = parts.first == "sites" ? parts.dropFirst().first.flatMap { Int($0) } : nil
            let field = site.map { "site_\($0 + 1)_email" } ?? places[error.field] ?? error.field
            all.add(FieldErrors(field, error.message))
        }
    }

    @Sendable static func destroy(_ c: Context<StudyLead>) throws -> Reply {
        let path = "\(c.proof.study.path)/groups"
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
        let (flow, flows) = try c.read { connection in
            (
                try stored.map { try FlowStore.flow(of: study.id, allocated: $0.allocated, connection) },
                try stored.map { try GroupFlowStore.flows(of: study.id, $0, connection) } ?? []
            )
        }
        let scales = try Grouping.scales(c)
        let waiting = try c.read { try Waiting.causes(in: study, at: c.now, $0) }.count
        let groups = stored?.groups
        let arms = (groups?.arms ?? []).map(\.key)
        let outcomeWords = OutcomeWords(c, groups)
        let words = outcomeWords.arms
        let names = Set(counts.map(\.site)).sorted(byName: \.self, then: \.self)
        let rows = names.map { site in
            Show.Row(
                name: site.isEmpty ? texts["studies.no_site"] : site,
                cells: arms.map { arm in
                    let own = counts.filter { $0.site == site && $0.arm == arm }
                    return Fact(
                        label: words.name(arm),
                        value: String(own.reduce(0) { $0 + $1.count }))
                })
        }
        let isRandom = groups.map { $0.allocation != .alternating } ?? false
        let closed = stored?.closedAt.map { day in
            texts[
                stored?.isClosedByArchiving == true ? "studies.closed_by_archiving" : "studies.closed_on",
                ["day": c.dates.day(day)]]
        }
        return Show(
            head: StudyHead.make(c, tab: .groups),
            progress: stored.map { texts.count("studies.places", $0.allocated, of: $0.groups.sampleSize) },
            arms: arms.map(words.name), labels: labels(stored, words, texts),
            hasLabels: stored?.labels != nil, rows: rows,
            flow: flow?.lines(texts) ?? [], flows: flowRows(flows, words, texts),
            hasFlows: flows.contains { $0.flow.total > 0 }, revision: filled.revision(stored?.revision),
            isStale: filled.isStale, closed: closed,
            seed: closed != nil && isRandom ? stored.map { String($0.seed) } : nil,
            salt: closed != nil && isRandom ? stored?.salt.map(hexadecimalDigits) : nil,
            commitment: isRandom ? stored?.commitment : nil,
            mayClose: stored.map { $0.closedAt == nil } ?? false,
            canRemove: stored.map { $0.allocated == 0 } ?? false && waiting == 0,
            waiting: waiting > 0 ? texts.count("studies.waiting", waiting) : nil,
            allocation: allocation(groups, filled), boxes: ArmFields.boxes(groups?.arms, filled),
            ownArms: ArmFields.rows(groups?.arms ?? [], filled, c.services),
            moment: moment(groups, filled), strata: strata(groups, filled),
            scores: ScoreFields.rows(groups?.strata.scores ?? [], scales, filled),
            numbers: numbers(groups, filled),
            outcomes: OutcomeFields.rows(
                groups?.outcomes ?? [], scales, outcomeWords, filled),
            sites: sitesFields(sites, filled), errors: filled.summary)
    }

    private static func labels(_ stored: GroupStore.Stored?, _ words: ArmWords, _ texts: Texts) -> [Fact] {
        (stored?.labels?.wire ?? []).map {
            Fact(label: $0.label, value: words.name(StudyArm.Key(rawValue: $0.arm)))
        }
    }

    /// The parts of the flow that hold a participant, and their sum; empty before the first one.
    private static func flowRows(
        _ flows: [(arm: StudyArm.Key, flow: StudyFlow)], _ words: ArmWords, _ texts: Texts
    ) -> [Show.Row] {
        if flows.allSatisfy({ $0.flow.total == 0 }) { return [] }
        let row = { (name: String, count: (StudyFlow) -> Int) in
            Show.Row(
                name: texts["studies.flow_row_\(name)"],
                cells: flows.map { arm, flow in
                    Fact(label: words.name(arm), value: String(count(flow)))
                })
        }
        let names = flows[0].flow.parts.map(\.name).filter { name in
            flows.contains { $0.flow.parts.contains { $0.name == name && $0.count > 0 } }
        }
        return names.map { name in
            row(name) { flow in flow.parts.first { $0.name == name }?.count ?? 0 }
        } + [row("all", \.total)]
    }

    private static func allocation(_ groups: TrialDesign?, _ filled: FormState) -> FieldView {
        filled.list(
            "allocation", label: "studies.allocation", first: groups?.allocation.rawValue ?? "alternating",
            hint: "studies.allocation_hint",
            StudyDesign.allocations.map { ($0, filled.texts["studies.allocation_\($0)"]) })
    }

    private static func moment(_ groups: TrialDesign?, _ filled: FormState) -> FieldView {
        filled.list(
            "allocated_at", label: "studies.moment", first: groups?.moment.rawValue ?? "enrolment",
            hint: "studies.moment_hint",
            StudyDesign.moments.map { ($0, filled.texts["studies.moment_\($0)"]) })
    }

    private static func strata(_ groups: TrialDesign?, _ filled: FormState) -> [FieldView] {
        ["site", "gender"].map { kind in
            filled.box(
                "stratum_\(kind)", label: "studies.stratum_\(kind)", hint: "studies.stratum_\(kind)_hint",
                isOn: groups?.strata.contains { $0.name == kind } ?? false)
        }
    }

    private static func numbers(_ groups: TrialDesign?, _ filled: FormState) -> [FieldView] {
        let rows = [("size", groups?.size ?? 20), ("sample_size", groups?.sampleSize ?? 120)]
        return rows.map { name, first in
            filled.field(
                name, .whole, label: "studies.group_\(name)", first: String(first),
                hint: "studies.group_\(name)_hint", required: true)
        }
    }

    private static let spareRows = 2

    private static func sitesFields(
        _ sites: [(name: String, email: String)], _ filled: FormState
    ) -> [Show.Site] {
        (1...(sites.count + spareRows)).map { number in
            let site = sites.indices.contains(number - 1) ? sites[number - 1] : nil
            let email = filled.field(
                "site_\(number)_email", .email, label: "studies.site_email", first: site?.email ?? "",
                autocomplete: "off")
            return Show.Site(
                name: filled.field(
                    "site_\(number)_name", label: "studies.site_name", first: site?.name ?? ""),
                email: email)
        }
    }
}
