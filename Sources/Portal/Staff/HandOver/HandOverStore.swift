import Clinic
import Database
import Records
import Rules
import Therapies
import Wire

/// What of a leaving therapist's own words goes along.
struct HandOverWish: Sendable, Equatable {
    var note = false
    var questions = false
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
            SELECT note, questions FROM hand_over_wishes
            WHERE therapy_id = \(therapy.id) AND account_id = \(therapy.therapistID)
            """
        ) { row in HandOverWish(note: try row[0], questions: try row[1]) }
        return found ?? HandOverWish()
    }

    static func save(
        _ wish: HandOverWish, for therapy: ID<Therapy>, of therapist: ID<Account>, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO hand_over_wishes (therapy_id, account_id, note, questions, wished_at)
            VALUES (\(therapy), \(therapist), \(wish.note), \(wish.questions), \(now))
            ON CONFLICT (therapy_id) DO UPDATE SET account_id = excluded.account_id, note = excluded.note,
                questions = excluded.questions, wished_at = excluded.wished_at
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
        try TherapyStore.handOver(id, to: new, connection)
        try RuleStore.forget(therapy: id, connection)
        try PauseStore.handOver(in: id, to: new, connection)
        try connection.run("DELETE FROM hand_over_wishes WHERE therapy_id = \(id)")
    }

    private static func withhold(
        of therapist: ID<Account>, in therapy: ID<Therapy>, _ wish: HandOverWish, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        // There is a row, and there may be no note in it.
        let note: [UInt8]?? = try connection.value("SELECT note FROM therapies WHERE id = \(therapy)")
        let questions: [UInt8]? = try connection.value(
            "SELECT words FROM briefing_questions WHERE therapy_id = \(therapy)")
        let kept = (note: wish.note ? nil : note ?? nil, questions: wish.questions ? nil : questions)
        if kept.note != nil || kept.questions != nil {
            try connection.run(
                """
                INSERT INTO withheld_words (therapy_id, account_id, note, questions, withheld_at)
                VALUES (\(therapy), \(therapist), \(kept.note), \(kept.questions), \(now))
                ON CONFLICT (therapy_id, account_id) DO UPDATE SET note = coalesce(excluded.note, withheld_words.note),
                    questions = coalesce(excluded.questions, withheld_words.questions), withheld_at = excluded.withheld_at
                """)
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
            SELECT note, questions, withheld_at FROM withheld_words
            WHERE therapy_id = \(therapy) AND account_id = \(therapist)
            """
        ) { row in
            (note: try row[0] as [UInt8]?, questions: try row[1] as [UInt8]?, since: try row[2] as Instant)
        }
        guard let kept else { return }
        let hasNote = try connection.exists(
            "SELECT 1 FROM therapies WHERE id = \(therapy) AND note IS NOT NULL")
        if !hasNote, let note = kept.note {
            try TherapyStore.setNote(note, of: therapy, therapist: seen.therapistID, connection)
        }
        let hasQuestions = try connection.exists(
            "SELECT 1 FROM briefing_questions WHERE therapy_id = \(therapy)")
        if !hasQuestions, let questions = kept.questions {
            try BriefingStore.save(questions, of: therapy, at: kept.since, connection)
        }
        try connection.run(
            """
            UPDATE withheld_words SET
                note = CASE WHEN note IS NOT DISTINCT FROM (SELECT note FROM therapies WHERE id = \(therapy))
                    THEN NULL ELSE note END,
                questions = CASE WHEN questions IS NOT DISTINCT FROM (SELECT words FROM briefing_questions
                    WHERE therapy_id = \(therapy)) THEN NULL ELSE questions END
            WHERE therapy_id = \(therapy) AND account_id = \(therapist)
            """)
        try connection.run(
            "DELETE FROM withheld_words WHERE therapy_id = \(therapy) AND note IS NULL AND questions IS NULL")
    }
}
