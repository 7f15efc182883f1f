import Database
import HTTP
import Identity
import Records
import Web
import Wire
import Wording

/// Rules: the list, editing one, a dry run over stored data, switching.
package enum RulePages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/rules", .author, index)
        routes.page(.get, "/rules/new", .author, new)
        routes.page(.post, "/rules/new", .author, create)
        routes.page(.get, "/rules/:rule", .author, show)
        routes.page(.get, "/rules/:rule/edit", .author, edit)
        routes.page(.post, "/rules/:rule/edit", .author, update)
        routes.page(.post, "/rules/:rule/switch", .author, undo: .ruleSwitch, switchRule)
        RuleRemovalPages.routes(&routes)
    }

    package struct Index: Page {
        package static let template = "rules/index"
        package static let section: NavigationItem? = .rules
        package struct Row: Encodable, Sendable {
            package let id: ID<Rule>
            package let name: String
            package let when: String
            package let then: String
            package let state: String
            package let tone: String
            package let fired: String
            /// A reason why it can do nothing at present; nil when all is well.
            let warning: String?
        }
        /// A deleted rule that can still be brought back.
        package struct Removed: Encodable, Sendable {
            let id: ID<Rule>
            let name: String
            let state: String
            let tone: String
            let facts: String
        }
        package let rows: [Row]
        package let removed: [Removed]
        package let hasRemoved: Bool
    }

    package struct Show: Page {
        package static let template = "rules/show"
        package static let section: NavigationItem? = .rules
        package struct Line: Encodable, Sendable {
            package let when: String
            package let codename: String
            package let alias: String?
            package let path: String
            package let reason: String
        }
        package let id: ID<Rule>
        package let name: String
        package let state: String
        package let tone: String
        package let isOn: Bool
        package let revision: String
        package let facts: [Fact]
        package let warnings: [String]
        /// Nil until it is asked for.
        package let run: RunView?
        package let firings: [Line]
    }

    @Sendable package static func index(_ c: Context<Member>) throws -> Reply {
        let owner = c.proof.account.id
        let page = try c.read { connection in
            let words = try RuleFormatter(c, connection)
            let counts = try FiringStore.counts(of: owner, connection)
            let key = try c.proof.account.key(c.keys)
            let removed = try RuleStore.removed(of: owner, at: c.now, connection).map { record in
                try self.removed(record, key, c)
            }
            let rows = try RuleStore.all(of: owner, connection).map { record in
                let isOn = record.enabledAt != nil
                let rule = try record.opened(key)
                let count = counts[record.id]
                return Index.Row(
                    id: record.id, name: rule.name, when: words.when(rule),
                    then: words.then(rule), state: c.texts[isOn ? "rules.on" : "rules.off"],
                    tone: isOn ? "good" : "plain",
                    fired: count.map {
                        c.texts.count("rules.fired", $0.count) + ", "
                            + c.texts["rules.last", ["when": c.dates.short($0.last)]]
                    } ?? c.texts["rules.never_fired"],
                    warning: try RuleActions.warnings(record, c, connection).last.map { c.texts[$0.message] })
            }
            return Index(rows: rows, removed: removed, hasRemoved: !removed.isEmpty)
        }
        return .page(page)
    }

    private static func removed(
        _ record: RuleRecord, _ key: PersonKey, _ c: Context<Member>
    ) throws -> Index.Removed {
        let isOn = record.enabledAt != nil
        let at = record.retiredAt ?? record.changedAt
        let last = c.dates.day(at.adding(days: RuleStore.returnDays))
        let facts = c.texts["rules.removed_at", ["when": c.dates.dayAndTime(at), "day": last]]
        return Index.Removed(
            id: record.id, name: try record.opened(key).name,
            state: c.texts[isOn ? "rules.on" : "rules.off"], tone: isOn ? "good" : "plain", facts: facts)
    }

    @Sendable package static func new(_ c: Context<Member>) throws -> Reply {
        let form = try c.read { try RuleStart.form(c, try RuleItems(c, $0), $0) }
        return .page(try RuleEdit.make(nil, FormState(form, FieldErrors(), c.texts), c))
    }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        let form = try c.form()
        if let step = RuleStep(form) { return try redrawn(nil, form, step, c) }
        let sheet = RuleEditForm(form)
        return try c.submit(form, orShow: { try RuleEdit.make(nil, $0.moving(sheet.folded), c) }) { _ in
            let draft = try sheet.draft()
            try RuleActions.check(draft, c)
            if let page = try doubted(draft, nil, form, c) { return page }
            let id = try RuleActions.make(draft, c)
            return .seeOther("/rules/\(id)?dry_run=true", flash: Message("rules.made"))
        }
    }

    @Sendable static func edit(_ c: Context<Member>) throws -> Reply {
        let record = try RuleActions.own(c)
        let filled = FormState(try stored(record, c), FieldErrors(), c.texts)
        return .page(try RuleEdit.make(record, filled, c))
    }

    /// The fields of a rule as it is stored.
    private static func stored(_ record: RuleRecord, _ c: Context<Member>) throws -> Form {
        let chosen = record.isForAll ? nil : try c.read { try RuleStore.chosen(of: record.id, $0) }
        let rule = try record.opened(try c.proof.account.key(c.keys))
        return RuleEditForm.form(of: rule, chosen: chosen, c.texts)
    }

    @Sendable static func update(_ c: Context<Member>) throws -> Reply {
        let record = try RuleActions.own(c)
        let form = try c.form()
        if let step = RuleStep(form) { return try redrawn(record, form, step, c) }
        let sheet = RuleEditForm(form)
        let stale = { (filled: FormState) in
            let present = try RuleActions.own(c)
            return try RuleEdit.make(present, filled.beside(try stored(present, c)), c)
        }
        return try c.submit(
            form, orShow: { try RuleEdit.make(record, $0.moving(sheet.folded), c) }, stale: stale
        ) { _ in
            // The form is the whole of it: nothing of the old rule stays behind what was emptied.
            let draft = try sheet.draft()
            try RuleActions.check(draft, c)
            if let page = try doubted(draft, record, form, c) { return page }
            try RuleActions.change(record, to: draft, c)
            return .seeOther("/rules/\(record.id)?dry_run=true", flash: Message("rules.changed"))
        }
    }

    /// The editor after one of its buttons; nothing is stored.
    private static func redrawn(
        _ record: RuleRecord?, _ form: Form, _ step: RuleStep, _ c: Context<Member>
    ) throws -> Reply {
        let filled = FormState(step.applied(to: form), FieldErrors(), c.texts)
        return .page(try RuleEdit.make(record, filled, c, step: step))
    }

    /// The editor again for a rule that can never fire or always does; nil when all is well, and once it was confirmed.
    private static func doubted(
        _ draft: RuleActions.Draft, _ record: RuleRecord?, _ form: Form, _ c: Context<Member>
    ) throws -> Reply? {
        let (warnings, before) = try c.read { connection in
            (
                try RuleActions.warnings(draft.rule, for: draft.chosen, c, connection),
                try record.map { try RuleActions.warnings($0, c, connection) } ?? []
            )
        }
        // Doubts about the stored rule were confirmed already.
        guard before != warnings else { return nil }
        guard warnings.contains(where: \.isGrave), form[accepted] != acceptance(of: warnings) else {
            return nil
        }
        let filled = FormState(form, FieldErrors(), c.texts)
        return .page(try RuleEdit.make(record, filled, c, doubts: warnings), status: 422)
    }

    private static let accepted = "accepted"

    /// The form's value that confirms these doubts, and none that came up meanwhile.
    static func acceptance(of warnings: [RuleWarning]) -> String {
        warnings.map { "\($0.message.key):\($0.message.values["n"] ?? "")" }.joined(separator: " ")
    }

    @Sendable static func switchRule(_ c: Context<Member>) throws -> Reply {
        let record = try RuleActions.own(c)
        let fields = InputReader(form: try c.form())
        let isOn = fields.bool("enabled") ?? false
        try fields.finish()
        do {
            try RuleActions.switchRule(record.id, on: isOn, c)
        } catch Problem.preconditionFailed {
            return .seeOther("/rules/\(record.id)", flash: Message("rules.changed_meanwhile"))
        } catch Problem.invalid(let errors) {
            return .seeOther("/rules/\(record.id)", flash: errors.list.first?.message)
        }
        if isOn || record.enabledAt == nil { c.withholdUndo() }
        return .seeOther(
            "/rules/\(record.id)", flash: Message(isOn ? "rules.switched_on" : "rules.switched_off"))
    }
}
