import Database
import Delivery
import HTTP
import Identity
import Instruments
import Questionnaires
import Records
import Rules
import Studies
import Web
import Wire
import Wording

/// Draws the editor from the input or the stored protocol.
struct ProtocolEditor {
    let c: Context<Member>
    let filled: FormState
    let reader: ProtocolReader
    private let texts: Texts

    init(_ c: Context<Member>, _ filled: FormState, _ reader: ProtocolReader) {
        self.c = c
        self.filled = filled
        self.reader = reader
        texts = c.texts
    }

    /// - Parameter rows: the number of rows for the plan and for interventions.
    func page(
        _ record: ProtocolRecord?, rows: (plan: Int, interventions: Int), _ connection: borrowing Connection
    ) throws -> ProtocolEdit {
        let what = try self.what(connection)
        let scales = try self.scales(connection)
        let library = try LibraryStore.all(for: reader.account, connection)
        let plan = (0..<rows.plan).map { entry($0, what, scales) }
        let interventions = try (0..<rows.interventions).map {
            try intervention($0, library, record, connection)
        }
        let fields = try fields(record, connection)
        let batteries = try self.batteries(connection)
        let reactions = try self.reactions(record, connection)
        for name in ["plan", "rule_ids", "interventions"] {
            filled.name(name, texts["protocols.\(name == "rule_ids" ? "rules" : name)"])
        }
        filled.name("follow", texts["protocols.follow"])
        let concerned = try ProtocolActions.concerned(
            record, study: record?.studyID ?? study, of: arms, connection
        ).count
        let dailies = select(
            "dailies", "protocols.dailies",
            [("", "keep"), ("true", "on"), ("false", "off")].map {
                (value: $0.0, label: texts["protocols.dailies_\($0.1)"])
            })
        return ProtocolEdit(
            title: record?.name ?? texts["protocols.new"],
            action: record.map { "/protocols/\($0.id)" } ?? "/protocols/new",
            removal: record.map { "/protocols/\($0.id)/removal" },
            revision: record.flatMap { filled.revision($0.revision) }, isStale: filled.isStale,
            fields: fields, batteries: batteries, plan: plan, planError: error("plan"), dailies: dailies,
            reactions: reactions, reactionError: error("rule_ids"), interventions: interventions,
            interventionError: error("interventions"), decision: decision(concerned),
            permission: Permission.box(filled), errors: filled.summary)
    }

    private func error(_ name: String) -> String? {
        filled.errors.list.first { $0.field == name }.map { texts[$0.message] }
    }

    /// The study preselected for a new one.
    private var study: ID<Study>? {
        let named = ProtocolForm.study(ofScope: filled.form["scope"] ?? "")
        let id = named.flatMap { ID<Study>(uuid: $0.study) }
        return id.flatMap { reader.title(of: $0) == nil ? nil : $0 }
    }

    /// The arm chosen with it.
    private var arms: [StudyArm.Key] {
        let named = ProtocolForm.study(ofScope: filled.form["scope"] ?? "")
        return [named?.arm].compactMap(\.self).map { StudyArm.Key(rawValue: $0) }
    }

    private func decision(_ concerned: Int) -> ProtocolEdit.Decision? {
        guard concerned > 0 else { return nil }
        return ProtocolEdit.Decision(
            lead: texts.count("protocols.follow_lead", concerned), error: error("follow"),
            isYes: filled.form["follow"] == "true", isNo: filled.form["follow"] == "false")
    }

    // MARK: Fields

    private func select(
        _ name: String, _ label: String, _ choices: [(value: String, label: String)], first: String = ""
    ) -> FieldView {
        filled.list(name, label: label, first: first, choices)
    }

    private func fields(
        _ record: ProtocolRecord?, _ connection: borrowing Connection
    ) throws -> [FieldView] {
        let name = filled.field("name", label: "protocols.name", required: true)
        guard record == nil else { return [name] }
        let scopes = reader.scopes.filter { $0 != .study }.map {
            (value: $0.rawValue, label: texts["protocols.scope_\($0.rawValue)"])
        }
        let studies = try reader.led.flatMap { led in
            let whole = texts["protocols.scope_study", ["title": led.title]]
            let words = try ArmWords(of: led.id, in: c.languages, texts, connection)
            let arms = try StudyArms.all(in: led.id, connection) ?? []
            return [(value: "study:\(led.id)", label: whole)]
                + arms.map { arm in
                    (
                        value: "study:\(led.id)/\(arm.key)",
                        label: texts["protocols.scope_arm", ["study": whole, "arm": words.name(arm.key)]]
                    )
                }
        }
        let all = scopes + studies
        var scope = select("scope", "protocols.scope", all, first: all.first?.value ?? "")
        if !studies.isEmpty { scope.hint = texts["protocols.scope_hint"] }
        return [name, scope]
    }

    private func batteries(_ connection: borrowing Connection) throws -> [FieldView] {
        let parts = try BatteryParts(c, connection)
        let all = try BatteryStore.all(connection).map {
            (value: $0.id.text, label: parts.choice($0, isAlone: true))
        }
        let none = [(value: "", label: texts["protocols.no_battery"])]
        return ProtocolDefinition.occasions.map {
            select("batteries.\($0.name)", "protocols.batteries_\($0.name)", none + all)
        }
    }

    /// The questionnaires in use and the batteries.
    private func what(_ connection: borrowing Connection) throws -> [(value: String, label: String)] {
        let records = try QuestionnaireStore.newest(c.services.questionnaires, connection)
        let batteries = try BatteryStore.all(connection)
        let parts = try BatteryParts(c, connection)
        return [(value: "", label: texts["protocols.choose"])]
            + records.map { (value: $0.key, label: $0.title(c.language)) }
            + batteries.map { (value: "battery:\($0.id)", label: parts.choice($0)) }
    }

    private func scales(_ connection: borrowing Connection) throws -> [(value: String, label: String)] {
        let records = try QuestionnaireStore.newest(c.services.questionnaires, connection)
        return [(value: "", label: texts["protocols.choose"])]
            + records.flatMap { record in
                let language = record.definition.language(asked: c.language.rawValue)
                return record.definition.scales.map {
                    (
                        value: "\(record.key)/\($0.key)",
                        label: "\(record.title(c.language)): \($0.title[language] ?? $0.key)"
                    )
                }
            }
    }

    private func entry(
        _ index: Int, _ what: [(value: String, label: String)], _ scales: [(value: String, label: String)]
    ) -> ProtocolEdit.Entry {
        let place = "plan.\(index)."
        let number = { (name: String, label: String, first: String) -> FieldView in
            filled.field(place + name, .decimal, label: label, first: first)
        }
        let choice = { (name: String, values: [String], first: String) -> FieldView in
            let choices = values.map { (value: $0, label: texts["delivery.\(name)_\($0)"]) }
            return select(place + name, "delivery.\(name)", choices, first: first)
        }
        let at = filled.field(place + "at", .time, label: "delivery.at_label", first: "09:00")
        return ProtocolEdit.Entry(
            legend: texts["protocols.plan_entry", ["n": String(index + 1)]],
            always: [
                select(place + "what", "delivery.what", what),
                choice("occasion", DeliveryRuleAttributes.occasions, "before_session"),
                number("open_hours", "delivery.open_hours", ""),
            ],
            rhythm: [
                number("every", "delivery.every", "1"), choice("unit", ["day", "week", "month"], "week"),
                number("start_day", "protocols.start_day", "7"), at,
                number("end_day", "protocols.end_day", ""),
            ],
            watch: [
                select(place + "watched", "delivery.watched", scales),
                choice("comparison", ["at_least", "at_most"], "at_least"),
                number("threshold", "delivery.threshold", ""),
                number("rest_days", "delivery.rest_days", "14"),
            ])
    }

    private func intervention(
        _ index: Int, _ library: [LibraryRecord], _ record: ProtocolRecord?,
        _ connection: borrowing Connection
    ) throws -> ProtocolEdit.Row {
        let place = "interventions.\(index)."
        // A text of another owner stays selectable where it is used already.
        let kept =
            try record?.definition.interventions.compactMap { wanted in
                library.contains { $0.id == wanted.text }
                    ? nil : try LibraryStore.named(wanted.text, connection)
            } ?? []
        let choices = (library + kept).map { record in
            let kind = texts["interventions.kind_\(record.kind.rawValue)"]
            let words = record.text.text(in: c.languages) ?? ""
            let short = words.count > 70 ? String(words.prefix(70)) + "…" : words
            return (value: record.id.text, label: "\(kind): \(short)")
        }
        let day = filled.field(place + "day", .whole, label: "protocols.intervention_day")
        let none = [(value: "", label: texts["protocols.choose"])]
        return ProtocolEdit.Row(
            legend: texts["protocols.intervention_entry", ["n": String(index + 1)]],
            fields: [select(place + "intervention_id", "protocols.intervention", none + choices), day])
    }

    private func reactions(
        _ record: ProtocolRecord?, _ connection: borrowing Connection
    ) throws -> [ProtocolEdit.Reaction] {
        let own = try ProtocolRules.own(of: reader.account, connection)
        let kept = try RuleStore.named(record?.definition.rules ?? [], connection).filter { rule in
            !own.contains { $0.id == rule.id }
        }
        let chosen = Set(filled.form.all("rule_ids"))
        let words = try RuleFormatter(c, connection)
        return try (own + kept).map { rule in
            let owner = try AccountStore.find(rule.ownerID, connection)
            let opened = try owner.map { try rule.opened(try $0.key(c.keys)) }
            return ProtocolEdit.Reaction(
                id: rule.id.text, name: opened?.name ?? texts["protocols.rule_of_others"],
                words: opened.map { "\(words.when($0)) → \(words.then($0))" } ?? "",
                warnings: try ProtocolWarnings.of(rule, c, connection).map { texts[$0] },
                isChosen: chosen.contains(rule.id.text))
        }
    }
}
