import Database
import HTTP
import Identity
import Scheduling
import Web
import Wire
import Wording

/// The form of a study.
extension StudyPages {
    static func form<P>(_ study: StudyRecord?, _ filled: FormState, _ c: Context<P>) -> Edit {
        let texts = c.texts
        var name = filled.field("name", label: "studies.name", first: study?.name ?? "")
        name.hint = texts["studies.name_hint"]
        name.isRequired = true
        var fields = [name]
        let words: [(String, LocalizedText?, isArea: Bool)] = [
            ("title", study?.title, false), ("description", study?.description, true),
            ("text", study?.text, true),
            ("consent_text", study?.consent, true), ("location_reason", study?.locationReason, true),
        ]
        for (key, text, isArea) in words {
            var written = LocalizedFields(
                key, label: "studies.\(key)_in", first: text, isArea: isArea, filled, c.services
            ).fields
            if key == "consent_text" { written[0].hint = texts["studies.consent_hint"] }
            if key == "location_reason" { written[0].hint = texts["studies.location_reason_hint"] }
            filled.name(key, written[0].label, at: written[0].name)
            fields += written
        }
        var access = filled.field("access", label: "studies.access", first: study?.access.rawValue ?? "open")
        access.isSelect = true
        access.choices = StudyAccess.allCases.map {
            .init(
                value: $0.rawValue, label: texts["studies.access_\($0.rawValue)"],
                isChosen: $0.rawValue == access.value)
        }
        var password = FieldView(name: "password", label: texts["studies.password"])
        filled.name("password", password.label)
        password.error = filled.errors.list.first { $0.field == "password" }.map { texts[$0.message] }
        password.hint = texts["studies.password_hint"]
        password.autocomplete = "off"
        fields += [access, password]
        for (key, isOn) in [("is_private", study?.isPrivate), ("is_hidden", study?.isHidden)] {
            var field = filled.field(key, label: "studies.\(key)", first: isOn ?? false ? "true" : "")
            field.isCheck = true
            field.hint = texts["studies.\(key)_hint"]
            fields.append(field)
        }
        var measures = StudyMeasures.boxes(
            StudyMeasures.offered, ticked: study?.measurements ?? [], label: "studies.asks_measure", filled)
        measures[0].hint = texts["studies.asks_measure_hint"]
        fields += measures
        var picture = filled.field("picture", label: "studies.picture")
        picture.type = "file"
        picture.hint = texts["studies.picture_hint"]
        picture.value = ""
        fields.append(picture)
        if study?.pictureVersion != nil {
            var removal = filled.field("picture_removed", label: "studies.picture_removed")
            removal.isCheck = true
            fields.append(removal)
        }
        for (key, at) in [("starts_at", study?.startsAt), ("ends_at", study?.endsAt)] {
            let first = at.map { c.dates.machineTime(LocalTime($0, c.dates.zone)) } ?? ""
            var field = filled.field(key, label: "studies.\(key)", first: first)
            field.type = "datetime-local"
            fields.append(field)
        }
        return Edit(
            title: texts[study == nil ? "studies.new" : "studies.edit"],
            action: study.map { "/studies/\($0.id)/edit" } ?? "/studies/new",
            revision: study.flatMap { filled.revision($0.revision) }, isStale: filled.isStale,
            fields: fields, errors: filled.summary)
    }
}
