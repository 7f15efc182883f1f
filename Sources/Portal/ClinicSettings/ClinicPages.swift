import Foundation
import HTTP
import Web
import Wording

/// The clinic's settings in the portal, for administrators.
package enum ClinicPages {
    package static func routes(_ routes: inout Routes) {
        routes.page(.get, "/admin/settings", .admin, edit)
        routes.page(.post, "/admin/settings", .admin, update)
    }

    struct Edit: Page {
        static let template = "admin/settings"
        static let section: NavigationItem? = .admin
        /// What the form was made from, as it is sent along.
        let seen: String
        let fields: [FieldView]
        let crisisLead: String
        let crisis: [Line]
        let labels: [Side]
        let errors: ErrorSummary?

        /// One number: itself, and what answers there in each language.
        struct Line: Encodable, Sendable {
            let heading: String
            let fields: [FieldView]
        }
        struct Side: Encodable, Sendable {
            let heading: String
            let fields: [FieldView]
        }
        static let example = Edit(
            seen: "0", fields: [FieldView(name: "name", label: "Name der Einrichtung")],
            crisisLead: "Solange hier nichts steht, gelten die Nummern von Österreich.",
            crisis: [Line(heading: "Nummer 1", fields: [FieldView(name: "number_1", label: "Nummer")])],
            labels: [Side(heading: "Deutsch", fields: [FieldView(name: "path_de", label: "Weg")])],
            errors: nil)
    }

    @Sendable static func edit(_ c: Context<Member>) throws -> Reply { .page(page(FormState(c.texts), c)) }

    @Sendable package static func update(_ c: Context<Member>) throws -> Reply {
        let form = try c.form()
        do {
            let draft = try ClinicDraft.read(form: InputReader(form: form))
            try ClinicChange.save(draft, over: form["revision"].flatMap { Int($0) } ?? 0, c)
            return .seeOther("/admin/settings", flash: Message("clinic.saved"))
        } catch Problem.preconditionFailed {
            let errors = FieldErrors("name", "clinic.changed_meanwhile")
            return .page(page(FormState(form, errors, c.texts), c), status: 422)
        } catch Problem.invalid(let errors) {
            return .page(page(FormState(form, errors, c.texts), c), status: 422)
        }
    }

    private static func page(_ filled: FormState, _ c: Context<Member>) -> Edit {
        let record = c.services.clinic.now.record
        var name = filled.field("name", label: "clinic.name", first: record.name ?? "")
        name.hint = c.texts["clinic.name_hint"]
        name.autocomplete = "organization"
        let crisisKey = record.crisis == nil ? "clinic.crisis_default" : "clinic.crisis_own"
        return Edit(
            seen: String(record.revision),
            fields: [name, zone(record, filled, c), variant(record, filled, c)],
            crisisLead: c.texts[crisisKey], crisis: crisis(filled, c), labels: labels(record, filled, c),
            errors: filled.summary)
    }

    /// Says which of the flag and the setting is in force.
    private static func zone(_ record: ClinicRecord, _ filled: FormState, _ c: Context<Member>) -> FieldView {
        var zone = filled.field("timezone", label: "clinic.timezone", first: record.timezone ?? "")
        zone.isSelect = true
        let inherited = c.texts["clinic.timezone_system", ["zone": TimeZone.current.identifier]]
        zone.choices = [FieldView.Choice(value: "", label: inherited, isChosen: zone.value.isEmpty)]
        var names = TimeZone.knownTimeZoneIdentifiers.filter { $0.contains("/") }
        if !zone.value.isEmpty, !names.contains(zone.value) { names.append(zone.value) }
        zone.choices += names.sorted().map {
            FieldView.Choice(value: $0, label: $0, isChosen: $0 == zone.value)
        }
        let key = c.services.clinic.now.zoneSource == .flag ? "clinic.timezone_flag" : "clinic.timezone_hint"
        zone.hint = c.texts[key, ["zone": c.services.timezone]]
        return zone
    }

    private static func variant(_ record: ClinicRecord, _ filled: FormState, _ c: Context<Member>)
        -> FieldView
    {
        var variant = filled.field(
            "language_variant", label: "clinic.variant", first: record.variant?.rawValue ?? "")
        variant.isSelect = true
        let inherited = c.texts["clinic.variant_zone"]
        variant.choices = [FieldView.Choice(value: "", label: inherited, isChosen: variant.value.isEmpty)]
        variant.choices += LanguageVariant.allCases.map { one in
            FieldView.Choice(
                value: one.rawValue, label: c.texts[words(one)],
                isChosen: one.rawValue == variant.value)
        }
        variant.hint = c.texts["clinic.variant_hint"]
        return variant
    }

    private static func words(_ variant: LanguageVariant) -> String {
        switch variant {
        case .austria: "clinic.austrian"
        case .germany: "clinic.german"
        case .switzerland: "clinic.swiss"
        }
    }

    /// What is set, with room for one more; what follows from the zone is only shown as a lead, so that it goes on to
    /// follow.
    private static func crisis(_ filled: FormState, _ c: Context<Member>) -> [Edit.Line] {
        let numbers = c.services.crisisNumbers
        let typed = (1...CrisisNumber.limit).last { !(filled.form["number_\($0)"] ?? "").isEmpty } ?? 0
        let lines = min(CrisisNumber.limit, max(numbers.count, typed) + 1)
        return (1...lines).map { place in
            let one = place <= numbers.count ? numbers[place - 1] : nil
            var number = filled.field("number_\(place)", label: "clinic.number", first: one?.number ?? "")
            number.type = "tel"
            number.autocomplete = "off"
            let labels = LocalizedFields(
                "label", end: "_\(place)", label: "clinic.label_in", first: one?.labels, filled, c.services)
            return Edit.Line(
                heading: c.texts["clinic.number_n", ["n": String(place)]], fields: [number] + labels.fields)
        }
    }

    private static func labels(
        _ record: ClinicRecord, _ filled: FormState, _ c: Context<Member>
    ) -> [Edit.Side] {
        c.services.languages.map { language in
            let own = record.labels ?? SheetLabels()
            let fields = SheetLabels.Part.allCases.map { part in
                var view = filled.field(
                    "\(part.rawValue)_\(language.rawValue)", label: "clinic.\(part.rawValue)",
                    first: own.word(part, c.services.texts(language)))
                // Of the two of this name the summary says which.
                let spoken = c.services.name(of: language, for: c.texts)
                filled.name(view.name, "\(view.label) (\(spoken))")
                view.lang = language.rawValue
                view.isArea = part.hasLines
                if part.hasPlaces {
                    view.hint = c.texts["clinic.places_hint", ["limit": String(part.lineLimit)]]
                } else if part == .addresses {
                    view.hint = c.texts["clinic.addresses_hint", ["limit": String(part.lineLimit)]]
                }
                return view
            }
            return Edit.Side(heading: c.services.texts(language)["frame.language"], fields: fields)
        }
    }
}
