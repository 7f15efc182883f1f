import Database
import HTTP
import Identity
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// A dry run, drawn: a strip of 90 days for each patient, and every day as a table (PR-18).
package struct RunView: Encodable, Sendable {
    /// One patient's strip.
    struct Strip: Encodable, Sendable {
        /// A day on which it would have fired; where it is drawn.
        struct Mark: Encodable, Sendable {
            let x: Int
        }
        let codename: String
        let alias: String?
        let path: String
        let count: String
        /// The days in words.
        let days: String
        let marks: [Mark]
        /// Where the patient's time begins, and how long it is.
        let start: Int
        let length: Int
    }

    /// What a sentence still lacks before it can be tried.
    let missing: [ErrorLine]
    let isIncomplete: Bool
    let warnings: [String]
    /// Nil while something is missing, and where there is nobody to try it with.
    let summary: String?
    let strips: [Strip]
    let hasStrips: Bool
    /// Those for whom it would never have fired.
    let quiet: String?
    let quietNames: String
    let first: String
    let middle: String
    let lines: [RulePages.Show.Line]
    let more: String?
    /// Somebody asked to see it.
    let isAsked: Bool

    /// So wide is a day.
    private static let step = 10

    /// What the sentence in a form would have done, as far as it is complete.
    static func make(_ form: Form, _ c: Context<Member>, isAsked: Bool) throws -> RunView {
        let sheet = RuleSheet(form, isTrial: true)
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

    /// - Parameter rule: with its words or without; reasons have none of them.
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
            codename: name.codename, alias: name.alias, path: "/patients/\(therapy.id)",
            count: c.texts.count("rules.run_times", hits.count), days: words,
            marks: Set(hits.map { place($0.at) }).sorted().map(Strip.Mark.init), start: start,
            length: (Int(DryRun.days) + 1) * step - start)
    }

    static let example = RunView(
        missing: [ErrorLine(field: "item_1", text: "Bitte wählen Sie eine Skala oder Frage.")],
        isIncomplete: true, warnings: ["So kann die Reaktion nie auslösen."],
        summary: "2-mal bei 1 von 5: etwa 1 im Monat",
        strips: [
            Strip(
                codename: "C020480", alias: "Frau Winter", path: "/patients", count: "2-mal",
                days: "Mo 2. Nov., Di 10. Nov.", marks: [.init(x: 100)], start: 0, length: 910)
        ], hasStrips: true, quiet: "Bei 4 Personen kein einziges Mal", quietNames: "C020481",
        first: "22. Aug.", middle: "6. Okt.",
        lines: [
            .init(
                when: "heute 08:12", codename: "C020480", alias: "Frau Winter", path: "/patients",
                reason: "Stimmung 1, 2")
        ], more: nil, isAsked: true)
}
