import Database
public import Wire

/// An intervention on the phone, with the person's text in it.
public struct LocalIntervention: Sendable, Equatable {
    public let id: String
    public let kind: String
    public let text: String
    public let assignedAt: Instant
    public let openedAt: Instant?
    public let completedAt: Instant?
    /// Withdrawn by the therapist; still here because of the person's text.
    public let isGone: Bool
    /// Only on the person's own devices.
    public let answer: String?
    public let isDone: Bool?
}

extension LocalStore {
    /// The newest first.
    public func interventions() throws -> [LocalIntervention] {
        try read { connection in
            try connection.all(
                """
                SELECT interventions.id, kind, text, assigned_at, opened_at, completed_at, is_gone, answer, is_done
                FROM interventions LEFT JOIN notes ON notes.intervention_id = interventions.id
                ORDER BY assigned_at DESC, interventions.id
                """
            ) { row in
                LocalIntervention(
                    id: try row[0], kind: try row[1], text: try row[2],
                    assignedAt: Instant(milliseconds: try row[3]), openedAt: Instant(stored: try row[4]),
                    completedAt: Instant(stored: try row[5]), isGone: try row[6], answer: try row[7],
                    isDone: try row[8])
            }
        }
    }

    // MARK: Changes

    /// Notes that it was opened, once.
    /// - Throws: `LocalProblem.unknown`.
    public func openIntervention(_ id: String, at now: Instant) throws {
        try write { connection in
            guard try connection.exists("SELECT 1 FROM interventions WHERE id = \(id)") else {
                throw LocalProblem.unknown
            }
            let changed = try connection.run(
                """
                UPDATE interventions SET opened_at = \(now.whole.milliseconds)
                WHERE id = \(id) AND opened_at IS NULL
                """)
            if changed > 0 { try Self.enqueue(.intervention, id, connection) }
        }
    }

    /// Completes an intervention, opening it if needed. The text stays on the phone.
    /// - Throws: `LocalProblem.unknown`.
    public func completeIntervention(
        _ id: String, answer: String? = nil, isDone: Bool? = nil, at now: Instant
    ) throws {
        try write { connection in
            let at = now.whole.milliseconds
            guard try connection.exists("SELECT 1 FROM interventions WHERE id = \(id)") else {
                throw LocalProblem.unknown
            }
            let changed = try connection.run(
                """
                UPDATE interventions SET opened_at = coalesce(opened_at, \(at)), completed_at = \(at)
                WHERE id = \(id) AND completed_at IS NULL
                """)
            if changed > 0 { try Self.enqueue(.intervention, id, connection) }
            guard answer != nil || isDone != nil else { return }
            // An earlier text stays unless another is given.
            let known = try Self.note(on: id, connection)
            let note = VaultNote(
                answer: answer ?? known?.answer, isDone: isDone ?? known?.isDone, changedAt: now)
            try Self.write(note, of: id, connection)
        }
    }

    /// Writes a text in an intervention without completing it; replaces an earlier one.
    public func writeNote(_ note: VaultNote, of id: String) throws {
        try write { connection in
            guard try connection.exists("SELECT 1 FROM interventions WHERE id = \(id)") else {
                throw LocalProblem.unknown
            }
            try Self.write(note, of: id, connection)
        }
    }

    private static func note(on id: String, _ connection: borrowing Connection) throws -> VaultNote? {
        try connection.first(
            "SELECT answer, is_done, changed_at FROM notes WHERE intervention_id = \(id)"
        ) { row in
            VaultNote(answer: try row[0], isDone: try row[1], changedAt: Instant(milliseconds: try row[2]))
        }
    }

    /// A text written here is the latest, even if a clock was wrong before.
    private static func write(
        _ note: VaultNote, of id: String, _ connection: borrowing Connection
    ) throws {
        let before = try self.note(on: id, connection)?.changedAt.adding(seconds: 1)
        let at = max(note.changedAt.whole, before ?? note.changedAt.whole)
        try insert(VaultNote(answer: note.answer, isDone: note.isDone, changedAt: at), of: id, connection)
    }

    private static func insert(
        _ note: VaultNote, of id: String, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO notes (intervention_id, answer, is_done, changed_at)
            VALUES (\(id), \(note.answer), \(note.isDone), \(note.changedAt.whole.milliseconds))
            ON CONFLICT (intervention_id) DO UPDATE SET answer = excluded.answer, is_done = excluded.is_done,
                changed_at = excluded.changed_at
            """)
    }

    // MARK: From the portal

    /// Takes texts and deletions; times in the portal win.
    static func take(
        _ interventions: [Item<Intervention>], _ connection: borrowing Connection
    ) throws {
        for item in interventions { try take(item.id, item.attributes, connection) }
        let here: [String] = try connection.all("SELECT id FROM interventions") { try $0[0] }
        let there = Set(interventions.map(\.id))
        for id in here where !there.contains(id) { try drop(id, connection) }
    }

    static func take(_ id: String, _ it: Intervention, _ connection: borrowing Connection) throws {
        let opened = it.openedAt?.milliseconds
        let completed = it.completedAt?.milliseconds
        try connection.run(
            """
            INSERT INTO interventions (id, kind, text, assigned_at, opened_at, completed_at, known_opened_at,
                known_completed_at)
            VALUES (\(id), \(it.kind), \(it.text), \(it.assignedAt.milliseconds), \(opened), \(completed),
                \(opened), \(completed))
            ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, text = excluded.text, is_gone = 0,
                opened_at = coalesce(excluded.opened_at, interventions.opened_at),
                completed_at = coalesce(excluded.completed_at, interventions.completed_at),
                known_opened_at = excluded.opened_at, known_completed_at = excluded.completed_at
            """)
    }

    /// Withdrawn. The person's own text in it stays.
    private static func drop(_ id: String, _ connection: borrowing Connection) throws {
        try dequeue(.intervention, id, connection)
        try connection.run("UPDATE interventions SET is_gone = 1 WHERE id = \(id)")
        try connection.run(
            """
            DELETE FROM interventions WHERE id = \(id)
            AND id NOT IN (SELECT intervention_id FROM notes WHERE answer IS NOT NULL OR is_done IS NOT NULL)
            """)
    }

    func dropIntervention(_ id: String) throws { try write { try Self.drop(id, $0) } }

    /// The times of an intervention that the portal does not know yet; nil without any.
    ///
    /// Times of a wrong clock are corrected, because the portal accepts none from before it was given, none in the
    /// future, and no completion before the opening.
    /// - Parameter latest: the phone's present.
    func report(on id: String, latest: Instant) throws -> (opened: Instant?, completed: Instant?)? {
        try read { connection in
            try connection.first(
                """
                SELECT opened_at, completed_at, known_opened_at, known_completed_at, assigned_at
                FROM interventions WHERE id = \(id) AND is_gone = 0
                """
            ) { row -> (opened: Instant?, completed: Instant?)? in
                let given: Int64 = try row[4]
                let ordered = { (time: Int64) in max(given, min(time, latest.whole.milliseconds)) }
                let opened: Int64? = try row[0]
                let completed: Int64? = try row[1]
                let knownOpened: Int64? = try row[2]
                let knownCompleted: Int64? = try row[3]
                let news = knownOpened == nil ? opened.map(ordered) : nil
                // Another device may have opened it later than it was completed here: the portal keeps its time, and
                // the completion cannot be before it.
                let begin = knownOpened ?? news
                let end = knownCompleted == nil ? completed.map { max(ordered($0), begin ?? given) } : nil
                return news == nil && end == nil ? nil : (Instant(stored: news), Instant(stored: end))
            } ?? nil
        }
    }

    func noteReported(_ outgoing: Outgoing, _ intervention: Intervention) throws {
        try write { connection in
            try Self.take(outgoing.subject, intervention, connection)
            try Self.settle(outgoing, connection)
        }
    }

    // MARK: The vault

    /// All texts, by intervention.
    func notes() throws -> [String: VaultNote] {
        let rows = try read { connection in
            try connection.all("SELECT intervention_id, answer, is_done, changed_at FROM notes") { row in
                (
                    id: try row[0] as String,
                    note: VaultNote(
                        answer: try row[1], isDone: try row[2], changedAt: Instant(milliseconds: try row[3]))
                )
            }
        }
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0.note) })
    }

    /// Another device's texts: the later wins, in the same second the one that sorts last, so that all agree.
    func take(notes: [String: VaultNote]) throws {
        try write { connection in
            for (id, note) in notes {
                let rank = { (note: VaultNote) in
                    (note.changedAt.seconds, note.answer ?? "", note.isDone == true ? 1 : 0)
                }
                if let known = try Self.note(on: id, connection), rank(known) >= rank(note) { continue }
                try Self.insert(note, of: id, connection)
            }
        }
    }
}
