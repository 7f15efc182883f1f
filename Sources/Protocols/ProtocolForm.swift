import Delivery
import HTTP
import JSON
import Records
import Rules
import Web
import Wire
import Wording

/// The form of a protocol, converted into the shape of a call, so that both are read by the same rules. Its fields
/// have the names of the call: `plan.0.open_hours`.
struct ProtocolForm {
    static let entryFields = [
        "what", "occasion", "open_hours", "every", "unit", "start_day", "at", "end_day", "watched",
        "comparison",
        "threshold", "rest_days",
    ]
    private static let batteryPrefix = "battery:"

    /// Without empty rows.
    let form: Form
    /// The number of filled rows of each kind.
    let planCount: Int
    let interventionCount: Int

    init(_ sent: Form) {
        let plan = Self.rows("plan", of: sent).filter { !(sent["plan.\($0).what"] ?? "").isEmpty }
        let interventions = Self.rows("interventions", of: sent).filter {
            !(sent["interventions.\($0).intervention_id"] ?? "").isEmpty
                || !(sent["interventions.\($0).day"] ?? "").isEmpty
        }
        var fields = sent.fields.filter {
            !$0.name.hasPrefix("plan.") && !$0.name.hasPrefix("interventions.")
        }
        let take = { (name: String, from: Int, to: Int, inner: [String]) in
            for field in inner {
                if let value = sent["\(name).\(from).\(field)"] {
                    fields.append(Form.Field("\(name).\(to).\(field)", value))
                }
            }
        }
        for (to, from) in plan.enumerated() { take("plan", from, to, Self.entryFields) }
        for (to, from) in interventions.enumerated() {
            take("interventions", from, to, ["intervention_id", "day"])
        }
        form = Form(fields)
        planCount = plan.count
        interventionCount = interventions.count
    }

    private static func rows(_ name: String, of form: Form) -> [Int] {
        let numbers = form.fields.compactMap { field -> Int? in
            let parts = field.name.split(separator: ".")
            return parts.count == 3 && parts[0] == name ? Int(parts[1]) : nil
        }
        return Set(numbers.filter { (0..<100).contains($0) }).sorted()
    }

    /// The study that a choice of the scope names, and the arm of it: `study:ID/waiting`. Nil for another scope.
    static func study(ofScope scope: String) -> (study: String, arm: String?)? {
        guard scope.hasPrefix("study:") else { return nil }
        let parts = scope.dropFirst(6).split(separator: "/", maxSplits: 1).map(String.init)
        return parts.first.map { ($0, parts.count == 2 ? parts[1] : nil) }
    }

    /// As a call would send it.
    var json: JSON {
        var members: [JSON.Member] = [.init("name", text("name"))]
        if form["scope"] != nil {
            // One list holds the kind and, for a study, which.
            let scope = form["scope"] ?? ""
            let named = Self.study(ofScope: scope)
            members.append(.init("scope", .string(named == nil ? scope : "study")))
            members.append(.init("study_id", named.map { .string($0.study) } ?? .null))
            members.append(.init("arms", named?.arm.map { .array([.string($0)]) } ?? .null))
        }
        let batteries = ProtocolDefinition.occasions.map {
            JSON.Member($0.name, text("batteries.\($0.name)"))
        }
        members.append(.init("batteries", .object(batteries)))
        members.append(.init("plan", .array((0..<planCount).map(entry))))
        members.append(.init("dailies", bool("dailies")))
        members.append(
            .init("rule_ids", .array(form.all("rule_ids").filter { !$0.isEmpty }.map(JSON.string))))
        let interventions = (0..<interventionCount).map { row in
            JSON.object([
                .init("intervention_id", text("interventions.\(row).intervention_id")),
                .init("day", number("interventions.\(row).day")),
            ])
        }
        members.append(.init("interventions", .array(interventions)))
        members.append(.init("follow", bool("follow")))
        members.append(.init(Permission.field, .bool(form.all(Permission.field).contains("true"))))
        return .object(members)
    }

    private func entry(_ row: Int) -> JSON {
        let place = "plan.\(row)."
        let what = form[place + "what"] ?? ""
        let isBattery = what.hasPrefix(Self.batteryPrefix)
        let occasion = form[place + "occasion"] ?? ""
        var members: [JSON.Member] = [
            .init("occasion", text(place + "occasion")),
            .init("questionnaire_key", isBattery ? .null : .string(what)),
            .init(
                "battery_id", isBattery ? .string(String(what.dropFirst(Self.batteryPrefix.count))) : .null),
            .init("open_hours", number(place + "open_hours")),
        ]
        if occasion == "repeated" {
            members += ["every", "start_day", "end_day"].map { .init($0, number(place + $0)) }
            members += ["unit", "at"].map { .init($0, text(place + $0)) }
        }
        if occasion == "result" {
            let watched = (form[place + "watched"] ?? "").split(separator: "/", maxSplits: 1).map(String.init)
            members.append(.init("watched_key", watched.count == 2 ? .string(watched[0]) : .null))
            members.append(.init("watched_scale", watched.count == 2 ? .string(watched[1]) : .null))
            members.append(.init("comparison", text(place + "comparison")))
            members += ["threshold", "rest_days"].map { .init($0, number(place + $0)) }
        }
        return .object(members)
    }

    private func text(_ name: String) -> JSON {
        form[name].flatMap { $0.isEmpty ? nil : .string($0) } ?? .null
    }

    private func bool(_ name: String) -> JSON {
        ["true": JSON.bool(true), "false": .bool(false)][form[name] ?? ""] ?? .null
    }

    /// What is no number, or may be two, stays as it was typed: the draft knows what fits.
    private func number(_ name: String) -> JSON {
        guard let text = form[name], !text.isEmpty else { return .null }
        let number = TypedNumber(text, meant: form[TypedNumber.meantName(name)])?.value
        return number.map(JSON.number) ?? .string(text)
    }

    /// Errors under the names of the form's own fields.
    static func folded(_ errors: FieldErrors) -> FieldErrors {
        var folded = FieldErrors()
        for error in errors.list {
            let parts = error.field.split(separator: ".").map(String.init)
            var name = error.field
            if parts.count == 3, parts[0] == "plan" {
                let inner = [
                    "questionnaire_key": "what", "battery_id": "what", "watched_key": "watched",
                    "watched_scale": "watched",
                ]
                name = "plan.\(parts[1]).\(inner[parts[2]] ?? parts[2])"
            }
            if name == "study_id" { name = "scope" }
            let isKnown = folded.list.contains {
                $0.field == name && $0.message.key == error.message.key
                    && $0.message.values == error.message.values
            }
            if !isKnown { folded.add(name, error.message.key, error.message.values) }
        }
        return folded
    }

    // MARK: From a protocol

    /// The fields of a stored protocol.
    static func form(of record: ProtocolRecord, _ texts: Texts) -> Form {
        var fields = [Form.Field("name", record.name)]
        let add = { (name: String, value: String?) in
            if let value { fields.append(Form.Field(name, value)) }
        }
        let batteries = record.definition.wireBatteries
        let ids = [batteries.beforeSession, batteries.therapyBegin, batteries.therapyEnd]
        for (battery, id) in zip(ProtocolDefinition.occasions, ids) { add("batteries.\(battery.name)", id) }
        for (index, draft) in record.definition.plan.enumerated() {
            let entry = draft.entry
            let place = "plan.\(index)."
            add(place + "what", entry.questionnaireKey ?? entry.batteryID.map { batteryPrefix + $0 })
            add(place + "occasion", entry.occasion)
            add(place + "open_hours", texts.number(entry.openHours, digits: 2))
            add(place + "every", entry.every.map { String($0) })
            add(place + "unit", entry.unit)
            add(place + "start_day", entry.startDay.map { String($0) })
            add(place + "at", entry.at)
            add(place + "end_day", entry.endDay.map { String($0) })
            if let key = entry.watchedKey, let scale = entry.watchedScale {
                add(place + "watched", "\(key)/\(scale)")
            }
            add(place + "comparison", entry.comparison)
            add(place + "threshold", entry.threshold.map { texts.number($0, digits: 2) })
            add(place + "rest_days", entry.restDays.map { String($0) })
        }
        add("dailies", record.definition.dailies.map { String($0) })
        for rule in record.definition.rules { add("rule_ids", rule.text) }
        for (index, one) in record.definition.interventions.enumerated() {
            add("interventions.\(index).intervention_id", one.text.text)
            add("interventions.\(index).day", String(one.day))
        }
        return Form(fields)
    }
}
