import Database
import Questionnaires
import Records
import Web
import Wording

/// What a version that is about to be published makes of the figures that its key has already (RP-32), in sentences.
enum ChangedMeanings {
    static func messages(_ definition: QuestionnaireDefinition, _ c: Context<Member>) throws -> [Message] {
        try c.read { try messages(definition, c.services, c.language, $0) }
    }

    static func messages(
        _ definition: QuestionnaireDefinition, _ services: Services, _ language: Language,
        _ connection: borrowing Connection
    ) throws -> [Message] {
        let newest = try QuestionnaireStore.versions(definition.key, connection).first
        let before = try newest.flatMap {
            try QuestionnaireStore.find($0.id, services.questionnaires, connection)
        }
        guard let before else { return [] }
        let yesNo = ["contributions.no", "contributions.yes"].map { services.sentence($0) }
        return ChangedMeaning.all(
            from: before.definition, to: definition, in: language.rawValue, yesNo: yesNo
        ).map { change in
            var values = ["question": change.question, "before": change.before, "after": change.after]
            values["version"] = String(before.version)
            guard let value = change.value else { return Message("editor.meaning_question", values) }
            values["value"] = FilePieces.words(value)
            return Message("editor.meaning_value", values)
        }
    }

    /// Those of a draft that could be published as it is.
    static func words(_ draft: DraftDocument, _ c: Context<Member>) throws -> [String] {
        guard case .success(let definition) = draft.read() else { return [] }
        return try messages(definition, c).map { c.texts[$0] }
    }
}
