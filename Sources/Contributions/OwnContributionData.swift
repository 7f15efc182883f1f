import Database
import Identity
import Instruments
import Questionnaires
import Records
import Therapies
import Web
import Wire

/// Answers in the copy of own data.
enum OwnContributionData {
    @Sendable static func sections(
        _ owner: DataOwner, _ connection: borrowing Connection
    ) throws -> Feature.OwnSections {
        [
            .contributions: try contributions(owner, connection),
            .profileChanges: try profileChanges(owner, connection),
        ]
    }

    private static func contributions(
        _ owner: DataOwner, _ connection: borrowing Connection
    ) throws -> [Facts] {
        // Sheets filled in before pairing belong to the holder, and are about the same person.
        let owners = try [owner.account.id] + TherapyHolderStore.holders(of: owner.account.id, connection)
        let records = try owners.flatMap { try ContributionStore.all(of: $0, connection) }
        return try OpenedContribution.all(records, reads: false, owner.c.services, connection).map { sheet in
            [
                "id": sheet.record.id.text, "questionnaire_key": sheet.questionnaire.key,
                "version": sheet.questionnaire.version, "title": sheet.questionnaire.title(owner.c.languages),
                "started_at": sheet.record.startedAt, "completed_at": sheet.record.completedAt,
                "received_at": sheet.record.receivedAt, "timezone": sheet.record.timezone,
                "zone_word": sheet.record.zone.word,
                "answers": sheet.written, "details": sheet.details,
                "scores": Ordered(sheet.scores.map { (key: $0.scale, value: $0.value) }),
            ]
        }
    }

    /// Former states of profiles: one for each change.
    private static func profileChanges(
        _ owner: DataOwner, _ connection: borrowing Connection
    ) throws -> [Facts] {
        let cache = owner.c.services.questionnaires
        return try LivingSheetStore.changes(of: owner.account.id, connection).compactMap { row in
            let change = try row.opened(owner.key)
            return try QuestionnaireStore.find(row.questionnaire, cache, connection).map {
                [
                    "questionnaire_key": $0.key, "version": $0.version, "received_at": change.receivedAt,
                    "answers": change.answers, "answered_at": change.answeredAt,
                ]
            }
        }
    }
}
