import Database
import JSON
import Wire
import Wording

/// Every statement about the clinic's settings.
package enum ClinicStore {
    /// The hours of a new installation.
    private static let shippedMailHours = 24

    package static let revision: RevisionOf = { _, _, connection in try find(connection).revision }

    static func find(_ connection: borrowing Connection) throws -> ClinicRecord {
        let found: ClinicRecord? = try connection.first("SELECT * FROM clinic_settings") { row in
            var record = ClinicRecord()
            record.name = try row["name"]
            record.timezone = try row["timezone"]
            record.variant = try row["language_variant"]
            record.crisis = try (row["crisis_numbers"] as String?).map(numbers)
            record.labels = try (row["sheet_labels"] as String?).map(labels)
            record.revision = try row["revision"]
            return record
        }
        var record = found ?? ClinicRecord()
        let hours: Int?? = try connection.first("SELECT hours FROM unseen_mail_setting") { row in try row[0] }
        record.unseenMailHours = hours ?? shippedMailHours
        return record
    }

    /// - Returns: false when another change came first.
    package static func save(
        _ record: ClinicRecord, over revision: Int, at now: Instant, _ connection: borrowing Connection
    ) throws -> Bool {
        guard try find(connection).revision == revision else { return false }
        let crisis = try record.crisis.map { try text($0.map(\.wire)) }
        let labels = try record.labels.map { try text(wire($0)) }
        try connection.run(
            """
            INSERT INTO clinic_settings
                (id, name, timezone, language_variant, crisis_numbers, sheet_labels, revision, changed_at)
            VALUES (1, \(record.name), \(record.timezone), \(record.variant), \(crisis), \(labels),
                \(revision + 1), \(now))
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, timezone = excluded.timezone,
                language_variant = excluded.language_variant, crisis_numbers = excluded.crisis_numbers,
                sheet_labels = excluded.sheet_labels, revision = excluded.revision,
                changed_at = excluded.changed_at
            """)
        try connection.run(
            """
            INSERT INTO unseen_mail_setting (id, hours) VALUES (1, \(record.unseenMailHours))
            ON CONFLICT (id) DO UPDATE SET hours = excluded.hours
            """)
        try connection.tell(News.clinicChanged.text)
        return true
    }

    private static func text(_ value: some Encodable) throws -> String {
        String(decoding: try JSONWriter.bytes(of: value), as: UTF8.self)
    }

    private static func numbers(_ text: String) throws -> [CrisisNumber] {
        (try JSON.parse(Array(text.utf8)).array ?? []).map { item in
            CrisisNumber(
                number: item["number"]?.string ?? "", labels: LocalizedText(json: item["label"]))
        }
    }

    private static func wire(_ labels: SheetLabels) -> [String: [String: String]] {
        var all: [String: [String: String]] = [:]
        for (language, words) in labels.words {
            for (part, word) in words { all[language.rawValue, default: [:]][part.rawValue] = word }
        }
        return all
    }

    private static func labels(_ text: String) throws -> SheetLabels {
        let json = try JSON.parse(Array(text.utf8))
        var labels = SheetLabels()
        guard case .object(let members) = json else { return labels }
        for member in members {
            guard let language = Language(rawValue: member.key) else { continue }
            for part in SheetLabels.Part.allCases {
                labels.words[language, default: [:]][part] = member.value[part.rawValue]?.string
            }
        }
        return labels
    }
}
