import Database
import Records
import Wire

/// Every statement about choices one by one. A row is never changed, and is erased only with its person.
package enum ItemChoiceStore {
    static func insert(
        _ choice: ItemChoice, of enrolment: ID<Enrolment>, at now: Instant, _ connection: borrowing Connection
    ) throws {
        // Twice within a millisecond the last one counts.
        try connection.run(
            """
            INSERT INTO enrolment_choices (enrolment_id, kind, chosen_at, is_given, sentence)
            VALUES (\(enrolment), \(choice.kind.name), \(now), \(choice.isGiven), \(choice.sentence))
            ON CONFLICT (enrolment_id, kind, chosen_at) DO UPDATE SET is_given = \(choice.isGiven),
                sentence = \(choice.sentence)
            """)
    }

    private static func record(_ row: borrowing Row) throws -> (ID<Enrolment>, ItemChoice)? {
        guard let kind = ItemChoice.Kind(name: try row["kind"]) else { return nil }
        return (
            try row["enrolment_id"],
            ItemChoice(
                kind: kind, isGiven: try row["is_given"], at: try row["chosen_at"],
                sentence: try row["sentence"])
        )
    }

    /// Of one participation, the earliest first.
    package static func all(
        of enrolment: ID<Enrolment>, _ connection: borrowing Connection
    ) throws -> [ItemChoice] {
        try connection.all(
            "SELECT * FROM enrolment_choices WHERE enrolment_id = \(enrolment) ORDER BY chosen_at, kind"
        ) { row in try record(row) }.compactMap { $0?.1 }
    }

    /// Of all participations in a study, the earliest first.
    package static func all(
        in study: ID<Study>, _ connection: borrowing Connection
    ) throws -> [ID<Enrolment>: [ItemChoice]] {
        let rows = try connection.all(
            """
            SELECT enrolment_choices.* FROM enrolment_choices JOIN enrolments ON enrolments.id = enrolment_id
            WHERE study_id = \(study) ORDER BY chosen_at, kind
            """
        ) { row in try record(row) }
        return rows.compactMap(\.self).reduce(into: [:]) { $0[$1.0, default: []].append($1.1) }
    }
}
