import Database
public import Wire

/// Half-filled answers.
extension LocalStore {
    /// Keeps half-filled answers, here and for the person's other devices.
    public func keepDraft(_ answers: Answers, of assignment: String) throws {
        let text = try Self.text(answers)
        try write { connection in
            guard let known = try Self.assignment(assignment, connection) else { throw LocalProblem.unknown }
            try connection.run(
                """
                INSERT INTO drafts (subject_id, answers) VALUES (\(assignment), \(text))
                ON CONFLICT (subject_id) DO UPDATE SET answers = excluded.answers
                """)
            // The portal does not know dailies planned by the phone itself.
            if !known.isOwn { try Self.enqueue(.draft, assignment, connection) }
        }
    }

    public func draft(of assignment: String) throws -> Answers {
        try read { try Self.draft(of: assignment, $0)?.answers ?? [:] }
    }

    static func draft(
        of subject: String, _ connection: borrowing Connection
    ) throws -> (answers: Answers, etag: String?, base: Answers)? {
        try connection.first("SELECT answers, etag, base FROM drafts WHERE subject_id = \(subject)") { row in
            (
                answers: try value(Answers.self, try row[0]), etag: try row[1],
                base: try value(Answers.self, try row[2])
            )
        }
    }

    /// Adopts another device's half-filled answers, except where this device has changed something since.
    func takeDraft(_ theirs: Answers, etag: String?, of subject: String) throws {
        try write { connection in
            let here = try Self.draft(of: subject, connection)
            let mine = here?.answers ?? [:]
            let base = here?.base ?? [:]
            var merged = theirs
            for key in Set(mine.keys).union(base.keys) where mine[key] != base[key] {
                merged[key] = mine[key]
            }
            let text = try Self.text(merged)
            let seen = try Self.text(theirs)
            try connection.run(
                """
                INSERT INTO drafts (subject_id, answers, etag, base, base_count)
                VALUES (\(subject), \(text), \(etag), \(seen), \(theirs.count))
                ON CONFLICT (subject_id) DO UPDATE SET answers = excluded.answers, etag = excluded.etag,
                    base = excluded.base, base_count = excluded.base_count
                """)
        }
    }

    /// The portal has removed it: everything here is new to it.
    func noteDraftGone(_ subject: String) throws {
        try write { connection in
            try connection.run(
                "UPDATE drafts SET etag = NULL, base = '{}', base_count = 0 WHERE subject_id = \(subject)")
        }
    }

    func noteDraftSent(_ outgoing: Outgoing, _ sent: Answers, etag: String?) throws {
        let text = try Self.text(sent)
        try write { connection in
            try connection.run(
                """
                UPDATE drafts SET etag = \(etag), base = \(text), base_count = \(sent.count)
                WHERE subject_id = \(outgoing.subject)
                """)
            try Self.settle(outgoing, connection)
        }
    }

    /// Assignments begun or continued on other devices, as the list's count shows, without changes on this one.
    func draftsToLoad() throws -> [String] {
        try read { connection in
            try connection.all(
                """
                SELECT id FROM assignments LEFT JOIN drafts ON drafts.subject_id = assignments.id
                WHERE answered_elsewhere > 0 AND in_list = 1
                AND answered_elsewhere <> coalesce(base_count, 0)
                AND id NOT IN (SELECT subject_id FROM outbox WHERE kind = 'draft')
                AND id NOT IN (SELECT assignment_id FROM sheets)
                """
            ) { try $0[0] }
        }
    }
}
