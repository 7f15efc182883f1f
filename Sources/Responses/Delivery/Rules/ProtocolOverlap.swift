import Records
import Therapies
import Wire

/// Keeps protocols from asking what is asked already (PR-17): one questionnaire once for one occasion, whether the patient's
/// own plan, another protocol or a hand has assigned it.
struct ProtocolOverlap: Sendable {
    /// In force.
    let rules: [ID<DeliveryRule>: DeliveryRule]
    /// Those that protocols have dropped.
    let dropped: Set<ID<DeliveryRule>>
    let byHand: [AssignedByHand]

    /// An assignment of a dropped rule that another one goes on with.
    struct Adoption: Sendable {
        let id: ID<Assignment>
        let wanted: PlannedAssignment
    }

    /// What is wanted beyond what there is, and what goes on under another rule.
    func settled(
        _ wanted: [PlannedAssignment], _ made: [DeliveryRuleStore.Made], now: Instant
    ) -> (wanted: [PlannedAssignment], adoptions: [Adoption]) {
        let own = wanted.filter { rules[$0.rule]?.protocolID == nil }
        let others = Dictionary(grouping: made) { Occasion($0.occasion, $0.key) }
        let hasLive = { (wanted: PlannedAssignment) in
            others[Occasion(wanted.occasion, wanted.key)]?.contains {
                $0.rule == wanted.rule && $0.isLive(at: now)
            } ?? false
        }
        var claims = Dictionary(grouping: own) { Occasion($0.occasion, $0.key) }
        var kept: [PlannedAssignment] = []
        var adoptions: [Adoption] = []
        let asked = wanted.filter { rules[$0.rule]?.protocolID != nil }
        // Who has assigned it already goes first, so that nothing changes hands without need.
        for wanted in asked.filter(hasLive) + asked.filter({ !hasLive($0) }) {
            let occasion = Occasion(wanted.occasion, wanted.key)
            if claims[occasion]?.contains(where: { isSame($0, wanted) }) ?? false { continue }
            let there = (others[occasion] ?? []).filter { $0.rule != wanted.rule && isSame($0, wanted) }
            if there.contains(where: { $0.isAnswered || isTakenBack($0) }) { continue }
            if !hasLive(wanted) {
                if isAssignedByHand(wanted) { continue }
                if let left = there.first(where: { $0.isLive(at: now) && dropped.contains($0.rule) }) {
                    adoptions.append(Adoption(id: left.id, wanted: wanted))
                }
            }
            claims[occasion, default: []].append(wanted)
            kept.append(wanted)
        }
        return (own + kept, adoptions)
    }

    private struct Occasion: Hashable {
        let name: String
        let key: String

        init(_ name: String, _ key: String) { (self.name, self.key) = (name, key) }
    }

    /// Twice on one day is asked twice only where one protocol says so.
    private func isSame(_ one: PlannedAssignment, _ other: PlannedAssignment) -> Bool {
        isOneDay(one.rule, other) ? one.from == other.from : true
    }

    private func isSame(_ made: DeliveryRuleStore.Made, _ wanted: PlannedAssignment) -> Bool {
        isOneDay(made.rule, wanted) ? made.from == wanted.from : true
    }

    private func isOneDay(_ rule: ID<DeliveryRule>, _ wanted: PlannedAssignment) -> Bool {
        guard let mine = rules[wanted.rule], mine.occasion == .repeated, let other = rules[rule] else {
            return false
        }
        return other.id != mine.id && other.protocolID == mine.protocolID
    }

    /// By hand, from a rule that another protocol had.
    private func isTakenBack(_ made: DeliveryRuleStore.Made) -> Bool {
        made.isWithdrawn && !made.isWithdrawnByPlan && dropped.contains(made.rule)
    }

    /// Before the protocol came: what somebody assigns after it, they know of.
    private func isAssignedByHand(_ wanted: PlannedAssignment) -> Bool {
        guard let since = rules[wanted.rule]?.createdAt else { return false }
        return byHand.contains {
            $0.key == wanted.key && $0.from < wanted.due && $0.due > wanted.from && $0.at <= since
        }
    }
}

extension DeliveryRuleStore.Made {
    func isLive(at now: Instant) -> Bool { !isWithdrawn && !isAnswered && due > now }
}
