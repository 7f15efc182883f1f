import Database
import Instruments
import Questionnaires
import Records
import Wire
import Wording

/// A scale of one of a study's questionnaires, or of one that the participants' therapies may ask.
package struct StudyScale: Sendable {
    package let key: String
    package let scale: String
    /// Of the questionnaire and the scale.
    package let title: String
    package let definition: Scale
    /// The time points at which its questionnaire stands; of one of the therapy those at which the study does not ask it itself.
    package let timePoints: [String]
    package var source = TrialDesign.Outcome.Source.study
    /// Whether its questionnaire is a required baseline of the study.
    package var isBaseline = false

    /// What stands for it in a form.
    package var id: String { (source == .study ? "" : "\(source.rawValue)/") + "\(key)/\(scale)" }

    /// Whether an outcome is of it.
    package func isNamed(by outcome: TrialDesign.Outcome) -> Bool {
        key == outcome.key && scale == outcome.scale && source == outcome.source
    }

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
            let isBaseline = items.contains { $0.key == item.key && $0.isAwaitedByAll }
            return scales(of: record, timePoints, language).map { scale in
                var scale = scale
                scale.isBaseline = isBaseline
                return scale
            }
        }
    }

    private static func scales(
        of record: QuestionnaireRecord, _ timePoints: [String], _ language: Language
    ) -> [StudyScale] {
        let words = record.definition.language(asked: language.rawValue)
        return record.definition.scales.map { scale in
            StudyScale(
                key: record.key, scale: scale.key,
                title: "\(record.title(language)): \(scale.title[words] ?? scale.key)", definition: scale,
                timePoints: timePoints)
        }
    }

    /// What therapies may ask at the time points of a study: the scales of all questionnaires in use, and those that outcomes name.
    package static func ofTherapies(
        in study: StudyRecord, named groups: TrialDesign?, _ language: Language, _ cache: QuestionnaireCache,
        _ connection: borrowing Connection
    ) throws -> [StudyScale] {
        if study.timePoints.isEmpty { return [] }
        let known = try QuestionnaireStore.newest(cache, connection)
        let inUse = Set(known.map(\.key))
        let others = (groups?.ofTherapies ?? []).filter { !inUse.contains($0) }
        let retired = try others.compactMap { key in
            try QuestionnaireStore.versions(key, connection).first.flatMap {
                try QuestionnaireStore.find($0.id, cache, connection)
            }
        }
        let items = try StudyItemStore.all(in: study.id, connection)
        return (known + retired).flatMap { record -> [StudyScale] in
            let asked = Set(items.filter { $0.key == record.key }.compactMap(\.timePoint))
            let free = study.timePoints.map(\.key).filter { !asked.contains($0) }
            return scales(of: record, free, language).map { scale in
                var scale = scale
                scale.source = .therapy
                return scale
            }
        }
    }

    /// Those that the outcomes of a study name, of the study and of therapies.
    package static func named(
        by groups: TrialDesign?, in study: StudyRecord, _ language: Language, _ cache: QuestionnaireCache,
        _ connection: borrowing Connection
    ) throws -> [StudyScale] {
        guard let groups else { return [] }
        let own = try all(in: study.id, language, cache, connection)
        let therapies =
            groups.ofTherapies.isEmpty
            ? [] : try ofTherapies(in: study, named: groups, language, cache, connection)
        return (own + therapies).filter { scale in groups.outcomes.contains(where: scale.isNamed) }
    }
}
