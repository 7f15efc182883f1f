import Database
import JSON
import Questionnaires
import Records
import Therapies
import Web
import Wire

/// An answered questionnaire as stored; its answers are sealed.
package struct ContributionRecord: Sendable, FromRow {
    package let id: ID<ContributionRecord>
    package let accountID: ID<Account>
    package let therapyID: ID<Therapy>?
    package let studyID: ID<Study>?
    package let assignmentID: ID<Assignment>?
    package let questionnaireID: ID<QuestionnaireVersion>
    package let startedAt: Instant
    package let completedAt: Instant
    package let receivedAt: Instant
    package let zone: DeviceZone
    package var timezone: String { zone.name }
    /// Questions answered, of those that were asked.
    package let answered: Int
    package let asked: Int
    /// The window of a daily that the device planned itself.
    let dailyFrom: Instant?
    let dailyDue: Instant?
    /// Whether another sheet counts for this period of the day.
    package let isExtra: Bool
    /// When staff admitted it from quarantine.
    package let admittedAt: Instant?
    /// Filled in on paper, and the member of staff who entered it.
    package let isPaper: Bool
    package let enteredBy: ID<Account>?
    /// Filled in behind a link, on any device.
    package let isOnSite: Bool
    /// Whether one of its answers must be seen (PR-11), and when a therapist has marked it as seen.
    package let mustBeSeen: Bool
    package let seenAt: Instant?
    package let seenBy: ID<Account>?
    /// The prompt of a study that it answers; nil for one filled in at will.
    package let promptedAt: Instant?
    /// Which of a study's questionnaires it answers; nil in a therapy, and from before sheets said so.
    package let itemID: String?
    /// What it is about, where its participant has noted that with a button; nil for all others.
    package let eventID: ID<StudyEvent>?
    /// The version of the study's consent text it was given under; nil in a therapy.
    package let consentVersion: Int?
    /// Sensors whose values were dropped: the person had switched them off.
    package let sensorsDropped: [String]
    private let sealedAnswers: [UInt8]
    private let sealedDetails: [UInt8]?
    private let sealedComment: [UInt8]?

    package init(row: borrowing Row) throws {
        id = try row["id"]
        accountID = try row["account_id"]
        therapyID = try row["therapy_id"]
        studyID = try row["study_id"]
        assignmentID = try row["assignment_id"]
        questionnaireID = try row["questionnaire_id"]
        startedAt = try row["started_at"]
        completedAt = try row["completed_at"]
        receivedAt = try row["received_at"]
        zone = DeviceZone(name: try row["timezone"], word: try row["zone_word"])
        answered = try row["answered"]
        asked = try row["asked"]
        dailyFrom = try row["daily_from"]
        dailyDue = try row["daily_due"]
        isExtra = try row["extra"]
        admittedAt = try row["admitted_at"]
        isPaper = try row["is_paper"]
        enteredBy = try row["entered_by"]
        isOnSite = try row["on_site"]
        mustBeSeen = try row["must_be_seen"]
        seenAt = try row["seen_at"]
        seenBy = try row["seen_by"]
        sealedComment = try row["seen_comment"]
        promptedAt = try row["prompted_at"]
        itemID = try row["item_id"]
        eventID = try row["event_id"]
        consentVersion = try row["consent_version"]
        let dropped: String? = try row["sensors_dropped"]
        sensorsDropped = dropped?.split(separator: ",").map(String.init) ?? []
        sealedAnswers = try row["answers"]
        sealedDetails = try row["details"]
    }

    /// The answers as sent: a JSON object with every question, null without an answer.
    package func answers(_ key: PersonKey) throws -> StoredJSON {
        StoredJSON(written: try key.openBytes(sealedAnswers, from: ContributionPlace.answers(accountID, id)))
    }

    /// The word with which it was marked as seen.
    /// - Parameter key: the therapy's.
    package func seenComment(_ key: PersonKey) throws -> String? {
        guard let sealedComment, let therapyID else { return nil }
        return try key.open(sealedComment, from: ContributionPlace.seenComment(therapyID, id))
    }

    /// Times of single answers and sensors; nil when none were sent.
    package func details(_ key: PersonKey) throws -> StoredJSON? {
        guard let sealedDetails else { return nil }
        return StoredJSON(
            written: try key.openBytes(sealedDetails, from: ContributionPlace.details(accountID, id)))
    }
}

/// The places of a sheet's sealed fields. Ids are unique per account only, so the account belongs in.
package enum ContributionPlace {
    static func answers(_ account: ID<Account>, _ id: ID<ContributionRecord>) -> SealContext {
        SealContext("contributions", "\(account)/\(id)", "answers")
    }
    static func details(_ account: ID<Account>, _ id: ID<ContributionRecord>) -> SealContext {
        SealContext("contributions", "\(account)/\(id)", "details")
    }
    /// The therapist's word, under the therapy's key.
    package static func seenComment(_ therapy: ID<Therapy>, _ id: ID<ContributionRecord>) -> SealContext {
        SealContext("contributions", "\(therapy)/\(id)", "seen_comment")
    }
}

/// A score as stored beside its sheet. Read by index, because a page reads hundreds.
package struct StoredScore: Sendable, FromRow {
    package let contributionID: ID<ContributionRecord>
    package let score: ScaleScore

    /// The columns that a query for scores must select, first and in this order.
    package static let columns: SQL = """
        contribution_scores.contribution_id, contribution_scores.scale, contribution_scores.value,
        contribution_scores.answered, contribution_scores.items, contribution_scores.needed
        """

    package init(row: borrowing Row) throws {
        contributionID = try row[0]
        score = ScaleScore(
            scale: try row[1], value: try row[2], answered: try row[3], items: try row[4], needed: try row[5])
    }
}

/// A sheet in a list, without its answers.
package struct ContributionSummary: Sendable {
    package let id: ID<ContributionRecord>
    package let questionnaireID: ID<QuestionnaireVersion>
    package let completedAt: Instant
    /// Questions answered, of those that were asked.
    package let answered: Int
    package let asked: Int
    package let isDaily: Bool
    /// Whether another sheet counts for this period of the day.
    package let isExtra: Bool
    package let scores: [ScaleScore]
}

/// One score with its moment, for looking at a scale over time.
package struct ScorePoint: Sendable, FromRow {
    package let id: ID<ContributionRecord>
    package let key: String
    package let at: Instant
    package let score: ScaleScore

    package init(row: borrowing Row) throws {
        let stored = try StoredScore(row: row)
        id = stored.contributionID
        score = stored.score
        key = try row["key"]
        at = try row["completed_at"]
    }
}

/// Another statement was stored before. Carries the key of its sentence.
package struct Contradiction: Error {
    package let key: String
    package init(_ key: String) { self.key = key }
}

/// The time of completion is impossible. Carries the key of its sentence.
package struct WrongClock: Error {
    package let key: String
    package init(_ key: String) { self.key = key }
}

extension AuditAction {
    package static let contributionReceived = AuditAction(name: "contribution.received")
}

/// A recent sheet, as a line of a list.
package struct RecentContribution: Sendable, FromRow {
    package let codename: String
    package let therapy: ID<Therapy>
    package let id: ID<ContributionRecord>
    package let questionnaireID: ID<QuestionnaireVersion>
    package let completedAt: Instant
    /// The zone it was filled in.
    package let timezone: String
    package let answered: Int
    package let asked: Int

    package init(row: borrowing Row) throws {
        codename = try row["codename"]
        therapy = try row["therapy_id"]
        id = try row["id"]
        questionnaireID = try row["questionnaire_id"]
        completedAt = try row["completed_at"]
        timezone = try row["timezone"]
        answered = try row["answered"]
        asked = try row["asked"]
    }
}
