import Delivery
import JSON
import Psychometrics
import Records
import Rules
import Web
import Wire
import Wording

/// The content of a protocol: assignments, their times, and reactions (PR-17). Made only by reading.
package struct ProtocolDefinition: Sendable, Equatable {
    static let planLimit = 20
    static let ruleLimit = 30
    static let interventionLimit = 30
    static let lastDay = 730
    static let occasions: [(name: String, occasion: DeliveryRule.Occasion)] = [
        ("before_session", .beforeSession), ("therapy_begin", .therapyBegin), ("therapy_end", .therapyEnd),
    ]

    /// By occasion; days in rhythms are counted from `ProtocolDelivery.dayZero`.
    let batteries: [DeliveryRuleDraft]
    let plan: [DeliveryRuleDraft]
    /// Nil leaves them unchanged.
    let dailies: Bool?
    let rules: [ID<Rule>]
    let interventions: [PlannedInterventions.Wanted]

    /// All assignments.
    var asked: [DeliveryRuleDraft] { batteries + plan }

    /// From a call, from a form in the same shape, and from the table.
    /// - Parameter existing: the definition to change; fields that are not sent keep their values.
    static func read(_ fields: InputReader, over existing: ProtocolDefinition?) -> ProtocolDefinition {
        let isKept = { (name: String) in existing != nil && !fields.has(name) }
        let batteries = isKept("batteries") ? existing?.batteries ?? [] : batteries(fields)
        let plan = isKept("plan") ? existing?.plan ?? [] : plan(fields)
        let dailies = isKept("dailies") ? existing?.dailies : fields.bool("dailies")
        let rules = isKept("rule_ids") ? existing?.rules ?? [] : rules(fields)
        let interventions =
            isKept("interventions") ? existing?.interventions ?? [] : interventions(fields)
        return ProtocolDefinition(
            batteries: batteries, plan: plan, dailies: dailies, rules: rules, interventions: interventions)
    }

    private static func batteries(_ fields: InputReader) -> [DeliveryRuleDraft] {
        guard let inner = fields.object("batteries") else { return [] }
        defer { fields.adopt(inner) }
        return occasions.compactMap { name, _ in
            guard let id: ID<Battery> = inner.id(name) else { return nil }
            let form = InputReader(
                json: .object([
                    .init("occasion", .string(name)), .init("battery_id", .string(id.text)),
                ]))
            return try? DeliveryRuleDraft.read(form, today: ProtocolDelivery.dayZero)
        }
    }

    private static func plan(_ fields: InputReader) -> [DeliveryRuleDraft] {
        list("plan", planLimit, fields) { index, json in
            do throws(Problem) {
                return try entry(json, place: "plan.\(index).", fields)
            } catch {
                fields.refuse(error.errors)
                return nil
            }
        }
    }

    /// As a rule of delivery, with days instead of dates.
    private static func entry(
        _ json: JSON, place: String, _ fields: InputReader
    ) throws(Problem) -> DeliveryRuleDraft {
        guard case .object(let members) = json else {
            throw .invalid(FieldErrors(String(place.dropLast()), "errors.object"))
        }
        var errors = FieldErrors()
        // Null counts as not sent: a protocol may be sent back as it was answered.
        let dated = members.filter { $0.value != .null }.map { member -> JSON.Member in
            guard let name = ["start_day": "starts_on", "end_day": "ends_on"][member.key] else {
                // A protocol contains no dates.
                let isDate = ["starts_on", "ends_on"].contains(member.key)
                if isDate { errors.add(place + member.key, "errors.unknown_field") }
                return member
            }
            let typed = fields.hasTypedNumbers ? member.value.string : nil
            let day =
                member.value.number ?? typed.flatMap { TypedNumber($0, .init(whole: 0...lastDay))?.value }
            guard let day, day.rounded() == day,
                (0...Double(lastDay)).contains(day)
            else {
                errors.add(place + member.key, "protocols.day_range", ["last": String(lastDay)])
                return .init(name, .null)
            }
            return .init(name, .string(ProtocolDelivery.dayZero.adding(days: Int(day)).text))
        }
        do throws(Problem) {
            let fields = fields.inner(.object(dated), place)
            let draft = try DeliveryRuleDraft.read(fields, today: ProtocolDelivery.dayZero)
            if !errors.isEmpty { throw .invalid(errors) }
            return draft
        } catch {
            for found in error.errors.list where !errors.list.contains(where: { $0.field == found.field }) {
                let name = found.field.replacing("starts_on", with: "start_day").replacing(
                    "ends_on", with: "end_day")
                errors.add(name, found.message.key, found.message.values)
            }
            throw .invalid(errors)
        }
    }

    private static func rules(_ fields: InputReader) -> [ID<Rule>] {
        let ids = list("rule_ids", ruleLimit, fields) { _, json -> ID<Rule>? in
            guard let id = ID<Rule>(uuid: json.string) else {
                fields.refuse("rule_ids", "errors.id")
                return nil
            }
            return id
        }
        if Set(ids).count < ids.count { fields.refuse("rule_ids", "protocols.rule_twice") }
        return ids
    }

    private static func interventions(_ fields: InputReader) -> [PlannedInterventions.Wanted] {
        let found = list("interventions", interventionLimit, fields) {
            index, json -> PlannedInterventions.Wanted? in
            let inner = fields.inner(json, "interventions.\(index).")
            defer { fields.adopt(inner) }
            let id: ID<LibraryIntervention>? = inner.id("intervention_id", required: true)
            let day = inner.number("day", .init(whole: 0...lastDay))
            if day == nil && inner.errors.isEmpty { inner.refuse("day", "errors.required") }
            if let day, day.rounded() != day || !(0...Double(lastDay)).contains(day) {
                inner.refuse("day", "protocols.day_range", ["last": String(lastDay)])
                return nil
            }
            guard let id, let day else { return nil }
            return PlannedInterventions.Wanted(text: id, day: Int(day))
        }
        for (index, one) in found.enumerated() where found.prefix(index).contains(one) {
            fields.refuse("interventions.\(index).intervention_id", "protocols.intervention_twice")
        }
        return found
    }

    private static func list<T>(
        _ name: String, _ limit: Int, _ fields: InputReader, _ read: (Int, JSON) -> T?
    ) -> [T] {
        guard let value = fields.value(name) else { return [] }
        guard case .array(let list) = value else {
            fields.refuse(name, "answers.list")
            return []
        }
        guard list.count <= limit else {
            fields.refuse(name, "protocols.too_many", ["limit": String(limit)])
            return []
        }
        return list.enumerated().compactMap { read($0.offset, $0.element) }
    }
}

extension ProtocolDefinition {
    /// As stored in the table.
    init(text: String) throws {
        let json = try JSON.parse(Array(text.utf8))
        let fields = InputReader(json: json)
        self = Self.read(fields, over: nil)
        try fields.finish()
    }

    var text: String {
        get throws {
            String(decoding: try JSONWriter.bytes(of: ProtocolDocument(self)), as: UTF8.self)
        }
    }

    var wireBatteries: TreatmentProtocol.Batteries {
        var wire = TreatmentProtocol.Batteries()
        for draft in batteries {
            switch draft.occasion {
            case .beforeSession: wire.beforeSession = draft.batteryID?.text
            case .therapyBegin: wire.therapyBegin = draft.batteryID?.text
            default: wire.therapyEnd = draft.batteryID?.text
            }
        }
        return wire
    }

    var wireInterventions: [TreatmentProtocol.Intervention] {
        interventions.map { .init(interventionID: $0.text.text, day: $0.day) }
    }
}

/// A definition without the parts that have columns of their own.
private struct ProtocolDocument: Encodable {
    let batteries: TreatmentProtocol.Batteries
    let plan: [ProtocolPlanEntry]
    let dailies: Bool?
    let rule_ids: [String]
    let interventions: [TreatmentProtocol.Intervention]

    init(_ definition: ProtocolDefinition) {
        batteries = definition.wireBatteries
        plan = definition.plan.map(\.entry)
        dailies = definition.dailies
        rule_ids = definition.rules.map(\.text)
        interventions = definition.wireInterventions
    }
}

extension DeliveryRuleDraft {
    /// For the wire, with days of the therapy.
    var entry: ProtocolPlanEntry {
        var wire = ProtocolPlanEntry(occasion: occasion.rawValue, openHours: Double(openMinutes) / 60)
        wire.questionnaireKey = questionnaireKey
        wire.batteryID = batteryID?.text
        if let rhythm {
            wire.every = rhythm.every
            wire.unit = rhythm.unit.rawValue
            wire.startDay = ProtocolDefinition.day(rhythm.startsOn)
            wire.at = rhythm.clock
            wire.endDay = rhythm.endsOn.map(ProtocolDefinition.day)
        }
        if let watch {
            wire.watchedKey = watch.key
            wire.watchedScale = watch.scale
            wire.comparison = watch.threshold.comparison.rawValue
            wire.threshold = watch.threshold.value
            wire.restDays = watch.restDays
        }
        return wire
    }
}

extension ProtocolDefinition {
    /// The day of the therapy that a date stands for.
    static func day(_ date: LocalDate) -> Int {
        Int(date.daysSince1970 - ProtocolDelivery.dayZero.daysSince1970)
    }
}
