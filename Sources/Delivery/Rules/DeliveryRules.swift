import Database
import Instruments
import Questionnaires
import Records
import Therapies
import Web
import Wording

/// Making and stopping rules, for page and call alike.
package enum DeliveryRules {
    /// - Returns: the rule's id.
    /// - Throws: `Problem` for an ended therapy, an unknown questionnaire, battery or scale, and for a copyrighted
    ///   instrument without a confirmed permission.
    package static func make(_ draft: DeliveryRuleDraft, _ c: Context<Caseload>) throws -> ID<DeliveryRule> {
        let therapy = c.proof.patient
        guard therapy.endedAt == nil else { throw Problem.conflict(Message("assignments.therapy_ended")) }
        let keys = try c.read { connection in try check(draft, c, connection) }
        try Permission.require(for: keys, isConfirmed: draft.isPermissionConfirmed, c)
        let id: ID<DeliveryRule> = c.newID()
        let words = ["questionnaire": keys.joined(separator: ", "), "occasion": draft.occasion.rawValue]
        let change = try c.change(of: try therapy.key(c.keys), to: words)
        try c.write(.deliveryRuleMade, about: therapy.id, object: id, change: change) {
            [now = c.now, services = c.services] connection in
            try DeliveryRuleStore.insert(draft, id: id, in: therapy.id, at: now, connection)
            try DeliveryPlanner.reconcile(therapy.id, services, now: now, connection)
        }
        return id
    }

    private static func check(
        _ draft: DeliveryRuleDraft, _ c: Context<Caseload>, _ connection: borrowing Connection
    ) throws -> [String] {
        let cache = c.services.questionnaires
        var keys = [draft.questionnaireKey].compactMap(\.self)
        if try DeliveryRuleStore.active(in: c.proof.patient.id, connection).contains(
            where: draft.says(theSameAs:))
        {
            throw Problem.conflict(Message("delivery.exists"))
        }
        if let battery = draft.batteryID {
            guard let found = try BatteryStore.find(battery, connection) else {
                throw Problem.invalid("battery_id", "batteries.unknown")
            }
            keys = found.keys
        }
        for key in keys where try QuestionnaireStore.newest(key, cache, connection) == nil {
            throw Problem.invalid("questionnaire_key", "errors.unknown_questionnaire")
        }
        if let watch = draft.watch {
            let record = try QuestionnaireStore.newest(watch.key, cache, connection)
            guard let record else { throw Problem.invalid("watched_key", "errors.unknown_questionnaire") }
            guard record.definition.scales.contains(where: { $0.key == watch.scale }) else {
                throw Problem.invalid("watched_scale", "delivery.no_scale")
            }
        }
        return keys
    }

    package static func stop(_ id: ID<DeliveryRule>, _ c: Context<Caseload>) throws {
        let therapy = c.proof.patient.id
        try c.write(.deliveryRuleStopped, about: therapy, object: id) {
            [now = c.now, services = c.services] connection in
            try DeliveryRuleStore.stop(id, in: therapy, at: now, connection)
            try DeliveryPlanner.reconcile(therapy, services, now: now, connection)
        }
    }

    /// Undoes stopping.
    /// - Throws: `Problem.conflict` for an ended therapy, and where another rule asks for the same by now.
    package static func takeUp(_ id: ID<DeliveryRule>, _ c: Context<Caseload>) throws {
        let therapy = c.proof.patient.id
        try c.write(.deliveryRuleTakenUp, about: therapy, object: id) {
            [now = c.now, services = c.services] connection in
            guard try TherapyStore.find(therapy, connection)?.endedAt == nil else {
                throw Problem.conflict(Message("assignments.therapy_ended"))
            }
            let rule = try DeliveryRuleStore.find(id, in: therapy, connection)
            let active = try DeliveryRuleStore.active(in: therapy, connection)
            if let rule, active.contains(where: { $0.id != id && $0.says(theSameAs: rule) }) {
                throw Problem.conflict(Message("delivery.exists"))
            }
            try DeliveryRuleStore.takeUp(id, in: therapy, at: now, connection)
            try DeliveryPlanner.reconcile(therapy, services, now: now, connection)
        }
    }
}
