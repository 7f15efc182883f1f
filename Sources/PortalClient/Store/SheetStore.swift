import Database
public import Scheduling
public import Wire

/// A filled-in questionnaire that the portal has not accepted yet, or refuses.
public struct LocalSheet: Sendable {
    public let id: String
    /// What it answers; the id of an event for a sheet about one.
    public let assignmentID: String
    public let sheet: AnswerSheet
    /// Why it was refused for good; nil while it waits. The answers stay here until the person drops them.
    public let refusal: Refusal?

    public init(id: String, assignmentID: String, sheet: AnswerSheet, refusal: Refusal?) {
        self.id = id
        self.assignmentID = assignmentID
        self.sheet = sheet
        self.refusal = refusal
    }
}

extension LocalStore {
    // MARK: Filling in

    /// Submits a filled-in questionnaire: it will be sent, however long that takes.
    /// - Parameters:
    ///   - answers: by question; those of hidden sections are left out.
    ///   - started: when it was begun.
    /// - Returns: the id of the sheet.
    /// - Throws: `LocalProblem`.
    @discardableResult
    public func submit(
        _ id: String, _ answers: Answers, started: Instant, at now: Instant, zone: Zone,
        answeredAt: [String: Instant]? = nil
    ) throws -> String {
        let sheetID = NewID.make()
        return try write { connection in
            guard let assignment = try Self.assignment(id, connection),
                let questionnaireID = assignment.questionnaireID,
                let questionnaire = try Self.questionnaire(questionnaireID, connection)
            else { throw LocalProblem.unknown }
            if assignment.isFilledIn { throw LocalProblem.alreadyFilledIn }
            guard assignment.isOpen(at: now) else { throw LocalProblem.closed }
            let missing = questionnaire.missing(answers)
            guard missing.isEmpty else { throw LocalProblem.incomplete(missing) }
            let daily = AnswerSheet.OwnDaily(
                questionnaireID: questionnaireID, availableFrom: assignment.availableFrom.whole,
                dueAt: assignment.dueAt.whole)
            let sheet = AnswerSheet(
                assignmentID: assignment.isOwn ? nil : id, daily: assignment.isOwn ? daily : nil,
                startedAt: min(started, now).whole, completedAt: now.whole,
                timezone: assignment.zone ?? zone.identifier,
                answers: questionnaire.sendable(answers), answeredAt: answeredAt)
            let body = try Self.text(sheet)
            try connection.run(
                "INSERT INTO sheets (id, assignment_id, body) VALUES (\(sheetID), \(id), \(body))")
            try Self.dequeue(.draft, id, connection)
            try connection.run("DELETE FROM drafts WHERE subject_id = \(id)")
            try Self.enqueue(.sheet, sheetID, connection)
            return sheetID
        }
    }

    /// The same about an event that was noted with a button; it is sent once the portal has that.
    /// - Parameters:
    ///   - event: its id.
    ///   - version: of the questionnaire.
    @discardableResult
    public func submit(
        about event: String, in study: String, version: String, of questionnaire: Questionnaire,
        _ answers: Answers, started: Instant, at now: Instant, zone: Zone,
        answeredAt: [String: Instant]? = nil
    ) throws -> String {
        let missing = questionnaire.missing(answers)
        guard missing.isEmpty else { throw LocalProblem.incomplete(missing) }
        let sheetID = NewID.make()
        var sheet = AnswerSheet(
            assignmentID: nil, startedAt: min(started, now).whole, completedAt: now.whole,
            timezone: zone.identifier, answers: questionnaire.sendable(answers), answeredAt: answeredAt)
        sheet.studyID = study
        sheet.questionnaireID = version
        sheet.eventID = event
        let body = try Self.text(sheet)
        return try write { connection in
            let isKnown = try connection.exists(
                """
                SELECT 1 FROM sheets WHERE assignment_id = \(event)
                UNION SELECT 1 FROM contributions WHERE assignment_id = \(event)
                """)
            if isKnown { throw LocalProblem.alreadyFilledIn }
            try connection.run(
                "INSERT INTO sheets (id, assignment_id, body) VALUES (\(sheetID), \(event), \(body))")
            try Self.dequeue(.draft, event, connection)
            try connection.run("DELETE FROM drafts WHERE subject_id = \(event)")
            try Self.enqueue(.sheet, sheetID, connection)
            return sheetID
        }
    }

    /// Waiting and refused ones, in the order they were filled in.
    public func sheets() throws -> [LocalSheet] { try read { try Self.sheets("", $0) } }

    /// The assignments that are answered, whether the portal has heard of it or not; of refused ones it asks on.
    public func answered() throws -> Set<String> {
        try read { connection in
            let all: [String] = try connection.all(
                """
                SELECT assignment_id FROM sheets WHERE refused_with IS NULL
                UNION SELECT assignment_id FROM contributions WHERE assignment_id IS NOT NULL
                """
            ) { try $0[0] }
            return Set(all)
        }
    }

    func sheet(_ id: String) throws -> LocalSheet? {
        try read { try Self.sheets("WHERE id = \(id)", $0).first }
    }

    private static func sheets(_ which: SQL, _ connection: borrowing Connection) throws -> [LocalSheet] {
        try connection.all(
            "SELECT id, assignment_id, body, refused_with, refusal FROM sheets \(sql: which) ORDER BY rowid"
        ) { row in
            let status: Int? = try row[3]
            let text: String? = try row[4]
            return LocalSheet(
                id: try row[0], assignmentID: try row[1], sheet: try value(AnswerSheet.self, try row[2]),
                refusal: status.map { Refusal(status: $0, message: text ?? "") })
        }
    }

    /// The portal has it.
    /// - Parameter event: what it is about, which is not filled in about once more.
    func acknowledge(_ outgoing: Outgoing, _ sheet: SentSheet, about event: String? = nil) throws {
        let body = try Self.text(sheet)
        try write { connection in
            try Self.insert(contribution: outgoing.subject, sheet, body, connection)
            if let event {
                try connection.run(
                    "UPDATE contributions SET assignment_id = \(event) WHERE id = \(outgoing.subject)")
            }
            try Self.forgetSheet(outgoing.subject, connection)
        }
    }

    private static func forgetSheet(_ id: String, _ connection: borrowing Connection) throws {
        let assignment: String? = try connection.value("SELECT assignment_id FROM sheets WHERE id = \(id)")
        try connection.run("DELETE FROM sheets WHERE id = \(id)")
        try dequeue(.sheet, id, connection)
        // Answered: the assignment is not asked any more.
        if let assignment {
            try connection.run("DELETE FROM assignments WHERE id = \(assignment)")
            for kind in [Outgoing.Kind.draft, .assignment] { try dequeue(kind, assignment, connection) }
        }
    }

    /// The portal refuses it. It stays, with the reason.
    func refuse(_ outgoing: Outgoing, _ refusal: Refusal) throws {
        try write { connection in
            try connection.run(
                """
                UPDATE sheets SET refused_with = \(refusal.status), refusal = \(refusal.message)
                WHERE id = \(outgoing.subject)
                """)
            try Self.dequeue(.sheet, outgoing.subject, connection)
        }
    }

    /// Tries a refused sheet again: the reason may be gone.
    public func sendAgain(_ id: String) throws {
        try write { connection in
            let changed = try connection.run(
                "UPDATE sheets SET refused_with = NULL, refusal = NULL WHERE id = \(id) AND refused_with IS NOT NULL"
            )
            if changed > 0 { try Self.enqueue(.sheet, id, connection) }
        }
    }

    /// Drops a refused sheet.
    public func discard(_ id: String) throws {
        try write { connection in
            try connection.run("DELETE FROM sheets WHERE id = \(id) AND refused_with IS NOT NULL")
        }
    }

    // MARK: Sent

    private static func insert(
        contribution id: String, _ sheet: SentSheet, _ body: String, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO contributions (id, assignment_id, completed_at, body)
            VALUES (\(id), \(sheet.assignmentID), \(sheet.completedAt.milliseconds), \(body))
            ON CONFLICT (id) DO UPDATE SET body = excluded.body
            """)
        // Answered, here or elsewhere: it is not open any more.
        if let assignment = sheet.assignmentID {
            try connection.run(
                """
                DELETE FROM assignments WHERE id = \(assignment) AND id NOT IN (SELECT assignment_id FROM sheets)
                """)
        }
    }

    /// Step 3: the phone's list follows the portal's.
    /// - Parameter all: the whole list; nil when the part that was read contains all news.
    static func take(
        contributions: [Item<SentSheet>], all: Set<String>?, _ connection: borrowing Connection
    ) throws {
        for item in contributions {
            try insert(contribution: item.id, item.attributes, text(item.attributes), connection)
            // It had arrived, and only the answer was lost.
            if try connection.exists("SELECT 1 FROM sheets WHERE id = \(item.id)") {
                try forgetSheet(item.id, connection)
            }
        }
        guard let all else { return }
        let here: [String] = try connection.all("SELECT id FROM contributions") { try $0[0] }
        for id in here where !all.contains(id) {
            try connection.run("DELETE FROM contributions WHERE id = \(id)")
        }
    }

    func unknownContributions(among ids: [String]) throws -> Set<String> {
        try read { connection in
            let known: [String] = try connection.all(
                "SELECT id FROM contributions WHERE id IN \(list: ids)"
            ) { try $0[0] }
            return Set(ids).subtracting(known)
        }
    }

    func contributionCount() throws -> Int {
        try read { try $0.count("SELECT count(*) FROM contributions") }
    }

    /// The sheets in the portal, the newest first.
    public func contributions() throws -> [Item<SentSheet>] {
        try read { connection in
            try connection.all("SELECT id, body FROM contributions ORDER BY completed_at DESC, id") { row in
                Item(id: try row[0], try Self.value(SentSheet.self, try row[1]))
            }
        }
    }
}
