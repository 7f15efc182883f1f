import Database
import Records
import Rules
import Therapies
import Wire

/// The private words of a leaving therapist that go along.
struct HandOverWish: Sendable, Equatable {
    /// The name for the therapist's eyes (PR-6).
    var alias = false
    var note = false
    var questions = false
    /// Notes on sessions, with their ticked items (PR-12).
    var sessionNotes = false
}

/// Every statement about handing a therapy over.
enum HandOverStore {
    /// The running therapies of a therapist, by codename.
    static func running(of therapist: ID<Account>, _ connection: borrowing Connection) throws -> [Therapy] {
        try connection.all(
            "SELECT * FROM therapies WHERE therapist_id = \(therapist) AND ended_at IS NULL ORDER BY codename"
        )
    }

    static func find(codename: String, _ connection: borrowing Connection) throws -> Therapy? {
        try connection.first("SELECT * FROM therapies WHERE codename = \(codename) AND ended_at IS NULL")
    }

    // MARK: What goes along

    /// The therapist's ticks; none without any, or when the therapy was another's then.
    static func wish(
        for therapy: Therapy, _ connection: borrowing Connection
    ) throws -> HandOverWish {
        let found: HandOverWish? = try connection.first(
            """
            SELECT alias, note, questions, session_notes FROM hand_over_wishes
            WHERE therapy_id = \(therapy.id) AND account_id = \(therapy.therapistID)
            """
        ) { row in
            HandOverWish(
                alias: try row[0], note: try row[1], questions: try row[2], sessionNotes: try row[3])
        }
        return found ?? HandOverWish()
    }

    static func save(
        _ wish: HandOverWish, for therapy: ID<Therapy>, of therapist: ID<Account>, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO hand_over_wishes (therapy_id, account_id, alias, note, questions, session_notes, wished_at)
            VALUES (\(therapy), \(therapist), \(wish.alias), \(wish.note), \(wish.questions),
                \(wish.sessionNotes), \(now))
            ON CONFLICT (therapy_id) DO UPDATE SET account_id = excluded.account_id,
                alias = excluded.alias, note = excluded.note,
                questions = excluded.questions, session_notes = excluded.session_notes,
                wished_at = excluded.wished_at
            """)
    }

    // MARK: The step itself

    /// Changes the therapist. Words that do not go along are kept for their author and closed to others meanwhile;
    /// those the new therapist had left here earlier are back. Reactions to results stay with the former one.
    static func move(
        _ therapy: Therapy, to new: ID<Account>, with wish: HandOverWish, _ chance: Randomness,
        at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        let id = therapy.id
        try withhold(of: therapy.therapistID, in: id, wish, at: now, connection)
        try giveBack(to: new, in: therapy, connection)
        // Notes on sessions belong to their author: without the wish no other account can read them.
        if wish.sessionNotes {
            try SessionNoteStore.handOver(in: id, from: therapy.therapistID, to: new, connection)
            try LetterStore.handOver(in: id, from: therapy.therapistID, to: new, connection)
        }
        try TherapyStore.handOver(id, to: new, at: now, connection)
        try SharingStore.forget(id, connection)
        try RuleStore.forget(therapy: id, connection)
        try PauseStore.handOver(therapy, to: new, chance, at: now, connection)
        try connection.run("DELETE FROM hand_over_wishes WHERE therapy_id = \(id)")
    }

    /// A therapist's private words, sealed.
    private struct OwnWords {
        var alias: [UInt8]?
        var note: [UInt8]?
        var questions: [UInt8]?

        var isEmpty: Bool { alias == nil && note == nil && questions == nil }
    }

    private static func present(
        in therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws -> OwnWords {
        var words =
            try connection.first("SELECT alias, note FROM therapies WHERE id = \(therapy)") { row in
                OwnWords(alias: try row[0], note: try row[1])
            } ?? OwnWords()
        words.questions = try connection.value(
            "SELECT words FROM briefing_questions WHERE therapy_id = \(therapy)")
        return words
    }

    private static func withhold(
        of therapist: ID<Account>, in therapy: ID<Therapy>, _ wish: HandOverWish, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        var kept = try present(in: therapy, connection)
        if wish.alias { kept.alias = nil }
        if wish.note { kept.note = nil }
        if wish.questions { kept.questions = nil }
        if kept.isEmpty { return }
        try connection.run(
            """
            INSERT INTO withheld_words (therapy_id, account_id, alias, note, questions, withheld_at)
            VALUES (\(therapy), \(therapist), \(kept.alias), \(kept.note), \(kept.questions), \(now))
            ON CONFLICT (therapy_id, account_id) DO UPDATE SET
                alias = coalesce(excluded.alias, withheld_words.alias),
                note = coalesce(excluded.note, withheld_words.note),
                questions = coalesce(excluded.questions, withheld_words.questions), withheld_at = excluded.withheld_at
            """)
        if kept.alias != nil {
            try TherapyStore.setAlias(nil, of: therapy, therapist: therapist, connection)
        }
        if kept.note != nil {
            try TherapyStore.setNote(nil, of: therapy, therapist: therapist, connection)
        }
        if kept.questions != nil { try BriefingStore.save(nil, of: therapy, at: now, connection) }
    }

    /// Only where no words came along: they must not overwrite others.
    private static func giveBack(
        to therapist: ID<Account>, in seen: Therapy, _ connection: borrowing Connection
    ) throws {
        let therapy = seen.id
        let kept = try connection.first(
            """
            SELECT alias, note, questions, withheld_at FROM withheld_words
            WHERE therapy_id = \(therapy) AND account_id = \(therapist)
            """
        ) { row in
            (
                words: OwnWords(alias: try row[0], note: try row[1], questions: try row[2]),
                since: try row[3] as Instant
            )
        }
        guard let kept else { return }
        let present = try present(in: therapy, connection)
        if present.alias == nil, let alias = kept.words.alias {
            try TherapyStore.setAlias(alias, of: therapy, therapist: seen.therapistID, connection)
        }
        if present.note == nil, let note = kept.words.note {
            try TherapyStore.setNote(note, of: therapy, therapist: seen.therapistID, connection)
        }
        if present.questions == nil, let questions = kept.words.questions {
            try BriefingStore.save(questions, of: therapy, at: kept.since, connection)
        }
        var left = kept.words
        if present.alias == nil { left.alias = nil }
        if present.note == nil { left.note = nil }
        if present.questions == nil { left.questions = nil }
        try connection.run(
            """
            UPDATE withheld_words SET alias = \(left.alias), note = \(left.note), questions = \(left.questions)
            WHERE therapy_id = \(therapy) AND account_id = \(therapist)
            """)
        if left.isEmpty {
            try connection.run(
                "DELETE FROM withheld_words WHERE therapy_id = \(therapy) AND account_id = \(therapist)")
        }
    }
}
