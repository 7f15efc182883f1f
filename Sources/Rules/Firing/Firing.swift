import Contributions
import Database
import JSON
import Records
import Templates
import Therapies
import Web
import Wire

/// One time a rule was met: the rule at that time, the values that met it, and its actions.
package struct Firing: Sendable, FromRow {
    package let id: ID<Firing>
    package let ruleID: ID<Rule>
    package let therapyID: ID<Therapy>
    package let at: Instant
    package let interventionID: ID<Intervention>?
    /// The sheet that triggered it; nil for the clock.
    package let contributionID: ID<ContributionRecord>?
    /// Whether an intervention was due that this patient does not get (IO-21).
    let isWithheld: Bool
    package let isInBriefing: Bool
    private let sealedRecord: [UInt8]

    package init(row: borrowing Row) throws {
        id = try row["id"]
        ruleID = try row["rule_id"]
        therapyID = try row["therapy_id"]
        at = try row["at"]
        interventionID = try row["intervention_id"]
        contributionID = try row["contribution_id"]
        isWithheld = try row["withheld"]
        isInBriefing = try row["in_briefing"]
        sealedRecord = try row["record"]
    }

    /// - Parameter key: the therapy's.
    package func record(_ key: PersonKey) throws -> FiringRecord {
        try FiringRecord(bytes: try key.openBytes(sealedRecord, from: FiringPlace.record(id)))
    }
}

/// The places of the sealed fields of firings and alerts.
package enum FiringPlace {
    package static func record(_ id: ID<Firing>) -> SealContext { SealContext("rule_firings", id, "record") }
    package static func comment(_ id: ID<Alert>) -> SealContext { SealContext("alerts", id, "comment") }
}

/// The stored content of a firing.
package struct FiringRecord: Sendable {
    package let rule: Rule
    let facts: [Finding.Fact]

    init(rule: Rule, facts: [Finding.Fact]) { (self.rule, self.facts) = (rule, facts) }

    private struct Document: Encodable {
        let rule: JSON
        let facts: [Finding.Fact]
    }

    var bytes: [UInt8] {
        get throws { try JSONWriter.bytes(of: Document(rule: try rule.definition, facts: facts)) }
    }

    init(bytes: [UInt8]) throws {
        let json = try JSON.parse(bytes)
        rule = try Rule.read(InputReader(json: json["rule"] ?? .null))
        facts = (json["facts"]?.array ?? []).map(Finding.Fact.init(json:))
    }
}

extension Finding.Fact {
    package init(json: JSON) {
        let values = (json["values"]?.array ?? []).map { value in
            Value(
                at: value["at"]?.string.flatMap { Instant($0) } ?? .distantPast,
                value: value["value"]?.number)
        }
        self.init(
            clause: Int(json["clause"]?.number ?? 0), values: values, result: json["result"]?.number,
            count: json["count"]?.number.map { Int($0) })
    }
}
