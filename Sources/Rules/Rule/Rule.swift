import Database
import JSON
import Psychometrics
import Records
import Web
import Wire
import Wording

/// When … then … (IO-12, IO-22), checked as a whole. Made only by reading.
package struct Rule: Sendable, Equatable {
    package enum Combination: String, Sendable, CaseIterable { case all, any }

    /// Its actions; at least one of them.
    package struct Actions: Sendable, Equatable {
        /// A text of the library.
        package let interventionID: ID<LibraryIntervention>?
        /// A line for the next session.
        package let briefing: String?
        package let alert: String?
        /// The advice shown with the alert.
        let advice: String?
        /// Whether it sends a mail without content.
        package let sendsMail: Bool
    }

    package let name: String
    let combination: Combination
    let clauses: [Clause]
    /// Fires at most once in so many days, for each patient.
    package let restDays: Int
    package let sessionWithinDays: Int?
    package let actions: Actions

    /// Whether time alone can make it true; otherwise only an answer does.
    var needsClock: Bool {
        sessionWithinDays != nil || clauses.contains { $0.kind == .missed || $0.kind == .silent }
    }

    /// The questionnaires of its conditions.
    package var keys: Set<String> { Set(clauses.compactMap(\.key)) }
}

/// One condition of a rule, in the vocabulary of `measurement.md`.
package struct Clause: Sendable, Equatable {
    enum Kind: String, Sendable, CaseIterable {
        /// A question's answer, or a scale's value, in at least `times` of the last `of` sheets.
        case answer, score
        /// The newest value minus the one at the begin, or the one before.
        case change
        /// The same, larger than the error of measurement.
        case worsening = "reliable_worsening"
        case improvement = "reliable_improvement"
        /// Over the last `of` values.
        case mean
        /// The last `times` deliveries ran out unanswered.
        case missed
        /// No answer of any kind for `days` days.
        case silent
    }

    enum Since: String, Sendable, CaseIterable { case begin, last }

    let kind: Kind
    let key: String?
    /// A question for `answer`, else a scale.
    let item: String?
    let comparison: Threshold.Comparison
    let value: Double
    let times: Int
    let of: Int
    let since: Since
    let days: Int

    /// The threshold, for kinds with a number.
    var threshold: Threshold { Threshold(comparison, value) }
    var isReliable: Bool { kind == .worsening || kind == .improvement }
    var isChange: Bool { kind == .change || isReliable }
}

/// A rule as stored: its words sealed under the owner's key, the rest evaluated without any key.
package struct RuleRecord: Sendable {
    package let id: ID<Rule>
    package let ownerID: ID<Account>
    /// With a mark in place of each word, until it is opened.
    package let rule: Rule
    /// Applies to every patient of its owner, else to the chosen ones.
    let isForAll: Bool
    package let enabledAt: Instant?
    let createdAt: Instant
    let changedAt: Instant
    /// Counts the changes, switching included.
    let revision: Int
    let retiredAt: Instant?
    private let definition: JSON
    private let sealedTexts: [UInt8]

    init(row: borrowing Row) throws {
        id = try row["id"]
        ownerID = try row["owner_id"]
        isForAll = try row["for_all"]
        enabledAt = try row["enabled_at"]
        createdAt = try row["created_at"]
        changedAt = try row["changed_at"]
        revision = try row["revision"]
        retiredAt = try row["retired_at"]
        let known = try Self.known.of(try row["definition"]) { text in
            let definition = try JSON.parse(Array(text.utf8))
            return (definition: definition, rule: try Rule.read(InputReader(json: definition)))
        }
        definition = known.definition
        rule = known.rule
        sealedTexts = try row["texts"]
    }

    /// Parsed once: every answer evaluates all rules that are on.
    private static let known = ParsedTexts<(definition: JSON, rule: Rule)>()

    /// The rule with its words.
    /// - Parameter key: the owner's.
    package func opened(_ key: PersonKey) throws -> Rule {
        let bytes = try key.openBytes(sealedTexts, from: RulePlace.texts(id))
        return try Rule.read(InputReader(json: definition.overlaid(with: try JSON.parse(bytes))))
    }
}

/// The place of a rule's sealed field.
enum RulePlace {
    static func texts(_ id: ID<Rule>) -> SealContext { SealContext("rules", id, "texts") }
}

/// A rule in parts for the table.
package struct StoredRule: Sendable {
    package let definition: String
    package let texts: [UInt8]

    private static let words = ["name", "briefing", "alert", "advice"]

    package init(_ rule: Rule, id: ID<Rule>, _ key: PersonKey) throws {
        guard case .object(let members) = try rule.definition else { throw Problem.notFound }
        let marked = members.map { member in
            let isWord = Self.words.contains(member.key) && member.value != .null
            return isWord ? JSON.Member(member.key, .string("·")) : member
        }
        let spoken = members.filter { Self.words.contains($0.key) }
        definition = String(decoding: try JSONWriter.bytes(of: JSON.object(marked)), as: UTF8.self)
        texts = key.seal(bytes: try JSONWriter.bytes(of: JSON.object(spoken)), for: RulePlace.texts(id))
    }
}

extension JSON {
    /// An object's members, with those of another in their place.
    func overlaid(with other: JSON) -> JSON {
        guard case .object(let mine) = self, case .object(let theirs) = other else { return other }
        return .object(mine.filter { member in !theirs.contains { $0.key == member.key } } + theirs)
    }
}

extension Rule {
    /// Its shape on the wire and in the table.
    var wire: RuleAttributes {
        RuleAttributes(
            name: name, conditions: clauses.map(\.wire), combine: combination.rawValue, restDays: restDays,
            sessionWithinDays: sessionWithinDays, interventionID: actions.interventionID?.text,
            briefing: actions.briefing, alert: actions.alert, advice: actions.advice, mail: actions.sendsMail)
    }

    /// As stored, in a rule's row and in the record of a firing.
    package var definition: JSON {
        get throws { try JSON.parse(try JSONWriter.bytes(of: RuleDocument(wire))) }
    }
}

/// A rule without the parts that have columns of their own.
private struct RuleDocument: Encodable {
    let name, combine: String
    let conditions: [RuleCondition]
    let rest_days: Int
    let session_within_days: Int?
    let intervention_id, briefing, alert, advice: String?
    let mail: Bool

    init(_ wire: RuleAttributes) {
        name = wire.name
        combine = wire.combine
        conditions = wire.conditions
        rest_days = wire.restDays
        session_within_days = wire.sessionWithinDays
        intervention_id = wire.interventionID
        briefing = wire.briefing
        alert = wire.alert
        advice = wire.advice
        mail = wire.mail
    }
}

extension Clause {
    /// Only the fields of its kind.
    var wire: RuleCondition {
        var wire = RuleCondition(kind: kind.rawValue)
        wire.questionnaireKey = key
        wire.item = item
        switch kind {
        case .answer, .score:
            wire.times = times
            wire.of = of
        case .mean: wire.of = of
        case .change, .worsening, .improvement: wire.since = since.rawValue
        case .missed: wire.times = times
        case .silent: wire.days = days
        }
        if [.answer, .score, .change, .mean].contains(kind) {
            wire.comparison = comparison.rawValue
            wire.value = value
        }
        return wire
    }
}

extension AuditAction {
    static let ruleMade = AuditAction(name: "rule.made")
    static let ruleChanged = AuditAction(name: "rule.changed")
    static let ruleSwitched = AuditAction(name: "rule.switched")
    static let ruleRemoved = AuditAction(name: "rule.removed")
    static let ruleReturned = AuditAction(name: "rule.returned")
    static let ruleFired = AuditAction(name: "rule.fired")
    static let alertAcknowledged = AuditAction(name: "alert.acknowledged")
}
