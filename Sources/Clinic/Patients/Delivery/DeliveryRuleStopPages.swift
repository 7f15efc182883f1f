import Delivery
import HTTP
import Records
import Therapies
import Web
import Wording

/// Stopping automatic assignments, and resuming them (PR-15): it asks first, on a page of its own.
package enum DeliveryRuleStopPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/patients/:patient/delivery-rules/:rule/stop", .caseload, confirm)
        routes.page(.post, "/patients/:patient/delivery-rules/:rule/stop", .caseload, destroy)
        routes.page(.post, "/patients/:patient/delivery-rules/:rule/return", .caseload, takeUp)
    }

    package struct Confirm: Page {
        package static let template = "shared/confirm"
        package static let section: NavigationItem? = .patients
        package let confirm: Confirmation
    }

    @Sendable static func confirm(_ c: Context<Caseload>) throws -> Reply {
        let rule = try own(c)
        let therapy = c.proof.patient
        let texts = c.texts
        let (what, when, open) = try c.read { connection in
            let words = DeliveryRuleFormatter(c)
            let open = try DeliveryRuleStore.made(in: therapy.id, connection).filter { made in
                made.rule == rule.id && !made.isAnswered && !made.isWithdrawn && made.due > c.now
            }
            return (try words.what(rule, connection), try words.when(rule, connection), open.count)
        }
        let patient = therapy.path
        return .page(
            Confirm(
                confirm: Confirmation(
                    title: texts["delivery.stop_title", ["what": what]],
                    lead: texts["delivery.stop_lead", ["when": when]],
                    points: [
                        texts.count("delivery.stop_open", open), texts["delivery.stop_answered"],
                        texts["delivery.stop_undo"],
                    ],
                    crumbs: [
                        .init(label: texts["patients.title"], path: "/patients"),
                        .init(label: therapy.codename, path: patient),
                        .init(label: texts["patients.tab_deliveries"], path: patient + "/deliveries"),
                    ],
                    action: patient + "/delivery-rules/\(rule.id)/stop", submit: texts["delivery.stop"],
                    back: patient + "/deliveries")))
    }

    @Sendable static func destroy(_ c: Context<Caseload>) throws -> Reply {
        let rule = try own(c)
        let patient = c.proof.patient.path
        let form = try c.form()
        let path = patient + "/delivery-rules/\(rule.id)"
        guard form[Confirmation.field] == "true" else { return .seeOther(path + "/stop") }
        try DeliveryRules.stop(rule.id, c)
        return .seeOther(
            patient + "/deliveries", flash: Message("delivery.rule_stopped"), undo: path + "/return")
    }

    @Sendable static func takeUp(_ c: Context<Caseload>) throws -> Reply {
        try DeliveryRules.takeUp(try c.id("rule"), c)
        return .seeOther("\(c.proof.patient.path)/deliveries", flash: Message("delivery.rule_taken_up"))
    }

    /// The rule in the path, while it is in force.
    private static func own(_ c: Context<Caseload>) throws -> DeliveryRule {
        let id: ID<DeliveryRule> = try c.id("rule")
        let therapy = c.proof.patient.id
        guard let rule = try c.read({ try DeliveryRuleStore.find(id, in: therapy, $0) }),
            rule.stoppedAt == nil
        else { throw Problem.notFound }
        return rule
    }
}
