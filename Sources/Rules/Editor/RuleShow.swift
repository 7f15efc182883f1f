import Database
import HTTP
import Identity
import Therapies
import Web
import Wire
import Wording

/// One rule: its conditions, its firings, its dry run.
extension RulePages {
    static let shownLines = 50

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        let record = try RuleActions.own(c)
        let isOn = record.enabledAt != nil
        let rule = try record.opened(try c.proof.account.key(c.keys))
        let run = c.request.query["dry_run"] == "true" ? try DryRun.run(record, c.services, now: c.now) : nil
        var files = run?.hits.map(\.therapy.id) ?? []
        defer { c.noteVisits(of: files, to: "rules") }
        let page = try c.read { connection -> Show in
            let words = try RuleFormatter(c, connection)
            let fired = try FiringStore.all(
                of: record.id, owner: record.ownerID, limit: shownLines, connection)
            files += fired.map(\.therapy.id)
            return Show(
                id: record.id, name: rule.name, state: c.texts[isOn ? "rules.on" : "rules.off"],
                tone: isOn ? "good" : "plain", isOn: isOn, revision: String(record.revision),
                facts: try facts(record, rule, words, c, connection),
                warnings: try RuleActions.warnings(record, c, connection).map { c.texts[$0.message] }
                    + RuleWatching.words(record, c, connection),
                run: try run.map { try RunView.make($0, record.rule, words, c) },
                firings: try fired.map { entry in
                    let written = try entry.firing.record(try entry.therapy.key(c.keys))
                    let withheld = entry.firing.isWithheld ? " · " + c.texts["rules.withheld"] : ""
                    return try line(
                        entry.therapy, entry.firing.at,
                        words.reason(written.rule, written.facts) + withheld, c)
                })
        }
        return .page(page)
    }

    static func facts(
        _ record: RuleRecord, _ rule: Rule, _ words: RuleFormatter, _ c: Context<Member>,
        _ connection: borrowing Connection
    ) throws -> [Fact] {
        let texts = c.texts
        var facts = [Fact(label: texts["rules.when"], value: words.when(rule))]
        let therapies = try RuleStore.therapies(of: record, connection)
        let whom =
            record.isForAll
            ? texts.count("rules.for_all", therapies.count)
            : try therapies.map { try $0.name(for: c.proof.account, c.keys).inWords }
                .joined(separator: ", ")
        let isByProtocols = whom.isEmpty && !record.isForAll
        facts.append(
            Fact(
                label: texts["rules.reach"], value: isByProtocols ? texts["rules.reach_protocols"] : whom))
        let days = texts.count("rules.span", rule.restDays)
        facts.append(
            Fact(label: texts["rules.how_often"], value: texts["rules.once_in", ["days": days]]))
        let text = try rule.actions.interventionID.flatMap {
            try LibraryStore.find($0, for: record.ownerID, connection)?.text.text(in: c.languages)
        }
        let actions: [(String, String?)] = [
            ("then_briefing", rule.actions.briefing), ("then_intervention", text),
            ("then_alert", rule.actions.alert), ("advice", rule.actions.advice),
            ("then_mail", rule.actions.sendsMail ? texts["rules.mail_is_sent"] : nil),
        ]
        facts += actions.compactMap { name, value in
            value.map { Fact(label: texts["rules.\(name)"], value: $0) }
        }
        return facts
    }

    static func line(
        _ therapy: Therapy, _ at: Instant, _ reason: String, _ c: Context<Member>
    ) throws -> Show.Line {
        let name = try therapy.name(for: c.proof.account, c.keys)
        return Show.Line(
            when: c.dates.short(at), codename: name.codename, alias: name.alias,
            path: therapy.path, reason: reason)
    }
}
