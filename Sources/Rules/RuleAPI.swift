import Database
import HTTP
import Identity
import Records
import Therapies
import Web
import Wire
import Wording

/// Rules over results.
enum RuleAPI {
    static func routes(_ routes: inout Routes) {
        let type = RuleAttributes.self
        routes.call(
            .get, "/rules", .author,
            .many("The own rules, or those deleted in the last 30 days", type, query: ["state"]), index)
        routes.call(
            .post, "/rules", .author,
            .one(
                "Make a rule; it is off unless it is sent switched on", type, status: 201,
                takes: RuleAttributes.sent(isChange: false)), create)
        routes.call(.get, "/rules/:rule", .author, .one("An own rule", type), show)
        routes.call(
            .patch, "/rules/:rule", .author,
            .one("Change a rule, or switch it", type, takes: RuleAttributes.sent(isChange: true)).matching
                .undone(.ruleSwitch),
            update)
        routes.call(
            .post, "/rules/:rule/enabling", .author,
            .one("Switch a rule on again", type).revised(Undo.ruleSwitch.revision), enable)
        routes.call(
            .delete, "/rules/:rule", .author,
            .nothing("Delete a rule; what it did stays, for 30 days it can be brought back")
                .undone(.rule),
            destroy)
        routes.call(
            .post, "/rules/:rule/return", .author,
            .one("Bring a deleted rule back as it was", type)
                .revised(Undo.rule.revision), bringBack)
        routes.call(
            .get, "/rules/:rule/dry-run", .author,
            .many("Whom the rule would have met in the last 90 days", RuleFiring.self), dryRun)
        routes.call(
            .get, "/rules/:rule/firings", .author, .many("When the rule was met", RuleFiring.self), firings)
    }

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let paging = try Paging(c.request)
        let owner = c.proof.account.id
        let fields = InputReader(form: c.request.query)
        let isRemoved = fields.choice("state", from: ["present", "removed"]) == "removed"
        if !fields.errors.isEmpty { throw Problem.invalid(fields.errors) }
        let list = try c.read { connection in
            let all =
                isRemoved
                ? try RuleStore.removed(of: owner, at: c.now, connection)
                : try RuleStore.all(of: owner, connection)
            let (part, next) = paging.part(of: all) { Position($0.retiredAt ?? $0.createdAt, $0.id) }
            let items = try part.map { Item(id: $0.id, try wire($0, c, connection)) }
            return Many(items, total: all.count, next: next)
        }
        return try .data(list)
    }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        let draft = try RuleActions.read(try c.json(), over: nil, chosen: nil)
        return try answer(try RuleActions.make(draft, c), c, status: 201)
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        try answer(try c.id("rule"), c, status: 200)
    }

    @Sendable static func update(_ c: Context<Member>) throws -> Reply {
        let record = try RuleActions.own(c)
        let json = try c.json()
        if RuleActions.isSwitchOnly(json) {
            let fields = InputReader(json: json)
            let isOn = fields.bool("enabled")
            try fields.finish()
            if let isOn { try RuleActions.switchRule(record.id, on: isOn, c) }
            // A rule that was switched on is switched off again, not undone.
            if isOn != false || record.enabledAt == nil { c.withholdUndo() }
            return try answer(record.id, c, status: 200)
        }
        let chosen = record.isForAll ? nil : try c.read { try RuleStore.chosen(of: record.id, $0) }
        let rule = try record.opened(try c.proof.account.key(c.keys))
        try RuleActions.change(record, to: try RuleActions.read(json, over: rule, chosen: chosen), c)
        c.withholdUndo()
        return try answer(record.id, c, status: 200)
    }

    @Sendable static func destroy(_ c: Context<Member>) throws -> Reply {
        try RuleActions.retire(try RuleActions.own(c).id, c)
        return .response(.noContent)
    }

    @Sendable static func enable(_ c: Context<Member>) throws -> Reply {
        let record = try RuleActions.own(c)
        try RuleActions.switchRule(record.id, on: true, c, needsMatch: false)
        return try answer(record.id, c, status: 200)
    }

    @Sendable static func bringBack(_ c: Context<Member>) throws -> Reply {
        let id: ID<Rule> = try c.id("rule")
        try RuleActions.bringBack(id, c)
        return try answer(id, c, status: 200)
    }

    @Sendable static func dryRun(_ c: Context<Member>) throws -> Reply {
        let paging = try Paging(c.request)
        let record = try RuleActions.own(c)
        let run = try DryRun.run(record, c.services, now: c.now)
        let words = try c.read { try RuleFormatter(c, $0) }
        let all = run.hits.map { hit in
            (id: DerivedID.of(record.id, hit.therapy.id, String(hit.at.milliseconds)), hit: hit)
        }.sorted { ($1.hit.at, $0.id) < ($0.hit.at, $1.id) }
        let (part, next) = paging.part(of: all) { Position($0.hit.at, $0.id) }
        let items = part.map { entry in
            let reason = words.reason(record.rule, entry.hit.facts)
            return Item(id: entry.id, firing(entry.hit.therapy, entry.hit.at, reason))
        }
        c.noteVisits(of: part.map(\.hit.therapy.id), to: "rules")
        return try .data(Many(items, total: all.count, next: next))
    }

    @Sendable static func firings(_ c: Context<Member>) throws -> Reply {
        let paging = try Paging(c.request)
        let record = try RuleActions.own(c)
        let owner = c.proof.account.id
        let (list, shown) = try c.read { connection in
            let all = try FiringStore.all(of: record.id, owner: owner, limit: 1_000, connection)
            let words = try RuleFormatter(c, connection)
            let (part, next) = paging.part(of: all) { Position($0.firing.at, $0.firing.id) }
            let items = try part.map { entry in
                let written = try entry.firing.record(try entry.therapy.key(c.keys))
                let reason = words.reason(written.rule, written.facts)
                return Item(id: entry.firing.id, firing(entry.therapy, entry.firing.at, reason))
            }
            return (Many(items, total: all.count, next: next), part.map(\.therapy.id))
        }
        c.noteVisits(of: shown, to: "rules")
        return try .data(list)
    }

    private static func firing(_ therapy: Therapy, _ at: Instant, _ reason: String) -> RuleFiring {
        RuleFiring(patientID: therapy.id.text, codename: therapy.codename, at: at, reason: reason)
    }

    private static func answer(_ id: ID<Rule>, _ c: Context<Member>, status: Int) throws -> Reply {
        let owner = c.proof.account.id
        let (attributes, revision) = try c.read { connection -> (RuleAttributes, Int) in
            guard let record = try RuleStore.find(id, of: owner, connection) else { throw Problem.notFound }
            return (try wire(record, c, connection), record.revision)
        }
        return Conditional.tagged(
            try .data(One(id: id, attributes), status: status), revision: revision, c.language)
    }

    private static func wire(
        _ record: RuleRecord, _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> RuleAttributes {
        var wire = try record.opened(try c.proof.account.key(c.keys)).wire
        let counts = try FiringStore.counts(of: record.ownerID, connection)[record.id]
        wire.patientIDs = record.isForAll ? nil : try RuleStore.chosen(of: record.id, connection).map(\.text)
        wire.enabled = record.enabledAt != nil
        wire.warnings = try RuleActions.warnings(record, c, connection).map { c.texts[$0.message] }
        wire.firings = counts?.count ?? 0
        wire.lastFiredAt = counts?.last
        wire.createdAt = record.createdAt
        wire.changedAt = record.changedAt
        return wire
    }
}
