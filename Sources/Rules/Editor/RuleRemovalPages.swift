import HTTP
import Identity
import Records
import Web
import Wording

/// Deleting rules and bringing them back (PR-15): one that is on asks first, on a page of its own.
package enum RuleRemovalPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/rules/:rule/removal", .author, confirm)
        routes.page(.post, "/rules/:rule/removal", .author, destroy)
        routes.page(.post, "/rules/:rule/return", .author, bringBack)
    }

    package struct Confirm: Page {
        package static let template = "shared/confirm"
        package static let section: NavigationItem? = .rules
        package let confirm: Confirmation
    }

    @Sendable static func confirm(_ c: Context<Member>) throws -> Reply {
        let record = try RuleActions.own(c)
        let texts = c.texts
        let name = try record.opened(try c.proof.account.key(c.keys)).name
        let (reach, fired) = try c.read { connection in
            let counts = try FiringStore.counts(of: record.ownerID, connection)
            return (try RuleStore.therapies(of: record, connection).count, counts[record.id]?.count ?? 0)
        }
        let path = "/rules/\(record.id)"
        let history = fired > 0 ? [texts.count("rules.removal_fired", fired)] : []
        let points =
            [texts.count("rules.removal_reach", reach)] + history + [texts["rules.removal_undo"]]
        return .page(
            Confirm(
                confirm: Confirmation(
                    title: texts["rules.removal_title", ["name": name]],
                    lead: texts[record.enabledAt == nil ? "rules.removal_off" : "rules.removal_on"],
                    points: points,
                    crumbs: [
                        .init(label: texts["rules.title"], path: "/rules"), .init(label: name, path: path),
                    ],
                    action: path + "/removal", submit: texts["rules.remove"], back: path,
                    revision: String(record.revision))))
    }

    @Sendable static func destroy(_ c: Context<Member>) throws -> Reply {
        let record = try RuleActions.own(c)
        let form = try c.form()
        // Also for a page that was drawn while it was off.
        if record.enabledAt != nil, form[Confirmation.field] != "true" {
            return .seeOther("/rules/\(record.id)/removal")
        }
        do {
            try RuleActions.retire(record.id, c)
        } catch Problem.preconditionFailed {
            return .seeOther("/rules/\(record.id)", flash: Message("rules.changed_meanwhile"))
        }
        return .seeOther("/rules", flash: Message("rules.removed"), undo: "/rules/\(record.id)/return")
    }

    @Sendable static func bringBack(_ c: Context<Member>) throws -> Reply {
        let id: ID<Rule> = try c.id("rule")
        try RuleActions.bringBack(id, c)
        let isOn = try c.read { try RuleStore.find(id, of: c.proof.account.id, $0) }?.enabledAt != nil
        return .seeOther("/rules/\(id)", flash: Message(isOn ? "rules.returned_on" : "rules.returned_off"))
    }
}
