import HTTP
import Instruments
import JSON
import Questionnaires
import Records
import Scheduling
import Web
import Wire
import Wording

/// A questionnaire filled in on paper, as entered by staff. Made only by reading.
package struct PaperDraft: Sendable {
    package let completedAt: Instant
    package let answers: Answers

    /// From the API.
    /// - Throws: `Problem.invalid` for answers that do not fit, and for a moment in the future.
    package static func read(
        json fields: InputReader, _ definition: QuestionnaireDefinition, now: Instant
    ) throws(Problem) -> PaperDraft {
        let answers = fields.value("answers")
        if answers == nil { fields.refuse("answers", "errors.required") }
        return try made(fields, fields.time("completed_at", required: true), answers, definition, now)
    }

    /// From the portal's form.
    /// - Throws: as from the API.
    package static func read(
        form: Form, _ definition: QuestionnaireDefinition, _ zone: Zone, now: Instant
    ) throws(Problem) -> PaperDraft {
        let fields = InputReader(form: form)
        if fields.value("completed_at") == nil { fields.refuse("completed_at", "errors.required") }
        let completed = fields.moment("completed_at", zone)
        // Answers to questions hidden by others do not count, whatever is on the paper.
        let typed = PhoneAnswers.read(form, definition)
        let half = try? definition.readAnswers(typed, isHalf: true)
        let shown = half.map { Set(definition.visibleSections($0).flatMap(\.questions).map(\.key)) }
        let kept = half.map { half in half.filter { shown?.contains($0.key) ?? false } }
        let json = kept.map { PhoneAnswers.json($0, definition) } ?? typed
        return try made(fields, completed, json, definition, now)
    }

    private static func made(
        _ fields: InputReader, _ completed: Instant?, _ json: JSON?, _ definition: QuestionnaireDefinition,
        _ now: Instant
    ) throws(Problem) -> PaperDraft {
        if let completed, completed.seconds > now.adding(seconds: Submission.clockSlackSeconds).seconds {
            fields.refuse("completed_at", "errors.future")
        }
        var answers: Answers = [:]
        if let json {
            do { answers = try definition.readAnswers(json) } catch { fields.refuse(error) }
        }
        try fields.finish()
        guard let completed else { throw .invalid(fields.errors) }
        return PaperDraft(completedAt: completed, answers: answers)
    }

    /// As stored: begun when it was completed, because paper does not tell.
    package func submission(_ timezone: String) -> Submission {
        Submission(
            reason: .paper, startedAt: completedAt, completedAt: completedAt, timezone: timezone,
            answers: nil,
            details: nil)
    }
}

extension AuditAction {
    package static let paperEntered = AuditAction(name: "contribution.entered")
}
