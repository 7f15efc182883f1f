import Contributions
import Identity
import Instruments
import JSON
import Questionnaires
import Records
import Web
import Wire
import Wording

/// A refused sheet for its decider: a therapist, or the leads of a study.
package protocol RefusedContribution: Sendable {
    var record: QuarantinedRecord { get }
    /// The body as sent.
    var json: JSON { get }
    /// Nil when the content cannot be read at all.
    var submission: Submission? { get }
    /// The questionnaire it would be stored for.
    var questionnaire: QuestionnaireRecord? { get }
    var answers: Answers { get }
    /// Why it cannot be admitted; nil when it can.
    var obstacle: Message? { get }
    /// The time of completion that counts.
    var completedAt: Instant? { get }
    /// Whether it was completed in its window, and came after its schedule's grace.
    var isArrivalLate: Bool { get }
    /// The participant's codename, for the leads of a study; nil for therapists.
    var codename: String? { get }
}

extension RefusedContribution {
    /// What a therapy asks has no grace.
    package var isArrivalLate: Bool { false }

    /// Why it lies here, as pages name it.
    fileprivate var reasonName: String { isArrivalLate ? "late" : record.reason.rawValue }

    /// Stores it and notes the decision, in one transaction.
    /// - Parameter asks: whether values of a sensor are asked for; those of sensors switched off by now are dropped.
    /// - Throws: `Problem.conflict` when it cannot be stored, or was decided already.
    func admit(
        for occasion: Occasion, by staff: ID<Account>, asks: (String) -> Bool, _ c: Context<some Sendable>
    ) throws {
        guard let submission, let completedAt,
            let account = try c.read({ try AccountStore.find(record.accountID, $0) })
        else { throw Problem.notFound }
        let dropped = submission.sensors.filter { !asks($0) || !account.hasSwitchedOn($0) }
        let counted = try submission.shifted(to: completedAt).without(sensors: dropped)
        let arrival = Arrival.quarantine(record, by: staff)
        var sheet = try occasion.sheet(
            counted, id: record.admittedID, answers: answers, of: account.id, from: arrival, at: c.now)
        sheet.sensorsDropped = dropped
        let new = IncomingContribution(sheet: sheet, key: try account.key(c.keys))
        _ = try Intake.take(new, for: occasion, from: arrival, c)
    }

    var wire: QuarantinedSheet<JSON> {
        QuarantinedSheet(
            contributionID: record.contributionID.text, reason: record.reason.rawValue,
            questionnaireKey: questionnaire?.key, receivedAt: record.receivedAt,
            completedAt: submission?.completedAt, discardedAt: record.decidedAt, codename: codename,
            admissible: obstacle == nil, answers: json["answers"] ?? .object([]))
    }
}

/// A refused sheet on a page.
package struct HeldSheet: Encodable, Sendable {
    package struct Line: Encodable, Sendable {
        package let question: String
        package let answer: String
    }
    /// The address of its forms.
    package let path: String
    package let title: String
    package let reason: String
    package let facts: [String]
    package let lines: [Line]
    package let contentLanguage: String
    /// The effect of admitting it; nil when it cannot be admitted.
    package let effect: String?
    package let obstacle: String?

    private init(
        path: String, title: String, reason: String, facts: [String], lines: [Line], contentLanguage: String,
        effect: String?, obstacle: String?
    ) {
        self.path = path
        self.title = title
        self.reason = reason
        self.facts = facts
        self.lines = lines
        self.contentLanguage = contentLanguage
        self.effect = effect
        self.obstacle = obstacle
    }

    /// - Parameter base: the path of its list.
    package init(_ sheet: some RefusedContribution, in base: String, _ c: Context<some Sendable>) {
        let texts = c.texts
        let record = sheet.record
        let dates = c.dates
        let language = sheet.questionnaire?.definition.language(asked: c.language.rawValue) ?? "de"
        var facts = [sheet.codename].compactMap(\.self)
        facts.append(texts["contributions.received", ["when": dates.dayAndTime(record.receivedAt)]])
        if let submission = sheet.submission {
            facts.append(texts["quarantine.completed", ["when": dates.dayAndTime(submission.completedAt)]])
        }
        self.init(
            path: "\(base)/\(record.id)", title: Self.title(sheet, c),
            reason: texts["quarantine.reason_\(sheet.reasonName)"], facts: facts,
            lines: Self.lines(sheet, language, c), contentLanguage: language,
            effect: sheet.obstacle == nil ? Self.effect(sheet, c) : nil,
            obstacle: sheet.obstacle.map { texts[$0] })
    }

    private static func title(_ sheet: some RefusedContribution, _ c: Context<some Sendable>) -> String {
        sheet.questionnaire?.title(c.language) ?? c.texts["quarantine.unknown"]
    }

    private static func effect(_ sheet: some RefusedContribution, _ c: Context<some Sendable>) -> String {
        let when = ["when": sheet.completedAt.map(c.dates.dayAndTime) ?? ""]
        switch sheet.record.reason {
        case .clock:
            let isLate = sheet.completedAt.map { $0 < sheet.record.receivedAt } ?? false
            return c.texts[isLate ? "quarantine.effect_clock_late" : "quarantine.effect_clock", when]
        case .ended: return c.texts["quarantine.effect_\(sheet.reasonName)", when]
        case .contradiction: return c.texts["quarantine.effect_contradiction", when]
        case .unknownVersion:
            let version = String(sheet.questionnaire?.version ?? 0)
            return c.texts["quarantine.effect_version", ["n": version]]
        }
    }

    /// The answers in the words of the questionnaire where they fit it, else as sent.
    private static func lines(
        _ sheet: some RefusedContribution, _ language: String, _ c: Context<some Sendable>
    ) -> [Line] {
        guard sheet.obstacle == nil, let definition = sheet.questionnaire?.definition else {
            guard case .object(let members)? = sheet.json["answers"] else { return [] }
            return members.prefix(200).map { member in
                let bytes = (try? JSONWriter.bytes(of: member.value)) ?? []
                return Line(
                    question: String(member.key.prefix(60)),
                    answer: String(String(decoding: bytes, as: UTF8.self).prefix(500)))
            }
        }
        return definition.questions.compactMap { question in
            sheet.answers[question.key].map { answer in
                let words = ContributionPages.words(answer, question, language, c.texts, c.dates)
                return Line(question: question.text[language] ?? question.key, answer: words)
            }
        }
    }
}

/// A discarded sheet that can still be brought back.
package struct DiscardedSheet: Encodable, Sendable {
    package let path: String
    package let title: String
    package let reason: String
    package let facts: [String]

    private init(_ held: HeldSheet, facts: [String]) {
        self.path = held.path
        self.title = held.title
        self.reason = held.reason
        self.facts = facts
    }

    /// - Parameter base: the path of its list.
    package init(_ sheet: some RefusedContribution, in base: String, _ c: Context<some Sendable>) {
        let decided = sheet.record.decidedAt ?? sheet.record.receivedAt
        let last = decided.adding(days: Quarantine.returnDays)
        let facts = [
            sheet.codename, c.texts["quarantine.discarded_at", ["when": c.dates.dayAndTime(decided)]],
            c.texts["quarantine.kept_until", ["day": c.dates.day(last)]],
        ]
        self.init(HeldSheet(sheet, in: base, c), facts: facts.compactMap(\.self))
    }
}
