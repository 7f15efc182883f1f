import Records
import Web
import Wire
import Wording

/// The questionnaire in a path: a published version or a draft, by its id.
enum QuestionnairePath {
    /// Nil when the id is not a version's; it may be a draft's then.
    static func versionOrNil(_ c: Context<Member>) throws -> QuestionnaireRecord? {
        let id: ID<QuestionnaireVersion> = try c.id("questionnaire")
        return try c.read { try QuestionnaireStore.find(id, c.services.questionnaires, $0) }
    }

    /// - Throws: `Problem.notFound` when the id is not a version's.
    static func version(_ c: Context<Member>) throws -> QuestionnaireRecord {
        guard let record = try versionOrNil(c) else { throw Problem.notFound }
        return record
    }
}
