import Foundation
import JSON
import Web
import Wire
import Wording

/// The clinic's settings as sent. Made only by reading.
enum ClinicDraft {
    /// From a call; a field that is missing or null follows from the zone, hours of mails that are missing stay.
    /// - Throws: `Problem.invalid`.
    static func read(json fields: InputReader, over present: ClinicRecord) throws(Problem) -> ClinicRecord {
        var record = common(fields)
        if !fields.has("unseen_mail_hours") { record.unseenMailHours = present.unseenMailHours }
        // A client may send it back.
        _ = fields.value("timezone_source")
        if let list = fields.value("crisis_numbers") { record.crisis = numbers(list, fields) }
        if let labels = fields.object("sheet_labels") {
            record.labels = Self.labels(labels)
            fields.adopt(labels)
        }
        try fields.finish()
        return record
    }

    /// Languages in which a label is required; in others these fill in for missing ones.
    private static let needed = [Language.german, .english]

    /// From a form: `number_1`, `label_de_1`, `code_step_de` and so on.
    /// - Throws: `Problem.invalid`.
    static func read(form fields: InputReader) throws(Problem) -> ClinicRecord {
        var record = common(fields)
        var crisis: [CrisisNumber] = []
        for place in 1...CrisisNumber.limit {
            let name = "number_\(place)"
            let isOfPlace = { (field: String) in field.hasPrefix("label_") && field.hasSuffix("_\(place)") }
            let names = [name] + fields.names.filter(isOfPlace)
            if names.allSatisfy({ fields.value($0) == nil }) { continue }
            let number = fields.phone(name, required: true)
            let label = fields.localizedFields(
                "label", end: "_\(place)", limit: 80, lines: false, required: needed)
            if let number, needed.allSatisfy({ label[$0.rawValue] != nil }) {
                crisis.append(CrisisNumber(number: number, labels: label))
            }
        }
        // With all lines emptied the numbers follow from the zone again.
        record.crisis = crisis.isEmpty ? nil : crisis
        var labels = SheetLabels()
        for part in SheetLabels.Part.allCases {
            let text = fields.localizedFields(part.rawValue, limit: part.limit, lines: part.hasLines)
            labels[part] = tidied(text, part) {
                "\(part.rawValue)_\($0)"
            } refuse: {
                fields.refuse($0, $1, $2)
            }
        }
        record.labels = labels
        try fields.finish()
        return record
    }

    private static func common(_ fields: InputReader) -> ClinicRecord {
        var record = ClinicRecord()
        record.name = fields.text("name", limit: 120)
        record.timezone = fields.timezone("timezone")
        record.variant = fields.choice("language_variant")
        record.unseenMailHours = fields.number("unseen_mail_hours", .init(whole: 1...168)).flatMap { hours in
            if let whole = Int(exactly: hours), (1...168).contains(whole) { return whole }
            fields.refuse("unseen_mail_hours", "clinic.mail_hours_range")
            return nil
        }
        return record
    }

    private static func numbers(_ list: JSON, _ fields: InputReader) -> [CrisisNumber]? {
        guard let items = list.array, items.count <= CrisisNumber.limit else {
            fields.refuse("crisis_numbers", "clinic.too_many", ["limit": String(CrisisNumber.limit)])
            return nil
        }
        // An empty list would mean no crisis line at all, which is never intended.
        return items.isEmpty
            ? nil
            : items.enumerated().compactMap { place, item in
                let entry = InputReader(json: item, prefix: "crisis_numbers.\(place).")
                defer { fields.adopt(entry) }
                let number = entry.phone("number", required: true)
                let both = both("label", entry)
                guard let number, let both else { return nil }
                return CrisisNumber(number: number, labels: both)
            }
    }

    private static func labels(_ fields: InputReader) -> SheetLabels {
        var labels = SheetLabels()
        for part in SheetLabels.Part.allCases where fields.value(part.rawValue) != nil {
            // Addresses may exist in one language only.
            let text =
                part == .addresses
                ? fields.localized(part.rawValue, limit: part.limit, lines: true)
                : both(part.rawValue, limit: part.limit, lines: part.hasLines, fields)
            guard let text else { continue }
            labels[part] = tidied(text, part) {
                "\(part.rawValue).\($0)"
            } refuse: {
                fields.refuse($0, $1, $2)
            }
        }
        return labels
    }

    /// Trimmed lines, no more than the sheet has room for.
    private static func tidied(
        _ text: LocalizedText, _ part: SheetLabels.Part, _ name: (String) -> String,
        refuse: (String, String, [String: String]) -> Void
    ) -> LocalizedText {
        guard part.hasLines else { return text }
        var tidy = LocalizedText()
        for (code, words) in text.translations {
            let lines = words.split(whereSeparator: \.isNewline).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            .filter { !$0.isEmpty }
            if lines.count > part.lineLimit {
                refuse(name(code), "clinic.too_many_lines", ["limit": String(part.lineLimit)])
            }
            let places = words.matches(of: /\{([^{}]*)\}/).map { String($0.output.1) }
            let unknown = places.first { !SheetLabels.Part.places.contains($0) }
            if part.hasPlaces, let unknown {
                let known = SheetLabels.Part.places.map { "{\($0)}" }.joined(separator: ", ")
                refuse(name(code), "clinic.unknown_place", ["place": "{\(unknown)}", "known": known])
            }
            if !lines.isEmpty { tidy[code] = lines.joined(separator: "\n") }
        }
        return tidy
    }

    /// A text in German and English, and in any other language that was sent.
    private static func both(
        _ name: String, limit: Int = 80, lines: Bool = false, _ fields: InputReader
    ) -> LocalizedText? {
        guard let text = fields.localized(name, limit: limit, lines: lines, required: needed) else {
            fields.refuse(name, "errors.required")
            return nil
        }
        return needed.allSatisfy { text[$0.rawValue] != nil } ? text : nil
    }
}
