import Database
import Delivery
import Instruments
import Psychometrics
import Questionnaires
import Records
import Rules
import Studies
import Therapies
import Web
import Wire
import Wording

/// Checks a protocol (PR-17): all it names exists, nothing is asked twice, its reactions can reach a patient.
struct ProtocolChecks {
    let texts: Texts
    let language: Language
    let cache: QuestionnaireCache
    let caller: ID<Account>
    private(set) var errors = FieldErrors()
    /// The questionnaires that it asks.
    private(set) var keys: [String] = []

    init<P>(_ c: Context<P>, _ caller: ID<Account>) {
        texts = c.texts
        language = c.language
        cache = c.services.questionnaires
        self.caller = caller
    }

    /// A question with its place in the protocol.
    private struct Asked {
        let place: String
        let words: String
        let draft: DeliveryRuleDraft
        let keys: [String]
    }

    /// - Throws: `Problem.invalid` with all errors.
    mutating func check(
        _ draft: ProtocolDraft, over existing: ProtocolRecord?, _ connection: borrowing Connection
    ) throws {
        let asked = try asked(draft.definition, connection)
        keys = Set(asked.flatMap(\.keys)).sorted()
        try refuseTwice(asked, connection)
        try checkNamed(draft.definition, existing?.definition, connection)
        try checkReach(draft, connection)
        if !errors.isEmpty { throw Problem.invalid(errors) }
    }

    // MARK: What is asked

    private mutating func asked(
        _ definition: ProtocolDefinition, _ connection: borrowing Connection
    ) throws -> [Asked] {
        var asked: [Asked] = []
        for draft in definition.batteries {
            let place = "batteries.\(draft.occasion.rawValue)"
            let words = texts[
                "protocols.place_battery", ["place": texts["protocols.batteries_\(draft.occasion.rawValue)"]]]
            asked.append(try expanded(draft, place, words, connection))
        }
        for (index, draft) in definition.plan.enumerated() {
            let words = texts["protocols.place_plan", ["n": String(index + 1)]]
            asked.append(try expanded(draft, "plan.\(index)", words, connection))
        }
        return asked
    }

    private mutating func expanded(
        _ draft: DeliveryRuleDraft, _ place: String, _ words: String, _ connection: borrowing Connection
    ) throws -> Asked {
        var keys = [draft.questionnaireKey].compactMap(\.self)
        let isPlan = place.hasPrefix("plan.")
        if let battery = draft.batteryID {
            if let found = try BatteryStore.find(battery, connection) {
                keys = found.keys
            } else {
                errors.add(isPlan ? place + ".battery_id" : place, "batteries.unknown")
            }
        }
        if let key = draft.questionnaireKey, try QuestionnaireStore.newest(key, cache, connection) == nil {
            errors.add(place + ".questionnaire_key", "errors.unknown_questionnaire")
        }
        if let watch = draft.watch {
            let record = try QuestionnaireStore.newest(watch.key, cache, connection)
            if record == nil {
                errors.add(place + ".watched_key", "errors.unknown_questionnaire")
            } else if record?.definition.scales.contains(where: { $0.key == watch.scale }) == false {
                errors.add(place + ".watched_scale", "delivery.no_scale")
            }
        }
        return Asked(place: place, words: words, draft: draft, keys: keys)
    }

    /// Refuses the same questionnaire on the same occasion, in any part.
    private mutating func refuseTwice(_ asked: [Asked], _ connection: borrowing Connection) throws {
        for (index, later) in asked.enumerated() {
            for earlier in asked.prefix(index) where Self.isSameOccasion(earlier.draft, later.draft) {
                for key in later.keys where earlier.keys.contains(key) {
                    let title = try QuestionnaireStore.newest(key, cache, connection)?.title(language)
                    let isPlan = later.place.hasPrefix("plan.")
                    let field =
                        isPlan
                        ? later.place + (later.draft.batteryID == nil ? ".questionnaire_key" : ".battery_id")
                        : later.place
                    errors.add(
                        field, "protocols.twice",
                        [
                            "title": title ?? key, "first": earlier.words, "second": later.words,
                            "occasion": texts["delivery.occasion_\(later.draft.occasion.rawValue)"],
                        ])
                }
            }
        }
    }

    private static func isSameOccasion(_ one: DeliveryRuleDraft, _ other: DeliveryRuleDraft) -> Bool {
        guard one.occasion == other.occasion else { return false }
        switch one.occasion {
        case .beforeSession, .therapyBegin, .therapyEnd: return true
        case .result:
            return one.watch?.key == other.watch?.key && one.watch?.scale == other.watch?.scale
                && one.watch?.threshold.comparison == other.watch?.threshold.comparison
        case .repeated:
            guard let first = one.rhythm, let second = other.rhythm, first.clock == second.clock else {
                return false
            }
            // Any two intervals of days that ever coincide do so within a year and a half.
            let from = max(first.startsOn, second.startsOn)
            let through = from.adding(days: 550)
            return !Set(first.days(from: from, through: through))
                .isDisjoint(with: second.days(from: from, through: through))
        }
    }

    // MARK: What is named

    /// Reactions and texts of the caller, and those that are in the protocol already.
    private mutating func checkNamed(
        _ definition: ProtocolDefinition, _ before: ProtocolDefinition?, _ connection: borrowing Connection
    ) throws {
        let known = try RuleStore.named(definition.rules, connection)
        for id in definition.rules {
            let found = known.first { $0.id == id }
            let isMine = found?.ownerID == caller || before?.rules.contains(id) ?? false
            if found == nil || !isMine { errors.add("rule_ids", "protocols.unknown_rule") }
        }
        for (index, wanted) in definition.interventions.enumerated() {
            let isKept = before?.interventions.contains { $0.text == wanted.text } ?? false
            let text =
                isKept
                ? try LibraryStore.named(wanted.text, connection)
                : try LibraryStore.find(wanted.text, for: caller, connection)
            if text?.isRetired ?? true {
                errors.add("interventions.\(index).intervention_id", "interventions.unknown")
            }
        }
    }

    // MARK: Reach

    /// In a study whose groups get no interventions, a reaction that sends one never reaches a participant (IO-21).
    private mutating func checkReach(
        _ draft: ProtocolDraft, _ connection: borrowing Connection
    ) throws {
        guard let study = draft.studyID, let arms = try StudyArms.of(study, only: draft.arms, connection)
        else { return }
        let definition = draft.definition
        // Groups were named anew since the protocol was made.
        if arms.isEmpty { return errors.add("plan", "studies.item_arm_unknown") }
        if arms.allSatisfy({ $0 == .noApp }), !definition.asked.isEmpty {
            errors.add("plan", "protocols.nobody_asked")
        }
        guard !arms.contains(.full) else { return }
        if !definition.interventions.isEmpty { errors.add("interventions", "protocols.nobody_gets") }
        for record in try RuleStore.named(definition.rules, connection) where record.rule.onlySends {
            errors.add("rule_ids", "protocols.nobody_reached")
        }
    }
}
