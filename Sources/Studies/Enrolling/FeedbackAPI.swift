import Database
import HTTP
import Identity
import Instruments
import Psychometrics
import Questionnaires
import Records
import Web
import Wire
import Wording

/// Feedback to participants on their own answers, beside those of the others (TYS-8).
package enum FeedbackAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .get, "/my/feedback", .patient,
            .many("The own level in studies beside the others', from ten others on", Feedback.self), index)
    }

    /// A smaller group could reveal single participants.
    static let leastOthers = 10

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let paging = try Paging(c.request)
        return try .data(paging.part(of: try all(c)))
    }

    /// Every questionnaire of the own studies, for page and call alike.
    package static func all(_ c: Context<Member>) throws -> [Item<Feedback>] {
        let account = c.proof.account.id
        return try c.read { connection -> [Item<Feedback>] in
            var means: [ID<Study>: [StudyContributionStore.PersonMean]] = [:]
            var own: [ID<Study>: ID<Enrolment>] = [:]
            for enrolment in try EnrolmentStore.all(of: account, connection)
            where enrolment.state == .enrolled {
                let study = enrolment.studyID
                own[study] = enrolment.id
                // Left out of the comparison: participants without consent, and the account's own earlier time here.
                let told = try EnrolmentStore.consenting(in: study, connection).filter {
                    $0.accountID != account
                }
                let ids = Set(told.map(\.id) + [enrolment.id])
                means[study] = try StudyContributionStore.personMeans(in: study, connection).filter {
                    ids.contains($0.enrolment)
                }
            }
            return try StudyItemStore.all(of: account, connection).compactMap { item in
                try feedback(on: item, means[item.studyID] ?? [], own[item.studyID] ?? "", c, connection)
            }
        }
    }

    private static func feedback(
        on item: StudyItem, _ means: [StudyContributionStore.PersonMean], _ enrolment: ID<Enrolment>,
        _ c: Context<Member>,
        _ connection: borrowing Connection
    ) throws -> Item<Feedback>? {
        let record = try QuestionnaireStore.newest(item.key, c.services.questionnaires, connection)
        guard let record, let scale = record.definition.scales.first else { return nil }
        let fitting = means.filter { $0.key == item.key && $0.scale == scale.key }
        let own = fitting.first { $0.enrolment == enrolment }
        let others = fitting.filter { $0.enrolment != enrolment }.map(\.mean)
        let quartiles = others.count < leastOthers ? nil : Quartiles(others)
        let language = record.definition.language(asked: c.languages)
        return Item(
            id: item.id,
            Feedback(
                studyID: item.studyID.text, questionnaireKey: item.key, title: record.title(c.languages),
                scale: scale.title[language] ?? scale.key, level: own?.mean, sheets: own?.sheets ?? 0,
                distribution: quartiles.map {
                    .init(
                        participants: others.count, lowerQuartile: $0.lower, median: $0.median,
                        upperQuartile: $0.upper)
                }, text: words(own?.mean, quartiles, c.texts)))
    }

    private static func words(_ level: Double?, _ quartiles: Quartiles?, _ texts: Texts) -> String {
        guard let level else { return texts["studies.feedback_none"] }
        guard let quartiles else { return texts["studies.feedback_few", ["n": String(leastOthers)]] }
        if level < quartiles.lower { return texts["studies.feedback_low"] }
        return texts[level > quartiles.upper ? "studies.feedback_high" : "studies.feedback_middle"]
    }
}
