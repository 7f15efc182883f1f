import Database
import Records
import Therapies
import Wire

/// Brings the delivery rules of a therapy into line with its protocols (PR-17). A protocol's rule is an ordinary one
/// that names its protocol; the planner does the rest.
package enum ProtocolDelivery {
    /// The day from which a protocol's rhythm counts, until a therapy has begun.
    package static let dayZero = LocalDate(daysSince1970: 10_959)

    /// - Parameters:
    ///   - asked: with days counted from `dayZero`.
    ///   - begin: of the therapy; without it no rhythm starts.
    package static func apply(
        _ asked: [DeliveryRuleDraft], of id: ID<TreatmentProtocol>, in therapy: ID<Therapy>,
        begin: LocalDate?, _ chance: Randomness, at now: Instant, _ connection: borrowing Connection
    ) throws {
        let wanted = asked.compactMap { $0.counted(from: begin) }
        var present = try ProtocolRuleStore.all(of: id, in: therapy, connection)
        var rest: [DeliveryRuleDraft] = []
        for draft in wanted {
            guard let index = present.firstIndex(where: draft.says(theSameAs:)) else {
                rest.append(draft)
                continue
            }
            try renew(present.remove(at: index), draft, connection)
        }
        // The same question on the same occasion in another rhythm is the same rule: its assignments stay.
        for draft in rest {
            if let index = present.firstIndex(where: draft.asks(theSameAs:)) {
                try renew(present.remove(at: index), draft, connection)
            } else {
                try ProtocolRuleStore.insert(
                    draft, id: chance.id(), of: id, in: therapy, at: now, connection)
            }
        }
        for left in present { try ProtocolRuleStore.drop(left.id, at: now, connection) }
    }

    private static func renew(
        _ rule: DeliveryRule, _ draft: DeliveryRuleDraft, _ connection: borrowing Connection
    ) throws {
        let isUnchanged = draft.says(theSameAs: rule) && draft.openMinutes == rule.openMinutes
        if isUnchanged && !rule.isStoppedByProtocol { return }
        try ProtocolRuleStore.change(rule.id, to: draft, connection)
    }

    /// Drops the rules of protocols that are not in force any more.
    package static func drop(
        allBut kept: Set<ID<TreatmentProtocol>>, in therapy: ID<Therapy>, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        for id in try ProtocolRuleStore.protocols(in: therapy, connection) where !kept.contains(id) {
            for rule in try ProtocolRuleStore.all(of: id, in: therapy, connection) {
                try ProtocolRuleStore.drop(rule.id, at: now, connection)
            }
        }
    }

    /// Turns a protocol's rules into the patient's own, which stay.
    package static func keep(
        from id: ID<TreatmentProtocol>, in therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws {
        try ProtocolRuleStore.detach(from: id, in: therapy, connection)
    }
}

extension DeliveryRuleDraft {
    /// With dates instead of days; nil for a rhythm while the begin is unknown.
    func counted(from begin: LocalDate?) -> DeliveryRuleDraft? {
        guard let rhythm else { return self }
        guard let begin else { return nil }
        let offset = Int(begin.daysSince1970 - ProtocolDelivery.dayZero.daysSince1970)
        return with(
            DeliveryRule.Rhythm(
                every: rhythm.every, unit: rhythm.unit, startsOn: rhythm.startsOn.adding(days: offset),
                atMinute: rhythm.atMinute, endsOn: rhythm.endsOn?.adding(days: offset)))
    }

    func asks(theSameAs rule: DeliveryRule) -> Bool {
        occasion == rule.occasion && questionnaireKey == rule.questionnaireKey && batteryID == rule.batteryID
            && watch?.key == rule.watch?.key && watch?.scale == rule.watch?.scale
    }
}
