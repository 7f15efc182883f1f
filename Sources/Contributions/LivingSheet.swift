import JSON
import Questionnaires
import Records
import Wire

/// A sheet that is continued (SN-4): the latest answer to every question and when it was given or taken back. It is
/// stored like every other sheet; the times of its answers show which is the later.
package enum LivingSheet {
    /// The present answers of a sheet, with those taken back.
    package static func state(of record: ContributionRecord, _ key: PersonKey) throws -> DraftAnswers {
        let answers = try JSON.parse(try record.answers(key).bytes)
        let details = try record.details(key).map { try JSON.parse($0.bytes) }
        let stored = JSON.array([answers, details?["answered_at"] ?? .object([])])
        return try DraftAnswers(stored: try JSONWriter.bytes(of: stored), updatedAt: record.completedAt)
    }

    /// The times beside the answers, as a sheet stores them.
    package static func details(_ state: DraftAnswers) throws -> [UInt8]? {
        try SubmissionDetails.bytes(times: state.times, sensors: nil)
    }

    /// Merges new answers. The answer to a question that becomes hidden is taken back, with those that depend on it.
    package static func merge(
        _ changes: [String: DraftAnswers.Change], into state: inout DraftAnswers,
        _ definition: QuestionnaireDefinition, at now: Instant
    ) {
        // The same answer is no change, and a missing answer cannot be taken back.
        let before = state
        state.merge(changes.filter { before.items[$0.key]?.answer != $0.value.answer }, at: now)
        guard definition.isConditional else { return }
        let shown = Set(definition.visibleSections(state.answers).flatMap(\.questions).map(\.key))
        let hidden = state.answers.keys.filter { !shown.contains($0) }
        state.merge(Dictionary(uniqueKeysWithValues: hidden.map { ($0, .init(nil)) }), at: now)
    }
}

package struct LivingChange: Sendable {
    /// The id from the device identifies a change that is sent again.
    package let id: ID<ContributionRecord>
    package let sheet: ID<ContributionRecord>
    package let account: ID<Account>
    package let questionnaire: ID<QuestionnaireVersion>
    package let receivedAt: Instant
    /// By question; null for answers taken back.
    package let answers: JSON
    package let answeredAt: JSON
    /// The device's statement, to recognise it when sent again.
    package let said: JSON

    package init(
        id: ID<ContributionRecord>, sheet: ID<ContributionRecord>, account: ID<Account>,
        questionnaire: ID<QuestionnaireVersion>, at receivedAt: Instant, from before: DraftAnswers,
        to after: DraftAnswers, said: JSON
    ) {
        self.id = id
        self.sheet = sheet
        self.account = account
        self.questionnaire = questionnaire
        self.receivedAt = receivedAt
        self.said = said
        let changed = after.items.filter { before.items[$0.key] != $0.value }.sorted { $0.key < $1.key }
        answers = .object(changed.map { JSON.Member($0.key, $0.value.answer.map(JSON.init) ?? .null) })
        answeredAt = .object(changed.map { JSON.Member($0.key, .string($0.value.at.text)) })
    }

    /// - Throws: the fault of the row.
    init(_ row: SealedProfileChange, _ key: PersonKey) throws {
        id = row.id
        sheet = row.sheet
        account = row.account
        questionnaire = row.questionnaire
        receivedAt = row.receivedAt
        let json = try JSON.parse(try key.openBytes(row.changes, from: Self.place(row.account, row.id)))
        answers = json["answers"] ?? .object([])
        answeredAt = json["answered_at"] ?? .object([])
        said = json["said"] ?? .null
    }

    func sealed(_ key: PersonKey) throws -> [UInt8] {
        let json = JSON.object([
            .init("answers", answers), .init("answered_at", answeredAt), .init("said", said),
        ])
        return key.seal(bytes: try JSONWriter.bytes(of: json), for: Self.place(account, id))
    }

    static func place(_ account: ID<Account>, _ id: ID<ContributionRecord>) -> SealContext {
        SealContext("profile_changes", "\(account)/\(id)", "changes")
    }
}
