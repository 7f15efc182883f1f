import Contributions
import Records
import Templates
import Therapies
import Web
import Wire
import Wording

/// Answers of one sheet that have to be seen, as one entry (PR-27): what was answered, why it matters, what to do.
package struct RiskAnswer: Encodable, Sendable {
    /// A question with its answer, and the answers to it before.
    package struct Asked: Encodable, Sendable {
        let key: String
        package let question: String
        /// The same in quotation marks.
        let quoted: String
        package let answer: String
        /// From which answer on it has to be seen.
        let trigger: String
        /// The latest first, in words with their days; nil before the first.
        let before: String?
        let earlier: [Earlier]
    }

    struct Earlier: Encodable, Sendable {
        let at: Instant
        let answer: String
    }

    /// The mark of an entry that was just settled.
    struct Settled: Encodable, Sendable {
        let words: String
        let at: Instant
        /// The name of the account.
        let by: String?
    }

    package let sheet: ID<ContributionRecord>
    package let patient: ID<Therapy>
    package let name: PatientName
    package let title: WrittenText
    let when: String
    /// How the reader stands in; nil for the therapist.
    let standing: String?
    /// How long it has been unseen, and how loud that is said.
    let age: String
    let tone: String
    package let asked: [Asked]
    /// The reactions that fired on it.
    package let reasons: [String]
    let hasReasons: Bool
    /// What their authors advise, after the call that each entry asks for.
    let steps: [String]
    let unseenSince: Instant
    let settled: Settled?
    let emergency: EmergencyOffer
    let field: FieldView?
    /// The number of entries that a mark settles, where it is more than this one.
    let settles: String?

    package var isSettled: Bool { settled != nil }

    /// Question and answer, one a line.
    package func lines(_ texts: Texts) -> [String] {
        asked.map { texts["seen.line", ["question": $0.question, "answer": $0.answer]] }
    }

    /// The sheet.
    package let path: String

}

/// How the reader of an entry gets to the emergency contact (PR-29).
package struct EmergencyOffer: Encodable, Sendable {
    /// The page of the contact, for the therapist.
    let page: String?
    let isThere: Bool
    /// Where a colleague who stands in says the reason.
    let opening: String?
}
