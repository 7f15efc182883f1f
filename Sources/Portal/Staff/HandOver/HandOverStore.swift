import Clinic
import Database
import Records
import Rules
import Therapies
import Wire

/// What of a leaving therapist's own words goes along.
struct HandOverWish: Sendable, Equatable {
    /// The name for the therapist's eyes (PR-6).
    var alias = false
    var note = false
    var questions = false
    /// Notes of sessions, with what was ticked off in them (PR-12).
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

    /// Running therapies that nobody reads, because the account of their therapist is closed.
    static func orphaned(_ connection: borrowing Connection) throws -> Int {
        try connection.count(
            """
            SELECT count(*) FROM therapies JOIN accounts ON accounts.id = therapist_id
            WHERE ended_at IS NULL AND disabled_at IS NOT NULL
            """)
    }

    // MARK: What goes along

    /// What the therapist has ticked; nothing where they have ticked nothing, or the therapy was somebody else's then.
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

    /// Another therapist from now on. Words that do not go along are kept for whom they belong to and read by nobody
    /// meanwhile; what the new one had left here before is back. Reactions to results stay with the old one.
    static func move(
        _ therapy: Therapy, to new: ID<Account>, _ wish: HandOverWish, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        let id = therapy.id
        try withhold(of: therapy.therapistID, in: id, wish, at: now, connection)
        try giveBack(to: new, in: therapy, connection)
        // Notes of sessions belong to their author: those that do not go along are read by nobody else.
        if wish.sessionNotes {
            try SessionNoteStore.handOver(in: id, from: therapy.therapistID, to: new, connection)
        }
        try TherapyStore.handOver(id, to: new, connection)
        try SharingStore.forget(id, connection)
        try RuleStore.forget(therapy: id, connection)
        try PauseStore.handOver(in: id, to: new, connection)
        try connection.run("DELETE FROM hand_over_wishes WHERE therapy_id = \(id)")
    }

    /// What a therapist wrote for their own eyes, sealed.
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

    /// Only where nothing came along: one's words do not go over another's.
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
