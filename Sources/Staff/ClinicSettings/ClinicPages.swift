import HTTP
import Scheduling
import Web
import Wording

/// The clinic's settings in the portal, for administrators.
package enum ClinicPages {
    package static func routes(_ routes: inout Routes) {
        routes.page(.get, "/admin/settings", .admin, edit)
        routes.page(.post, "/admin/settings", .admin, update)
    }

    package struct Edit: Page {
        package static let template = "admin/settings"
        package static let section: NavigationItem? = .admin
        /// What the form was made from, as it is sent along.
        let seen: String
        let fields: [FieldView]
        let crisisLead: String
        let crisis: [Line]
        let labels: [Side]
        let errors: ErrorSummary?

        /// One number, with its service in each language.
        struct Line: Encodable, Sendable {
            let heading: String
            let fields: [FieldView]
        }
        struct Side: Encodable, Sendable {
            let heading: String
            let fields: [FieldView]
        }
    }

    @Sendable static func edit(_ c: Context<Member>) throws -> Reply { .page(page(FormState(c.texts), c)) }

    @Sendable package static func update(_ c: Context<Member>) throws -> Reply {
        try c.submit(orShow: { page($0, c) }) { fields in
            let draft = try ClinicDraft.read(form: fields)
            do {
                try ClinicChange.save(draft, over: fields.form["revision"].flatMap { Int($0) } ?? 0, c)
            } catch Problem.preconditionFailed {
                throw Problem.invalid("name", "clinic.changed_meanwhile")
            }
            return .seeOther("/admin/settings", flash: Message("clinic.saved"))
        }
    }

    private static func page(_ filled: FormState, _ c: Context<Member>) -> Edit {
        let record = c.services.clinic.now.record
        let name = filled.field(
            "name", label: "clinic.name", first: record.name ?? "", hint: "clinic.name_hint",
            autocomplete: "organization")
        let crisisKey = record.crisis == nil ? "clinic.crisis_default" : "clinic.crisis_own"
        return Edit(
            seen: String(record.revision),
            fields: [name, zone(record, filled, c), variant(record, filled, c), mails(record, filled)],
            crisisLead: c.texts[crisisKey], crisis: crisis(filled, c), labels: labels(record, filled, c),
            errors: filled.summary)
    }

    /// Tells whether the flag or the setting is in force.
    private static func zone(_ record: ClinicRecord, _ filled: FormState, _ c: Context<Member>) -> FieldView {
        let chosen = filled.form.all("timezone").last ?? record.timezone ?? ""
        let inherited = c.texts["clinic.timezone_system", ["zone": ZoneData.current.machineZone]]
        var names = ZoneData.current.places
        if !chosen.isEmpty, !names.contains(chosen) { names.append(chosen) }
        let key = c.services.clinic.now.zoneSource == .flag ? "clinic.timezone_flag" : "clinic.timezone_hint"
        return filled.list(
            "timezone", label: "clinic.timezone", first: record.timezone ?? "",
            hint: Message(key, ["zone": c.services.timezone]),
            [("", inherited)] + names.sorted().map { ($0, $0) })
    }

    private static func variant(_ record: ClinicRecord, _ filled: FormState, _ c: Context<Member>)
        -> FieldView
    {
        filled.list(
            "language_variant", label: "clinic.variant", first: record.variant?.rawValue ?? "",
            hint: "clinic.variant_hint", none: "clinic.variant_zone",
            LanguageVariant.allCases.map { ($0.rawValue, c.texts[words($0)]) })
    }

    private static func mails(_ record: ClinicRecord, _ filled: FormState) -> FieldView {
        filled.field(
            "unseen_mail_hours", .whole, label: "clinic.mail_hours",
            first: record.unseenMailHours.map { String($0) } ?? "", hint: "clinic.mail_hours_hint")
    }

    private static func words(_ variant: LanguageVariant) -> String {
        switch variant {
        case .austria: "clinic.austrian"
        case .germany: "clinic.german"
        case .switzerland: "clinic.swiss"
        }
    }

    /// The settings, with room for one more; what follows from the zone is a hint, and continues to follow.
    private static func crisis(_ filled: FormState, _ c: Context<Member>) -> [Edit.Line] {
        let numbers = c.services.crisisNumbers
        let typed = (1...CrisisNumber.limit).last { !(filled.form["number_\($0)"] ?? "").isEmpty } ?? 0
        let lines = min(CrisisNumber.limit, max(numbers.count, typed) + 1)
        return (1...lines).map { place in
            let one = place <= numbers.count ? numbers[place - 1] : nil
            let number = filled.field(
                "number_\(place)", .phone, label: "clinic.number", first: one?.number ?? "",
                autocomplete: "off")
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
                // Two fields have this label: the summary tells which is meant.
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
