import Database
public import Wire

/// Questionnaires of assignments, kept for answering offline.
extension LocalStore {
    /// Questionnaires of assignments that the phone lacks, or has in another language.
    func missingQuestionnaires(_ language: ClientLanguage) throws -> [String] {
        try read { connection in
            try connection.all(
                """
                SELECT DISTINCT questionnaire_id FROM assignments
                WHERE questionnaire_id IS NOT NULL
                AND questionnaire_id NOT IN (
                    SELECT id FROM questionnaires WHERE language = \(language.rawValue)) ORDER BY questionnaire_id
                """
            ) { try $0[0] }
        }
    }

    /// Dailies of the plan whose questionnaire the portal has not confirmed, the last first.
    func plannedOnly() throws -> [String] {
        try read { connection in
            try connection.all(
                """
                SELECT id FROM assignments WHERE in_plan = 1 AND in_list = 0 AND title = ''
                ORDER BY available_from DESC, id
                """
            ) { try $0[0] }
        }
    }

    /// From the last daily back: the portal's answer holds for earlier ones with the assumed questionnaire, too.
    /// - Returns: whether it was.
    func learn(_ id: String, _ assignment: Assignment) throws -> Bool {
        try write { connection in
            let known = try connection.first(
                "SELECT coalesce(questionnaire_id, '') FROM assignments WHERE id = \(id)"
            ) { row -> String in try row[0] }
            // The first time nothing was assumed, and one holds for all.
            let isAsThought = known == "" || known == assignment.questionnaireID
            let through: Instant = isAsThought ? assignment.availableFrom : Instant(milliseconds: 0)
            try connection.run(
                """
                UPDATE assignments SET questionnaire_id = \(assignment.questionnaireID), title = \(assignment.title)
                WHERE id = \(id)
                OR (in_plan = 1 AND title = '' AND available_from <= \(through.milliseconds))
                """)
            try Self.set(.dailyQuestionnaire, assignment.questionnaireID, connection)
            return isAsThought
        }
    }

    func keep(_ questionnaire: Questionnaire, _ id: String, language: ClientLanguage) throws {
        let body = try Self.text(questionnaire)
        try write { connection in
            try connection.run(
                """
                INSERT INTO questionnaires (id, language, body) VALUES (\(id), \(language.rawValue), \(body))
                ON CONFLICT (id) DO UPDATE SET language = excluded.language, body = excluded.body
                """)
        }
    }

    /// After a change of the language everything with words is requested again; until then the old words are used.
    func use(_ language: ClientLanguage) throws {
        try write { connection in
            guard try Self.fact(.language, connection) != language.rawValue else { return }
            try Self.set(.language, language.rawValue, connection)
            try Self.forgetParts(connection)
            try connection.run("UPDATE assignments SET title = '' WHERE in_list = 0")
        }
    }

    public func questionnaire(_ id: String) throws -> Questionnaire? {
        try read { try Self.questionnaire(id, $0) }
    }

    static func questionnaire(_ id: String, _ connection: borrowing Connection) throws -> Questionnaire? {
        let body: String? = try connection.value("SELECT body FROM questionnaires WHERE id = \(id)")
        return try body.map { try value(Questionnaire.self, $0) }
    }
}
