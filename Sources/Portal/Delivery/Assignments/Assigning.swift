import HTTP
import Wire

/// Assigning and withdrawing by hand, for the page and the call alike.
enum Assigning {
    /// - Throws: `Problem` for an unknown questionnaire and for a therapy that has ended.
    static func make(_ draft: AssignmentDraft, _ c: Context<Caseload>) throws -> AssignmentRecord {
        let therapy = c.proof.patient
        guard therapy.endedAt == nil else { throw Problem.conflict(Message("assignments.therapy_ended")) }
        let record = try c.read { connection in
            try QuestionnaireStore.newest(draft.questionnaireKey, c.services.questionnaires, connection)
        }
        guard let record else { throw Problem.invalid("questionnaire_key", "errors.unknown_questionnaire") }
        let id = c.newID()
        let made = try c.write(.assignmentMade, about: therapy.id, object: id) { [now = c.now] connection in
            try AssignmentStore.insert(
                id, questionnaire: record.id, therapy: therapy.id, source: .therapist,
                from: draft.availableFrom,
                due: draft.dueAt, at: now, connection)
            return try AssignmentStore.find(id, inTherapy: therapy.id, connection)
        }
        guard let made else { throw Problem.notFound }
        return made
    }

    /// - Throws: `Problem.conflict` once it was answered; withdrawing twice is harmless.
    static func withdraw(_ id: String, _ c: Context<Caseload>) throws {
        let therapy = c.proof.patient.id
        guard let record = try c.read({ try AssignmentStore.find(id, inTherapy: therapy, $0) }) else {
            throw Problem.notFound
        }
        if record.withdrawnAt != nil { return }
        try c.write(.assignmentWithdrawn, about: therapy, object: id) { [now = c.now] connection in
            guard try AssignmentStore.withdraw(id, in: therapy, at: now, connection) else {
                throw Problem.conflict(Message("assignments.answered"))
            }
        }
    }

    /// - Parameter draft: what is filled in so far; progress counts the questions that are shown by then.
    static func wire(
        _ record: AssignmentRecord, _ questionnaire: QuestionnaireRecord, draft: Answers = [:],
        _ language: Language
    ) -> Assignment {
        let shown = questionnaire.definition.visibleSections(draft).flatMap(\.questions)
        let (total, answered) = (shown.count, shown.count { draft[$0.key] != nil })
        return Assignment(
            questionnaireID: record.questionnaireID, questionnaireKey: questionnaire.key,
            version: questionnaire.version, title: questionnaire.title(language),
            source: record.source.rawValue,
            availableFrom: record.availableFrom, dueAt: record.dueAt,
            progress: .init(answered: record.contributionID == nil ? answered : total, total: total))
    }
}
