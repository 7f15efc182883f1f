import Database
import HTTP
import Secrets
import Wire

/// An answered questionnaire as it is stored; its answers sealed.
struct ContributionRecord: Sendable, FromRow {
    let id: String
    let accountID: String
    let therapyID: String?
    let assignmentID: String?
    let questionnaireID: String
    let startedAt: Instant
    let completedAt: Instant
    let receivedAt: Instant
    let timezone: String
    /// Questions answered, of those that were asked.
    let answered: Int
    let asked: Int
    private let sealedAnswers: [UInt8]
    private let sealedDetails: [UInt8]?

    init(row: borrowing Row) throws {
        (id, accountID, therapyID) = (try row["id"], try row["account_id"], try row["therapy_id"])
        (assignmentID, questionnaireID) = (try row["assignment_id"], try row["questionnaire_id"])
        (startedAt, completedAt) = (try row["started_at"], try row["completed_at"])
        (receivedAt, timezone) = (try row["received_at"], try row["timezone"])
        (answered, asked) = (try row["answered"], try row["asked"])
        (sealedAnswers, sealedDetails) = (try row["answers"], try row["details"])
    }

    /// The answers as they were written: a JSON object with every question, null where there was no answer.
    func answers(_ key: PersonKey) throws -> StoredJSON {
        StoredJSON(written: try key.openBytes(sealedAnswers, from: ContributionPlace.answers(accountID, id)))
    }

    /// Times of the single answers and sensors, nil when none were sent.
    func details(_ key: PersonKey) throws -> StoredJSON? {
        guard let sealedDetails else { return nil }
        return StoredJSON(
            written: try key.openBytes(sealedDetails, from: ContributionPlace.details(accountID, id)))
    }
}

/// Where the sealed fields of an answer sheet belong. Ids are unique per account only, so the account belongs in.
enum ContributionPlace {
    static func answers(_ account: String, _ id: String) -> Place {
        Place("contributions", account + "/" + id, "answers")
    }
    static func details(_ account: String, _ id: String) -> Place {
        Place("contributions", account + "/" + id, "details")
    }
}

/// A score as it is stored beside its sheet.
struct StoredScore: Sendable, FromRow {
    let contributionID: String
    let score: ScaleScore

    init(row: borrowing Row) throws {
        contributionID = try row["contribution_id"]
        score = ScaleScore(
            scale: try row["scale"], value: try row["value"], answered: try row["answered"],
            items: try row["items"],
            needed: try row["needed"])
    }
}

/// What a list tells of a sheet, without its answers.
struct SheetSummary: Sendable {
    let id: String
    let questionnaireID: String
    let completedAt: Instant
    /// Questions answered, of those that were asked.
    let answered: Int
    let asked: Int
    let isDaily: Bool
    let scores: [ScaleScore]
}

/// One score with its moment, for looking at a scale over time.
struct ScorePoint: Sendable, FromRow {
    let id: String
    let key: String
    let at: Instant
    let score: ScaleScore

    init(row: borrowing Row) throws {
        let stored = try StoredScore(row: row)
        (id, score) = (stored.contributionID, stored.score)
        (key, at) = (try row["key"], try row["completed_at"])
    }
}

extension AuditAction {
    static let contributionReceived = AuditAction(name: "contribution.received")
    static let contributionRead = AuditAction(name: "contribution.read")
}
