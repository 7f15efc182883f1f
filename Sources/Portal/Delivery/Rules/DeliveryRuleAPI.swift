import Database
import HTTP
import Wire

/// Batteries, and the rules by which a patient gets them.
enum DeliveryRuleAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(.get, "/batteries", .author, .many("All batteries", QuestionnaireBattery.self), batteries)
        routes.call(
            .post, "/batteries", .author,
            .one(
                "Make a battery", QuestionnaireBattery.self, status: 201, takes: QuestionnaireBattery.schema),
            createBattery)
        routes.call(
            .post, "/patients/:patient/battery-assignments", .caseload,
            .many("Assign a battery as one", Assignment.self, status: 201, takes: assignment), assign)
        routes.call(
            .get, "/patients/:patient/delivery-rules", .caseload,
            .many("The rules in force", DeliveryRuleAttributes.self), index)
        routes.call(
            .post, "/patients/:patient/delivery-rules", .caseload,
            .one(
                "Make a rule", DeliveryRuleAttributes.self, status: 201,
                takes: .object(
                    DeliveryRuleAttributes.sent + [Schema.optional(Permission.field, .boolean.orNull)])),
            create)
        routes.call(
            .delete, "/patients/:patient/delivery-rules/:rule", .caseload,
            .nothing("Stop a rule; what it made and nobody has answered is taken back"), destroy)
    }

    private static let assignment = Schema.object([
        Schema.property("battery_id", .id), Schema.optional("available_from", .time.orNull),
        Schema.optional("due_at", .time.orNull), Schema.optional(Permission.field, .boolean.orNull),
    ])

    // MARK: Batteries

    @Sendable static func batteries(_ c: Context<Member>) throws -> Reply {
        let paging = try Paging(c.request)
        let all = try c.read { try BatteryStore.all($0) }.sorted { $0.id < $1.id }
        let (part, next) = paging.part(of: all, .earliestFirst) { Position(number: 0, $0.id) }
        let items = part.map {
            Item(id: $0.id, QuestionnaireBattery(name: $0.name, questionnaireKeys: $0.keys))
        }
        return try .data(Many(items, total: all.count, next: next))
    }

    @Sendable static func createBattery(_ c: Context<Member>) throws -> Reply {
        let known = try c.read { connection in
            Set(try QuestionnaireStore.newest(c.services.questionnaires, connection).map(\.key))
        }
        let (id, draft) = (c.newID(), try BatteryDraft.read(try c.body(), known: known))
        try c.write(.batterySaved, object: id) { [now = c.now] connection in
            try BatteryStore.save(draft, id: id, at: now, connection)
        }
        let battery = QuestionnaireBattery(name: draft.name, questionnaireKeys: draft.keys)
        return try .data(One(id: id, battery), status: 201)
    }

    @Sendable static func assign(_ c: Context<Caseload>) throws -> Reply {
        let fields = try c.body()
        let draft = try BatteryAssignmentDraft.read(fields, now: c.now)
        let made = try Assigning.make(draft, c)
        let items = try c.read { connection in
            try made.compactMap { record -> Item<Assignment>? in
                let cache = c.services.questionnaires
                let questionnaire = try QuestionnaireStore.find(record.questionnaireID, cache, connection)
                return questionnaire.map { Item(id: record.id, Assigning.wire(record, $0, c.language)) }
            }
        }
        return try .data(Many(items, total: items.count, next: nil), status: 201)
    }

    // MARK: Rules

    @Sendable static func index(_ c: Context<Caseload>) throws -> Reply {
        let (paging, therapy) = (try Paging(c.request), c.proof.patient.id)
        let rules = try c.read { try DeliveryRuleStore.active(in: therapy, $0) }
        let (part, next) = paging.part(of: rules, .earliestFirst) { Position($0.createdAt, $0.id) }
        return try .data(Many(part.map { Item(id: $0.id, wire($0)) }, total: rules.count, next: next))
    }

    @Sendable static func create(_ c: Context<Caseload>) throws -> Reply {
        let today = LocalTime(c.now, c.dates.zone).date
        let draft = try DeliveryRuleDraft.read(try c.body(), today: today)
        let id = try DeliveryRules.make(draft, c)
        guard let rule = try c.read({ try DeliveryRuleStore.find(id, in: c.proof.patient.id, $0) }) else {
            throw Problem.notFound
        }
        return try .data(One(id: id, wire(rule)), status: 201)
    }

    @Sendable static func destroy(_ c: Context<Caseload>) throws -> Reply {
        try DeliveryRules.stop(try c.id("rule"), c)
        return .response(.noContent)
    }

    private static func wire(_ rule: DeliveryRule) -> DeliveryRuleAttributes {
        var wire = DeliveryRuleAttributes(
            occasion: rule.occasion.rawValue, openHours: Double(rule.openMinutes) / 60,
            createdAt: rule.createdAt)
        (wire.questionnaireKey, wire.batteryID) = (rule.questionnaireKey, rule.batteryID)
        wire.stoppedAt = rule.stoppedAt
        if let rhythm = rule.rhythm {
            (wire.every, wire.unit, wire.startsOn) = (rhythm.every, rhythm.unit.rawValue, rhythm.startsOn)
            (wire.at, wire.endsOn) = (rhythm.clock, rhythm.endsOn)
        }
        if let watch = rule.watch {
            (wire.watchedKey, wire.watchedScale) = (watch.key, watch.scale)
            (wire.comparison, wire.threshold) = (watch.comparison.rawValue, watch.threshold)
            wire.restDays = watch.restDays
        }
        return wire
    }
}

extension DeliveryRule.Rhythm {
    /// `09:30`.
    var clock: String {
        let (hour, minute) = (atMinute / 60, atMinute % 60)
        return (hour < 10 ? "0" : "") + "\(hour):" + (minute < 10 ? "0" : "") + "\(minute)"
    }
}

/// Making and stopping rules, for the page and the call alike.
enum DeliveryRules {
    /// - Returns: the rule's id.
    /// - Throws: `Problem` for an ended therapy, an unknown questionnaire, battery or scale, and for a copyrighted
    ///   instrument that nobody has confirmed.
    static func make(_ draft: DeliveryRuleDraft, _ c: Context<Caseload>) throws -> String {
        let therapy = c.proof.patient
        guard therapy.endedAt == nil else { throw Problem.conflict(Message("assignments.therapy_ended")) }
        let keys = try c.read { connection in try check(draft, c, connection) }
        try Permission.require(for: keys, isConfirmed: draft.isPermissionConfirmed, c)
        let id = c.newID()
        try c.write(.deliveryRuleMade, about: therapy.id, object: id) {
            [now = c.now, services = c.services] connection in
            try DeliveryRuleStore.insert(draft, id: id, in: therapy.id, at: now, connection)
            try Following.follow(therapy.id, services, now: now, connection)
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

    static func stop(_ id: String, _ c: Context<Caseload>) throws {
        let therapy = c.proof.patient.id
        try c.write(.deliveryRuleStopped, about: therapy, object: id) {
            [now = c.now, services = c.services] connection in
            try DeliveryRuleStore.stop(id, in: therapy, at: now, connection)
            try Following.follow(therapy, services, now: now, connection)
        }
    }
}
