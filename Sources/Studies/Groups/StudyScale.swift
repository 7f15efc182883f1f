import Database
import Instruments
import Questionnaires
import Records
import Wire
import Wording

/// A scale of one of a study's questionnaires.
package struct StudyScale: Sendable {
    package let key: String
    package let scale: String
    /// Of the questionnaire and the scale.
    package let title: String
    package let definition: Scale
    /// The time points at which its questionnaire stands.
    package let timePoints: [String]

    /// What stands for it in a form.
    package var id: String { "\(key)/\(scale)" }

    /// All of a study, in its order; of questionnaires out of use too.
    package static func all(
        in study: ID<Study>, _ language: Language, _ cache: QuestionnaireCache,
        _ connection: borrowing Connection
    ) throws -> [StudyScale] {
        let items = try StudyItemStore.all(in: study, connection)
        return try items.distinct.flatMap { item -> [StudyScale] in
            let timePoints = items.filter { $0.key == item.key }.compactMap(\.timePoint)
            let last = try QuestionnaireStore.versions(item.key, connection).first
            guard let record = try last.flatMap({ try QuestionnaireStore.find($0.id, cache, connection) })
            else { return [] }
            let words = record.definition.language(asked: language.rawValue)
            return record.definition.scales.map { scale in
                StudyScale(
                    key: item.key, scale: scale.key,
                    title: "\(record.title(language)): \(scale.title[words] ?? scale.key)", definition: scale,
                    timePoints: timePoints)
            }
        }
    }
}
