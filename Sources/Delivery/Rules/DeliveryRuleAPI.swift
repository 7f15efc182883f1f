import HTTP
import Psychometrics
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// The rules that assign questionnaires to a patient automatically.
enum DeliveryRuleAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .get, "/patients/:patient/delivery-rules", .caseloadReader,
            .many("The rules in force", DeliveryRuleAttributes.self), index)
        routes.call(
            .post, "/patients/:patient/delivery-rules", .caseload,
            .one(
                "Make a rule", DeliveryRuleAttributes.self, status: 201,
                takes: DeliveryRuleAttributes.sent.with(
                    Schema.optional(Permission.field, .boolean.orNull))),
            create)
        routes.call(
            .delete, "/patients/:patient/delivery-rules/:rule", .caseload,
            .nothing("Stop a rule; what it made and nobody has answered is taken back")
                .undone(.deliveryRule), destroy)
        routes.call(
            .post, "/patients/:patient/delivery-rules/:rule/return", .caseload,
            .one("Take a rule up again that was stopped in the last 30 days", DeliveryRuleAttributes.self)
                .revised(Undo.deliveryRule.revision), takeUp)
    }

    @Sendable static func index(_ c: Context<Caseload>) throws -> Reply {
        let paging = try Paging(c.request)
        let therapy = c.proof.patient.id
        let rules = try c.read { try DeliveryRuleStore.active(in: therapy, $0) }
        let (part, next) = paging.part(of: rules, .earliestFirst) { Position($0.createdAt, $0.id) }
        return try .data(Many(part.map { Item(id: $0.id, wire($0)) }, total: rules.count, next: next))
    }

    @Sendable static func create(_ c: Context<Caseload>) throws -> Reply {
        let today = LocalTime(c.now, c.dates.zone).date
        let draft = try DeliveryRuleDraft.read(try c.body(), today: today)
        let id = try DeliveryRules.make(draft, c)
        guard let rule = try c.read({ try DeliveryRuleStore.find(id, in: c.proof.patient.id, $0) }) else {
            throw Problem.notFound
        }
        return try .data(One(id: id, wire(rule)), status: 201)
    }

    @Sendable static func destroy(_ c: Context<Caseload>) throws -> Reply {
        try DeliveryRules.stop(try c.id("rule"), c)
        return .response(.noContent)
    }

    @Sendable static func takeUp(_ c: Context<Caseload>) throws -> Reply {
        let id: ID<DeliveryRule> = try c.id("rule")
        try DeliveryRules.takeUp(id, c)
        guard let rule = try c.read({ try DeliveryRuleStore.find(id, in: c.proof.patient.id, $0) }) else {
            throw Problem.notFound
        }
        return try .data(One(id: id, wire(rule)))
    }

    private static func wire(_ rule: DeliveryRule) -> DeliveryRuleAttributes {
        var wire = DeliveryRuleAttributes(
            occasion: rule.occasion.rawValue, openHours: Double(rule.openMinutes) / 60,
            createdAt: rule.createdAt)
        wire.questionnaireKey = rule.questionnaireKey
        wire.batteryID = rule.batteryID?.text
        wire.protocolID = rule.protocolID?.text
        wire.stoppedAt = rule.stoppedAt
        if let rhythm = rule.rhythm {
            wire.every = rhythm.every
            wire.unit = rhythm.unit.rawValue
            wire.startsOn = rhythm.startsOn
            wire.at = rhythm.clock
            wire.endsOn = rhythm.endsOn
        }
        if let watch = rule.watch {
            wire.watchedKey = watch.key
            wire.watchedScale = watch.scale
            wire.comparison = watch.threshold.comparison.rawValue
            wire.threshold = watch.threshold.value
            wire.restDays = watch.restDays
        }
        return wire
    }
}

extension Undo {
    static let deliveryRule = Undo(
        by: "/patients/:patient/delivery-rules/:rule/return", shown: "/patients/:patient/delivery-rules",
        DeliveryRuleStore.revision)
}
