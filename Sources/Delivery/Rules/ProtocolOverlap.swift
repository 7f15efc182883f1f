import Records
import Wire

/// Keeps protocols from asking twice (PR-17): one questionnaire once for one occasion, whether the patient's own
/// plan, another protocol or a therapist has assigned it.
struct ProtocolOverlap: Sendable {
    /// In force.
    let rules: [ID<DeliveryRule>: DeliveryRule]
    /// Rules that protocols have dropped.
    let dropped: Set<ID<DeliveryRule>>
    let byHand: [AssignedByHand]

    /// An assignment of a dropped rule that another rule takes over.
    struct Adoption: Sendable {
        let id: ID<Assignment>
        let wanted: PlannedAssignment
    }

    /// The missing assignments, and those that move to another rule.
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
        // The rule that has assigned it already goes first, so that no assignment moves without need.
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

    /// Two on one day count as two only within one protocol.
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

    /// By hand, from a rule of another protocol.
    private func isTakenBack(_ made: DeliveryRuleStore.Made) -> Bool {
        made.isWithdrawn && !made.isWithdrawnByPlan && dropped.contains(made.rule)
    }

    /// Before the protocol was added: later assignments are made with knowledge of it.
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
