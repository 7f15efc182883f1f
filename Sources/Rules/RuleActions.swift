import Database
import Delivery
import Identity
import Instruments
import JSON
import Questionnaires
import Records
import Therapies
import Web
import Wire
import Wording

/// Making, changing and switching rules, for page and call alike.
enum RuleActions {
    /// A rule as sent, with the patients it applies to.
    struct Draft: Sendable {
        let rule: Rule
        /// Nil for every patient of its owner.
        let chosen: [ID<Therapy>]?
        /// Nil leaves the switch as it is.
        let isEnabled: Bool?
    }

    /// - Parameter existing: the rule to change; fields that are not sent keep their values.
    /// - Throws: `Problem.invalid`.
    static func read(
        _ json: JSON, over existing: Rule?, chosen: [ID<Therapy>]?, isForm: Bool = false
    ) throws -> Draft {
        let whole = try existing.map { try $0.definition.overlaid(with: json) } ?? json
        let fields = InputReader(json: whole, hasTypedNumbers: isForm)
        let isEnabled = fields.bool("enabled")
        let sent = patients(fields)
        let rule = try Rule.read(fields)
        return Draft(rule: rule, chosen: json["patient_ids"] != nil ? sent : chosen, isEnabled: isEnabled)
    }

    /// Whether only the switch is changed: that must always be possible.
    static func isSwitchOnly(_ json: JSON) -> Bool {
        guard case .object(let members) = json else { return false }
        return members.map(\.key) == ["enabled"]
    }

    private static func patients(_ fields: InputReader) -> [ID<Therapy>]? {
        guard let value = fields.value("patient_ids") else { return nil }
        guard case .array(let list) = value else {
            fields.refuse("patient_ids", "answers.list")
            return nil
        }
        let ids = list.map { ID<Therapy>(uuid: $0.string) }
        if ids.contains(nil) { fields.refuse("patient_ids", "errors.id") }
        // None: the rule applies only through protocols (PR-17).
        return ids.compactMap(\.self)
    }

    // MARK: Checks

    /// - Throws: `Problem.invalid` for an unknown questionnaire, question, scale, text or patient.
    static func check(_ draft: Draft, _ c: Context<Member>) throws {
        let owner = c.proof.account.id
        var errors = FieldErrors()
        try c.read { connection in
            errors = try reach(c, connection)
            errors.add(try conditions(draft.rule, c, connection))
            if let id = draft.rule.actions.interventionID {
                let text = try LibraryStore.find(id, for: owner, connection)
                if text?.isRetired ?? true { errors.add("intervention_id", "interventions.unknown") }
            }
            let chosen = try draft.chosen?.map { try TherapyStore.find($0, of: owner, connection) }
            if chosen?.contains(where: { $0 == nil }) == true {
                errors.add("patient_ids", "rules.unknown_patient")
            } else if let chosen, !chosen.isEmpty, chosen.allSatisfy({ $0?.endedAt != nil }) {
                errors.add("patient_ids", "rules.all_ended")
            }
        }
        if !errors.isEmpty { throw Problem.invalid(errors) }
    }

    /// The same for the conditions alone, for a dry run.
    static func checkConditions(_ draft: Draft, _ c: Context<Member>) throws {
        let errors = try c.read { try conditions(draft.rule, c, $0) }
        if !errors.isEmpty { throw Problem.invalid(errors) }
    }

    private static func conditions(
        _ rule: Rule, _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> FieldErrors {
        var errors = FieldErrors()
        for (index, clause) in rule.clauses.enumerated() {
            guard let problem = try problem(of: clause, c, connection) else { continue }
            errors.add("conditions.\(index).\(problem.field)", problem.key)
        }
        return errors
    }

    /// The error for owners without patients: rules evaluate the results of their owner's own patients, and of those
    /// a protocol brings them to. An owner who can have neither reaches no patient.
    private static func reach(
        _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> FieldErrors {
        try mayReach(c, connection) ? FieldErrors() : FieldErrors("reach", "rules.no_patients")
    }

    static func mayReach(_ c: Context<Member>, _ connection: borrowing Connection) throws -> Bool {
        let account = c.proof.account
        return try account.roles.contains(.therapist) || c.services.mayReach(account.id, connection)
    }

    private static func problem(
        of clause: Clause, _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> (field: String, key: String)? {
        guard let key = clause.key else { return nil }
        let record = try QuestionnaireStore.newest(key, c.services.questionnaires, connection)
        guard let definition = record?.definition else {
            return ("questionnaire_key", "errors.unknown_questionnaire")
        }
        switch clause.kind {
        case .missed, .silent: return nil
        case .answer:
            guard let question = definition.question(clause.item ?? "") else {
                return ("item", "rules.no_question")
            }
            switch question.type {
            case .text, .date: return ("item", "rules.no_number")
            default: return nil
            }
        default:
            let isKnown = definition.scales.contains { $0.key == clause.item }
            return isKnown ? nil : ("item", "delivery.no_scale")
        }
    }

    // MARK: Storing

    static func make(_ draft: Draft, _ c: Context<Member>) throws -> ID<Rule> {
        try check(draft, c)
        let id: ID<Rule> = c.newID()
        let owner = c.proof.account.id
        let stored = try StoredRule(draft.rule, id: id, try c.proof.account.key(c.keys))
        try c.write(.ruleMade, object: id) { [now = c.now] connection in
            try RuleStore.insert(
                stored, chosen: draft.chosen, id: id, owner: owner, at: now, connection)
            if draft.isEnabled ?? false {
                try RuleStore.switchRule(id, owner: owner, on: true, at: now, connection)
            }
        }
        return id
    }

    static func change(_ record: RuleRecord, to draft: Draft, _ c: Context<Member>) throws {
        try check(draft, c)
        let id = record.id
        let owner = c.proof.account.id
        let stored = try StoredRule(draft.rule, id: id, try c.proof.account.key(c.keys))
        try c.write(.ruleChanged, object: id) { [now = c.now, request = c.request] connection in
            let current = try RuleStore.revision(of: id, owner: owner, connection)
            try Conditional.requireRevision(request, current: current, base: record.revision)
            try RuleStore.update(
                stored, chosen: draft.chosen, id: id, owner: owner, at: now, connection)
            if let isEnabled = draft.isEnabled {
                try RuleStore.switchRule(id, owner: owner, on: isEnabled, at: now, connection)
            }
        }
    }

    static func switchRule(_ id: ID<Rule>, on: Bool, _ c: Context<Member>, needsMatch: Bool = true) throws {
        let owner = c.proof.account.id
        let errors = try c.read { try reach(c, $0) }
        if on, !errors.isEmpty { throw Problem.invalid(errors) }
        try c.write(.ruleSwitched, object: id) { [now = c.now, request = c.request] connection in
            let current = try RuleStore.revision(of: id, owner: owner, connection)
            try Conditional.requireRevision(request, current: current, isRequired: needsMatch)
            try RuleStore.switchRule(id, owner: owner, on: on, at: now, connection)
        }
    }

    static func retire(_ id: ID<Rule>, _ c: Context<Member>) throws {
        let owner = c.proof.account.id
        try c.write(.ruleRemoved, object: id) { [now = c.now, request = c.request] connection in
            let current = try RuleStore.revision(of: id, owner: owner, connection)
            try Conditional.requireRevision(request, current: current, isRequired: false)
            try RuleStore.retire(id, owner: owner, at: now, connection)
        }
    }

    /// Undoes a removal.
    static func bringBack(_ id: ID<Rule>, _ c: Context<Member>) throws {
        let owner = c.proof.account.id
        try c.write(.ruleReturned, object: id) { [now = c.now] connection in
            try RuleStore.bringBack(id, owner: owner, at: now, connection)
        }
    }

    /// The rule in the path; another owner's is not found.
    static func own(_ c: Context<Member>) throws -> RuleRecord {
        let id: ID<Rule> = try c.id("rule")
        let owner = c.proof.account.id
        guard let record = try c.read({ try RuleStore.find(id, of: owner, $0) }) else {
            throw Problem.notFound
        }
        return record
    }

    // MARK: Warnings

    /// Warnings about a rule that can never be met, or always is.
    static func warnings(
        _ record: RuleRecord, _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> [RuleWarning] {
        let chosen = record.isForAll ? nil : try RuleStore.chosen(of: record.id, connection)
        let isBrought = try RuleProtocolStore.isBrought(record.id, connection)
        return try warnings(record.rule, for: chosen, isBrought: isBrought, c, connection)
    }

    /// The same for a rule that is not stored yet.
    /// - Parameters:
    ///   - chosen: nil for every patient of its owner.
    ///   - isBrought: whether a protocol brings it to a therapy.
    static func warnings(
        _ rule: Rule, for chosen: [ID<Therapy>]?, isBrought: Bool = false, _ c: Context<Member>,
        _ connection: borrowing Connection
    ) throws -> [RuleWarning] {
        let owner = c.proof.account.id
        let records = try QuestionnaireStore.newest(c.services.questionnaires, connection)
        let definitions = Dictionary(
            records.map { ($0.key, $0.definition) }, uniquingKeysWith: { first, _ in first })
        let text = try rule.actions.interventionID.flatMap {
            try LibraryStore.find($0, for: owner, connection)
        }
        let reached = try RuleStore.therapies(of: owner, chosen: chosen, connection)
        let unasked = try rule.keys.filter { key in
            try !reached.isEmpty
                && !QuestionnaireUseStore.isAsked(
                    key, among: reached.map(\.id), at: c.now, connection)
        }
        let isForOwn = chosen == nil && c.proof.account.roles.contains(.therapist)
        let reachesSome = isForOwn || !reached.isEmpty || isBrought
        let ground = RuleGround(
            definitions: definitions, library: text, unasked: unasked,
            nobody: reachesSome
                ? nil : chosen?.isEmpty ?? true ? "rules.only_protocols" : "rules.for_nobody",
            texts: c.texts)
        return rule.warnings(ground)
    }
}

extension Undo {
    static let rule = Undo(by: "/rules/:rule/return", shown: "/rules/:rule", RuleStore.removal)
    static let ruleSwitch = Undo(by: "/rules/:rule/enabling", shown: "/rules/:rule", RuleStore.removal)
}
