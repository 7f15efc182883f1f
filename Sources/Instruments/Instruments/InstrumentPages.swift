import HTTP
import Identity
import Questionnaires
import Records
import Web
import Wire
import Wording

/// The card of an instrument: source, licence, permitted use, cut-off with its source, sensors.
package enum InstrumentPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/questionnaires/:questionnaire/instrument", .author, edit)
        routes.page(.post, "/questionnaires/:questionnaire/instrument", .author, update)
    }

    package struct Edit: Page {
        package static let template = "questionnaires/instrument"
        package static let section: NavigationItem? = .questionnaires
        package let id: ID<QuestionnaireVersion>
        package let title: String
        package let fields: [FieldView]
        package let errors: ErrorSummary?
    }

    @Sendable static func edit(_ c: Context<Member>) throws -> Reply {
        let record = try QuestionnairePath.version(c)
        let card = try c.read { try InstrumentStore.card(record.key, $0) }
        return .page(page(record, card, FormState(c.texts), c))
    }

    @Sendable static func update(_ c: Context<Member>) throws -> Reply {
        let record = try QuestionnairePath.version(c)
        let before = try c.read { try InstrumentStore.card(record.key, $0) }
        return try c.revise(orShow: { page(record, before, $0, c) }) { fields in
            let card = try read(fields.form, before, c)
            try c.write(.instrumentDescribed, object: record.id) { connection in
                try InstrumentStore.save(card, of: record.key, connection)
            }
            return .seeOther("/questionnaires/\(record.id)", flash: Message("instruments.saved"))
        }
    }

    private static func read(
        _ form: Form, _ before: InstrumentCard, _ c: Context<Member>
    ) throws -> InstrumentCard {
        let fields = InputReader(form: form)
        let licences = InstrumentCard.Licence.allCases.map(\.rawValue)
        var card = before
        let licence = fields.choice("licence", from: licences, required: true)
        card.source = fields.text("source", limit: 1_000, lines: true)
        card.permittedUse = fields.text("permitted_use", limit: 1_000, lines: true)
        card.cutoffSource = fields.text("cutoff_source", limit: 1_000, lines: true)
        card.asksGPS = form.all("asks_gps").last == "true"
        card.asksMicrophone = form.all("asks_microphone").last == "true"
        try fields.finish()
        card.licence = licence.flatMap(InstrumentCard.Licence.init(rawValue:)) ?? .unstated
        let isConfirmed = form.all("confirmed").last == "true"
        if card.licence != .permission {
            card.confirmedAt = nil
            card.confirmedBy = nil
        } else if isConfirmed && card.confirmedAt == nil {
            card.confirmedAt = c.now
            card.confirmedBy = c.proof.account.id
        }
        return card
    }

    private static func page(
        _ record: QuestionnaireRecord, _ card: InstrumentCard, _ filled: FormState, _ c: Context<Member>
    ) -> Edit {
        let texts = c.texts
        let area = { (name: String, value: String?, hint: Message) -> FieldView in
            filled.field(name, .area, label: "instruments.\(name)", first: value ?? "", hint: hint)
        }
        let box = { (name: String, isOn: Bool, hint: Message?) -> FieldView in
            var view = filled.box(name, label: "instruments.\(name)", hint: hint, isOn: isOn)
            if view.value != "true" { view.value = "" }
            return view
        }
        let licence = filled.list(
            "licence", label: "instruments.licence", first: card.licence.rawValue,
            InstrumentCard.Licence.allCases.map { ($0.rawValue, texts["instruments.licence_\($0.rawValue)"]) }
        )
        let confirmed = box("confirmed", card.confirmedAt != nil, "instruments.confirmed_hint")
        return Edit(
            id: record.id, title: record.title(c.language),
            fields: [
                area("source", card.source ?? record.definition.citation, "instruments.source_hint"), licence,
                area("permitted_use", card.permittedUse, "instruments.permitted_use_hint"), confirmed,
                area("cutoff_source", card.cutoffSource, "instruments.cutoff_source_hint"),
                box("asks_gps", card.asksGPS, nil), box("asks_microphone", card.asksMicrophone, nil),
            ], errors: filled.summary)
    }

    /// The card as shown on the questionnaire's page.
    static func facts<P>(
        _ card: InstrumentCard, _ definition: QuestionnaireDefinition, _ c: Context<P>
    ) -> [Fact] {
        let texts = c.texts
        var facts: [Fact] = []
        let add = { (label: String, value: String?) in
            if let value, !value.isEmpty {
                facts.append(Fact(label: texts["instruments.\(label)"], value: value))
            }
        }
        add("source", card.source ?? definition.citation)
        add("origin", definition.origin)
        add("licence", texts["instruments.licence_\(card.licence.rawValue)"])
        add("permitted_use", card.permittedUse)
        if card.licence == .permission {
            let day = card.confirmedAt.map { texts["instruments.confirmed_on", ["day": c.dates.day($0)]] }
            add("permission", day ?? texts["instruments.not_confirmed"])
        }
        let cutoffs = definition.scales.compactMap { scale in
            scale.cutoff.map { "\(scale.key) \(texts.number($0, digits: 2))" }
        }
        if !cutoffs.isEmpty {
            add("cutoffs", cutoffs.joined(separator: ", "))
            add("cutoff_source", card.cutoffSource ?? texts["instruments.no_cutoff_source"])
        }
        let sensors = [("gps", card.asksGPS), ("microphone", card.asksMicrophone)].filter(\.1)
        add("sensors", sensors.map { texts["instruments.sensor_\($0.0)"] }.joined(separator: ", "))
        return facts
    }
}

extension AuditAction {
    static let instrumentDescribed = AuditAction(name: "instrument.described")
    package static let instrumentConfirmed = AuditAction(name: "instrument.confirmed")
}
