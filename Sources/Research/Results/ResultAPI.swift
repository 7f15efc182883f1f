import HTTP
import Instruments
import Psychometrics
import Studies
import Web
import Wire

/// Means of scales over all participants, and outcomes by group, for leads.
enum ResultAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .get, "/studies/:study/results", .studyLead,
            .many("Means over persons, scale by scale", StudyResult.self), results)
        routes.call(
            .get, "/studies/:study/comparisons", .studyLead,
            .many("The outcomes by group, with effect sizes", StudyComparison.self), comparisons)
    }

    @Sendable static func results(_ c: Context<StudyLead>) throws -> Reply {
        let paging = try Paging(c.request)
        let study = c.proof.study.id
        let all = try c.read { connection -> [Item<StudyResult>] in
            let people = try EnrolmentStore.consenting(in: study, connection)
            let scales = try StudyScale.all(in: study, c.language, c.services.questionnaires, connection)
            let weeks = try ScaleMeans.weeks(in: study, of: people, connection)
            return scales.map { scale in
                let means = ScaleMeans(weeks[scale.id] ?? [])
                return Item(
                    id: DerivedID.of("result", study, scale.id),
                    StudyResult(
                        questionnaireKey: scale.key, scale: scale.scale, title: scale.title,
                        mean: means.spread?.mean, deviation: means.spread?.deviation, people: means.people,
                        sheets: means.sheets))
            }
        }
        return try .data(paging.part(of: all))
    }

    @Sendable static func comparisons(_ c: Context<StudyLead>) throws -> Reply {
        let paging = try Paging(c.request)
        let study = c.proof.study.id
        let all = try c.read { connection -> [Item<StudyComparison>] in
            guard let groups = try GroupStore.find(study, connection)?.groups else { return [] }
            let people = try EnrolmentStore.consenting(in: study, connection)
            return try GroupComparison.all(groups, in: study, of: people, connection).map { comparison in
                let outcome = comparison.outcome
                let when = outcome.day.map { String($0) } ?? outcome.timePoint ?? ""
                // Of one questionnaire at one time point there is one: of the study, or of the therapy.
                let id = DerivedID.of("comparison", study, outcome.key, outcome.scale, when)
                return Item(id: id, comparison.wire)
            }
        }
        return try .data(paging.part(of: all))
    }
}

extension GroupComparison {
    var wire: StudyComparison {
        let measure = { (values: [Double]) in
            SampleStatistics(values).map { StudyComparison.Measure(mean: $0.mean, deviation: $0.deviation) }
        }
        return StudyComparison(
            questionnaireKey: outcome.key, scale: outcome.scale, day: outcome.day,
            timePoint: outcome.timePoint, value: outcome.value?.rawValue, source: outcome.source.rawValue,
            isPrimary: outcome.isPrimary,
            arms: arms.map {
                .init(
                    arm: $0.arm.rawValue, people: $0.people, notApplicable: $0.excluded, n: $0.ends.count,
                    begin: measure($0.begins), end: measure($0.ends), change: measure($0.changes))
            },
            effects: effects.map {
                .init(against: $0.arm.rawValue, g: $0.effect?.g, low: $0.effect?.low, high: $0.effect?.high)
            })
    }
}
