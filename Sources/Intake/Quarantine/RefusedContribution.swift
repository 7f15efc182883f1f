import Identity
import Instruments
import JSON
import Questionnaires
import Records
import Responses
import Web
import Wire
import Wording

/// A refused sheet as those see it who decide about it: a therapist, or the leads of a study.
package protocol RefusedContribution: Sendable {
    var record: QuarantinedRecord { get }
    /// The body as it was sent.
    var json: JSON { get }
    /// Nil when what was sent cannot be read at all any more.
    var submission: Submission? { get }
    /// What it would be stored as an answer to.
    var questionnaire: QuestionnaireRecord? { get }
    var answers: Answers { get }
    /// Why it cannot be admitted; nil when it can.
    var obstacle: Message? { get }
    /// When it counts as completed.
    var completedAt: Instant? { get }
    /// What the leads of a study know the person by; nil for therapists.
    var codename: String? { get }
}

extension RefusedContribution {
    /// Stores it and notes the decision, in one transaction.
    /// - Parameter asks: whether values of a sensor are asked for; of those, what is switched off by now is dropped.
    /// - Throws: `Problem.conflict` when it cannot be stored, or somebody has decided already.
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
    package let id: ID<QuarantinedRecord>
    /// Where its forms are sent.
    package let path: String
    package let title: String
    package let reason: String
    package let facts: [String]
    package let lines: [Line]
    package let contentLanguage: String
    /// What admitting it would do; nil when it cannot be admitted.
    package let effect: String?
    package let obstacle: String?

    package static let example = HeldSheet(
        id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a12",
        path:
            "/patients/7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11/quarantine/7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a12",
        title: "ISF-K", reason: "Uhr", facts: ["eingegangen heute 12:41"],
        lines: [Line(question: "Wie oft?", answer: "oft")], contentLanguage: "de",
        effect: "Zählt als heute 12:41", obstacle: nil)

    private init(
        id: ID<QuarantinedRecord>, path: String, title: String, reason: String, facts: [String],
        lines: [Line],
        contentLanguage: String, effect: String?, obstacle: String?
    ) {
        self.id = id
        self.path = path
        self.title = title
        self.reason = reason
        self.facts = facts
        self.lines = lines
        self.contentLanguage = contentLanguage
        self.effect = effect
        self.obstacle = obstacle
    }

    /// - Parameter base: the path of the list it stands in.
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
            id: record.id, path: "\(base)/\(record.id)", title: Self.title(sheet, c),
            reason: texts["quarantine.reason_\(record.reason.rawValue)"], facts: facts,
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
        case .contradiction: return c.texts["quarantine.effect_contradiction", when]
        case .unknownVersion:
            let version = String(sheet.questionnaire?.version ?? 0)
            return c.texts["quarantine.effect_version", ["n": version]]
        }
    }

    /// The answers in the words of the questionnaire where they fit it, else as they were sent.
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

/// A refused sheet that was discarded and can still be brought back.
package struct DiscardedSheet: Encodable, Sendable {
    package let path: String
    package let title: String
    package let reason: String
    package let facts: [String]

    package static let example = DiscardedSheet(
        HeldSheet.example, facts: ["verworfen heute"])

    private init(_ held: HeldSheet, facts: [String]) {
        self.path = held.path
        self.title = held.title
        self.reason = held.reason
        self.facts = facts
    }

    /// - Parameter base: the path of the list it stands in.
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
