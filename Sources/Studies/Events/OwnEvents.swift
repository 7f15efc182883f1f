import Database
import Instruments
import Records
import Web
import Wire

/// What an account has noted, with the questionnaires that have the buttons (ST-2).
package struct OwnEvent: Sendable {
    package let record: StudyEventRecord
    package let item: StudyItem
}

/// Reads what an account has noted.
package enum OwnEvents {
    private static let recentDays: Int64 = 7

    /// Those that go on or began in the last days, the latest first.
    package static func recent(
        of account: ID<Account>, at now: Instant, _ connection: borrowing Connection
    ) throws -> [OwnEvent] {
        let items = try StudyItemStore.all(of: account, connection).filter { $0.event != nil }
        return try recent(of: account, among: items, at: now, connection)
    }

    /// The same where the questionnaires with a button are known.
    package static func recent(
        of account: ID<Account>, among items: [StudyItem], at now: Instant, _ connection: borrowing Connection
    ) throws -> [OwnEvent] {
        if items.isEmpty { return [] }
        let since = now.adding(days: -recentDays)
        return try StudyEventStore.recent(of: account, since: since, connection).compactMap { record in
            items.first { $0.id == record.itemID }.map { OwnEvent(record: record, item: $0) }
        }
    }

    /// What a draft about an event is of; nil for no event of the account, and while its questionnaire has no version in use.
    static func fillable(
        _ id: ID<StudyEvent>, of account: ID<Account>, _ cache: QuestionnaireCache,
        _ connection: borrowing Connection
    ) throws -> PromptedQuestionnaire? {
        guard let event = try StudyEventStore.find(id, of: account, connection),
            try EnrolmentStore.find(id: event.enrolmentID, connection)?.state == .enrolled,
            let item = try item(of: event, connection),
            let record = try QuestionnaireStore.newest(item.key, cache, connection)
        else { return nil }
        return PromptedQuestionnaire(version: record.id, draft: id.text, isAnswered: event.sheet != nil)
    }

    package static func item(
        of event: StudyEventRecord, _ connection: borrowing Connection
    ) throws -> StudyItem? {
        guard let study = try StudyEventStore.study(of: event.itemID, connection) else { return nil }
        return try StudyItemStore.find(event.itemID, in: study, connection)
    }
}
