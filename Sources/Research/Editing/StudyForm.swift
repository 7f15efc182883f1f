import Scheduling
import Studies
import Web
import Wire
import Wording

extension StudyPages {
    static func form<P>(_ study: StudyRecord?, _ filled: FormState, _ c: Context<P>) -> Edit {
        let texts = c.texts
        let name = filled.field(
            "name", label: "studies.name", first: study?.name ?? "", hint: "studies.name_hint", required: true
        )
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
            if key == "consent_text" {
                fields.append(
                    filled.box(
                        "tells_session_dates", label: "studies.tells_session_dates",
                        hint: "studies.tells_session_dates_hint", isOn: study?.tellsSessionDates ?? false))
            }
        }
        let access = filled.list(
            "access", label: "studies.access", first: study?.access.rawValue ?? "open",
            StudyAccess.allCases.map { ($0.rawValue, texts["studies.access_\($0.rawValue)"]) })
        var password = filled.field(
            "password", label: "studies.password", hint: "studies.password_hint", autocomplete: "off")
        // What was typed as a password is never shown again.
        password.value = ""
        password.stored = nil
        fields += [access, password]
        for (key, isOn) in [("is_private", study?.isPrivate), ("is_hidden", study?.isHidden)] {
            fields.append(
                filled.box(key, label: "studies.\(key)", hint: "studies.\(key)_hint", isOn: isOn ?? false))
        }
        fields += StudyMeasures.boxes(
            StudyMeasures.offered, ticked: study?.measurements ?? [], label: "studies.asks_measure",
            hint: texts["studies.asks_measure_hint"], filled)
        fields.append(filled.field("picture", .file, label: "studies.picture", hint: "studies.picture_hint"))
        if study?.pictureVersion != nil {
            fields.append(filled.box("picture_removed", label: "studies.picture_removed"))
        }
        for (key, at) in [("starts_at", study?.startsAt), ("ends_at", study?.endsAt)] {
            fields.append(filled.moment(key, label: "studies.\(key)", first: at, c.dates))
        }
        return Edit(
            title: texts[study == nil ? "studies.new" : "studies.edit"],
            action: study.map { "/studies/\($0.id)/edit" } ?? "/studies/new",
            revision: study.flatMap { filled.revision($0.revision) }, isStale: filled.isStale,
            fields: fields, errors: filled.summary)
    }
}
