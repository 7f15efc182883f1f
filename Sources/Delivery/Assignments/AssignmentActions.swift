import Instruments
import Questionnaires
import Records
import Therapies
import Web
import Wire
import Wording

/// Assigning and withdrawing by hand, for page and call alike.
package enum AssignmentActions {
    /// - Throws: `Problem` for an unknown questionnaire and for a therapy that has ended.
    static func make(_ draft: AssignmentDraft, _ c: Context<Caseload>) throws -> AssignmentRecord {
        let therapy = c.proof.patient
        guard therapy.endedAt == nil else { throw Problem.conflict(Message("assignments.therapy_ended")) }
        let record = try c.read { connection in
            try QuestionnaireStore.newest(draft.questionnaireKey, c.services.questionnaires, connection)
        }
        guard let record else { throw Problem.invalid("questionnaire_key", "errors.unknown_questionnaire") }
        try Permission.require(for: [record.key], isConfirmed: draft.isPermissionConfirmed, c)
        let id: ID<Assignment> = c.newID()
        let change = try c.change(of: try therapy.key(c.keys), to: draft.words(record.key))
        let made = try c.write(.assignmentMade, about: therapy.id, object: id, change: change) {
            [now = c.now, cache = c.services.questionnaires] connection in
            if record.definition.mode == .living {
                let isThere = try AssignmentStore.all(in: therapy.id, connection).contains { given in
                    let known = try QuestionnaireStore.find(given.questionnaireID, cache, connection)
                    return given.withdrawnAt == nil && known?.key == record.key
                }
                if isThere { throw Problem.invalid("questionnaire_key", "assignments.profile_there") }
            }
            try AssignmentStore.insert(
                id, questionnaire: record.id, therapy: therapy.id, source: .therapist,
                from: draft.availableFrom,
                due: draft.dueAt, at: now, connection)
            return try AssignmentStore.find(id, inTherapy: therapy.id, connection)
        }
        guard let made else { throw Problem.notFound }
        return made
    }

    /// Assigns a battery as one: all of it or nothing, in order.
    /// - Throws: `Problem` for an unknown battery, one without a questionnaire in use, and an ended therapy.
    static func make(_ draft: BatteryAssignmentDraft, _ c: Context<Caseload>) throws -> [AssignmentRecord] {
        let therapy = c.proof.patient
        guard therapy.endedAt == nil else { throw Problem.conflict(Message("assignments.therapy_ended")) }
        let records = try c.read { connection -> [QuestionnaireRecord] in
            guard let battery = try BatteryStore.find(draft.batteryID, connection) else {
                throw Problem.invalid("battery_id", "batteries.unknown")
            }
            return try battery.keys.compactMap {
                try QuestionnaireStore.newest($0, c.services.questionnaires, connection)
            }
        }
        if records.isEmpty { throw Problem.invalid("battery_id", "batteries.nothing_in_use") }
        try Permission.require(for: records.map(\.key), isConfirmed: draft.isPermissionConfirmed, c)
        let ids: [ID<Assignment>] = records.map { _ in c.newID() }
        let words = [
            "questionnaire": records.map(\.key).joined(separator: ", "),
            "available_from": draft.availableFrom.text, "due_at": draft.dueAt.text,
        ]
        let change = try c.change(of: try therapy.key(c.keys), to: words)
        return try c.write(.assignmentMade, about: therapy.id, object: draft.batteryID, change: change) {
            [now = c.now] connection in
            for (position, (id, record)) in zip(ids, records).enumerated() {
                try AssignmentStore.insert(
                    id, questionnaire: record.id, therapy: therapy.id, source: .therapist,
                    from: draft.availableFrom, due: draft.dueAt, at: now, battery: draft.batteryID,
                    position: position, connection)
            }
            return try ids.compactMap { try AssignmentStore.find($0, inTherapy: therapy.id, connection) }
        }
    }

    /// - Throws: `Problem.conflict` once it was answered; withdrawing twice is harmless.
    static func withdraw(_ id: ID<Assignment>, _ c: Context<Caseload>) throws {
        let therapy = c.proof.patient.id
        guard let record = try c.read({ try AssignmentStore.find(id, inTherapy: therapy, $0) }) else {
            throw Problem.notFound
        }
        if record.withdrawnAt != nil { return }
        let change = try c.change(
            of: try c.proof.patient.key(c.keys), from: ["due_at": record.dueAt.text])
        try c.write(.assignmentWithdrawn, about: therapy, object: id, change: change) {
            [now = c.now] connection in
            guard try AssignmentStore.withdraw(id, in: therapy, at: now, connection) else {
                throw Problem.conflict(Message("assignments.answered"))
            }
        }
    }

    /// Undoes a withdrawal.
    /// - Throws: `Problem.conflict` for one that is not withdrawn, and when the therapy has ended; `.gone` when its
    ///   time is over.
    static func bringBack(_ id: ID<Assignment>, _ c: Context<Caseload>) throws {
        let therapy = c.proof.patient
        if therapy.endedAt != nil { throw Problem.conflict(Message("assignments.therapy_ended")) }
        try c.write(.assignmentReturned, about: therapy.id, object: id) { [now = c.now] connection in
            guard let record = try AssignmentStore.find(id, inTherapy: therapy.id, connection) else {
                throw Problem.notFound
            }
            if record.withdrawnAt == nil || record.isWithdrawnByPlan {
                throw Problem.conflict(Message("assignments.not_withdrawn"))
            }
            if record.dueAt <= now { throw Problem.gone(Message("assignments.return_late")) }
            try AssignmentStore.bringBack(id, in: therapy.id, connection)
        }
    }

    /// - Parameter draft: the answers so far; progress counts the questions shown by then.
    package static func wire(
        _ record: AssignmentRecord, _ questionnaire: QuestionnaireRecord, draft: Answers = [:],
        _ readers: [Language]
    ) -> Assignment {
        let shown = questionnaire.definition.visibleSections(draft).flatMap(\.questions)
        let total = shown.count
        let answered = shown.count { draft[$0.key] != nil }
        return Assignment(
            questionnaireID: record.questionnaireID.text, questionnaireKey: questionnaire.key,
            version: questionnaire.version, title: questionnaire.title(readers),
            source: record.source.rawValue,
            availableFrom: record.availableFrom, dueAt: record.dueAt,
            progress: .init(answered: record.contributionID == nil ? answered : total, total: total))
    }
}

extension AuditAction {
    static let assignmentReturned = AuditAction(name: "assignment.returned")
}

extension Undo {
    static let assignment = Undo(
        by: "/patients/:patient/assignments/:assignment/return", shown: "/patients/:patient/assignments",
        AssignmentStore.revision)
}

extension AssignmentDraft {
    /// Its values in the audit log.
    fileprivate func words(_ key: String) -> [String: String] {
        ["questionnaire": key, "available_from": availableFrom.text, "due_at": dueAt.text]
    }
}
