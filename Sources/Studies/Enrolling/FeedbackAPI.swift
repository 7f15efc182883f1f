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
            var groups: [ID<Study>: Group] = [:]
            var own: [ID<Study>: EnrolmentRecord] = [:]
            for enrolment in try EnrolmentStore.all(of: account, connection)
            where enrolment.state == .enrolled {
                let study = enrolment.studyID
                own[study] = enrolment
                // Left out of the comparison: participants without consent, and the account's own earlier time here.
                let told = try EnrolmentStore.consenting(in: study, connection).filter {
                    $0.accountID != account
                }
                groups[study] = Group(
                    means: try StudyContributionStore.enrolmentMeans(in: study, connection),
                    own: enrolment.id,
                    others: Dictionary(uniqueKeysWithValues: told.map { ($0.id, $0.accountID) }))
            }
            let asked = try StudyItemStore.all(of: account, connection).filter { item in
                own[item.studyID].map(item.asks) ?? false
            }
            return try asked.distinct.compactMap { item in
                try groups[item.studyID].flatMap { try feedback(on: item, $0, c, connection) }
            }
        }
    }

    /// The means of a study, with the own enrolment and the accounts of the others' enrolments.
    private struct Group {
        let means: [StudyContributionStore.EnrolmentMean]
        let own: ID<Enrolment>
        let others: [ID<Enrolment>: ID<Account>]

        /// A value for each of the others, however often they enrolled: the mean over all their sheets.
        func levels(_ key: String, _ scale: String) -> [Double] {
            var sums: [ID<Account>: (value: Double, sheets: Int)] = [:]
            for mean in means where mean.key == key && mean.scale == scale {
                guard let account = others[mean.enrolment] else { continue }
                let known = sums[account] ?? (0, 0)
                sums[account] = (known.value + mean.mean * Double(mean.sheets), known.sheets + mean.sheets)
            }
            return sums.values.map { $0.value / Double($0.sheets) }
        }
    }

    private static func feedback(
        on item: StudyItem, _ group: Group, _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> Item<Feedback>? {
        let record = try QuestionnaireStore.newest(item.key, c.services.questionnaires, connection)
        guard let record, let scale = record.definition.scales.first else { return nil }
        let own = group.means.first {
            $0.enrolment == group.own && $0.key == item.key && $0.scale == scale.key
        }
        let others = group.levels(item.key, scale.key)
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
