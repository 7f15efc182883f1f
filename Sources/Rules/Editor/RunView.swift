import HTTP
import Identity
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// A drawn dry run: a strip of 90 days for each patient, and every day as a table (PR-18).
package struct RunView: Encodable, Sendable {
    /// One patient's strip.
    struct Strip: Encodable, Sendable {
        /// A day on which it would have fired; its position.
        struct Mark: Encodable, Sendable {
            let x: Int
        }
        let codename: String
        let alias: String?
        let path: String
        let count: String
        let days: String
        let marks: [Mark]
        /// The begin and the length of the patient's time.
        let start: Int
        let length: Int
    }

    /// The missing parts of a sentence that cannot be tried yet.
    let missing: [ErrorLine]
    let isIncomplete: Bool
    let warnings: [String]
    /// Nil while a part is missing, and without patients to try it with.
    let summary: String?
    let strips: [Strip]
    let hasStrips: Bool
    /// The patients for whom it would never have fired.
    let quiet: String?
    let quietNames: String
    let first: String
    let middle: String
    let lines: [RulePages.Show.Line]
    let more: String?
    /// Whether the run was asked for.
    let isAsked: Bool

    /// The width of a day.
    private static let step = 10

    /// The dry run of the sentence in a form, as far as it is complete.
    static func make(_ form: Form, _ c: Context<Member>, isAsked: Bool) throws -> RunView {
        let sheet = RuleEditForm(form, isTrial: true)
        do {
            let draft = try sheet.draft()
            try RuleActions.checkConditions(draft, c)
            let owner = c.proof.account.id
            let (warnings, therapies) = try c.read { connection in
                (
                    try RuleActions.warnings(draft.rule, for: draft.chosen, c, connection),
                    try RuleStore.therapies(of: owner, chosen: draft.chosen, connection)
                )
            }
            let run = try DryRun.run(draft.rule, for: therapies, c.services, now: c.now)
            c.noteVisits(of: run.hits.map(\.therapy.id), to: "rules")
            let words = try c.read { try RuleFormatter(c, $0) }
            return try make(
                run, draft.rule, words, c, warnings: warnings.map { c.texts[$0.message] }, isAsked: isAsked)
        } catch Problem.invalid(let errors) {
            return incomplete(sheet.folded(errors), c, isAsked: isAsked)
        }
    }

    private static func incomplete(
        _ errors: FieldErrors, _ c: Context<Member>, isAsked: Bool
    ) -> RunView {
        let texts = c.texts
        let lines = errors.list.map { error -> ErrorLine in
            let part = error.field.split(separator: "_").first.map(String.init) ?? ""
            let label = RuleStep.parts.contains(part) ? texts["rules.\(part)"] + ": " : ""
            return ErrorLine(field: error.field, text: label + texts[error.message])
        }
        return RunView(
            missing: lines, isIncomplete: true, warnings: [], summary: nil, strips: [], hasStrips: false,
            quiet: nil, quietNames: "", first: "", middle: "", lines: [], more: nil, isAsked: isAsked)
    }

    /// - Parameter rule: with its words or without; reasons contain none of them.
    static func make(
        _ run: DryRun, _ rule: Rule, _ words: RuleFormatter, _ c: Context<Member>, warnings: [String] = [],
        isAsked: Bool = false
    ) throws -> RunView {
        let texts = c.texts
        let byTherapy = Dictionary(grouping: run.hits, by: \.therapy.id)
        let met = run.therapies.filter { byTherapy[$0.id] != nil }
        let strips = try met.map { try strip($0, byTherapy[$0.id] ?? [], run, c) }
        let quiet = try run.therapies.filter { byTherapy[$0.id] == nil }.map {
            try $0.name(for: c.proof.account, c.keys).inWords
        }
        let first = LocalTime(run.from, c.dates.zone).date
        let shown = run.hits.prefix(RulePages.shownLines)
        let left = run.hits.count - shown.count
        return RunView(
            missing: [], isIncomplete: false, warnings: warnings, summary: summary(run, texts),
            strips: strips, hasStrips: !strips.isEmpty,
            quiet: quiet.isEmpty || strips.isEmpty ? nil : texts.count("rules.run_quiet", quiet.count),
            quietNames: quiet.joined(separator: ", "), first: c.dates.shortDay(first),
            middle: c.dates.shortDay(first.adding(days: Int(DryRun.days / 2))),
            lines: try shown.map {
                try RulePages.line($0.therapy, $0.at, words.reason(rule, $0.facts), c)
            }, more: left > 0 ? texts.count("rules.run_more", left) : nil, isAsked: isAsked)
    }

    private static func summary(_ run: DryRun, _ texts: Texts) -> String {
        let patients = run.therapies.count
        if patients == 0 { return texts["rules.run_nobody"] }
        let month = Int((Double(run.hits.count) * 30 / Double(DryRun.days)).rounded())
        let rate = month == 0 ? texts["rules.run_rare"] : texts["rules.run_rate", ["n": String(month)]]
        let values = [
            "days": String(DryRun.days), "n": String(run.hits.count), "met": String(run.met),
            "of": String(patients), "rate": rate,
        ]
        return texts[run.hits.isEmpty ? "rules.run_none" : "rules.run_summary", values]
    }

    private static func strip(
        _ therapy: Therapy, _ hits: [DryRun.Hit], _ run: DryRun, _ c: Context<Member>
    ) throws -> Strip {
        let name = try therapy.name(for: c.proof.account, c.keys)
        let days = hits.map { LocalTime($0.at, c.dates.zone).date }.sorted()
        let words = days.map(c.dates.shortDay).joined(separator: ", ")
        let place = { (at: Instant) -> Int in
            let first = LocalTime(run.from, c.dates.zone).date.daysSince1970
            let day = LocalTime(at, c.dates.zone).date.daysSince1970
            return Int(min(max(day - first, 0), DryRun.days)) * step
        }
        let start = therapy.pairedAt.map(place) ?? 0
        return Strip(
            codename: name.codename, alias: name.alias, path: therapy.path,
            count: c.texts.count("rules.run_times", hits.count), days: words,
            marks: Set(hits.map { place($0.at) }).sorted().map(Strip.Mark.init), start: start,
            length: (Int(DryRun.days) + 1) * step - start)
    }
}
