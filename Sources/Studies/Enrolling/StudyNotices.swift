import Accounts
import Database
import Identity
import Records
import Web
import Wire
import Wording

/// What participants are told of a study of theirs.
package enum StudyNotices {
    /// A newer consent text is told to every participant that agreed to an earlier one, each in this transaction.
    package static func tellOfConsent(
        _ id: ID<Study>, _ services: Services, at now: Instant, _ connection: borrowing Connection
    ) throws {
        guard let study = try StudyStore.find(id, connection), study.archivedAt == nil, !study.consent.isEmpty
        else { return }
        for account in try AgreedConsentStore.asked(in: id, connection) {
            guard let account = try AccountStore.find(account, connection) else { continue }
            try tell(
                account, .consentChanged, "own_studies.notice_consent", of: study, services, at: now,
                connection)
        }
    }

    /// Settles notices about consent, unless a study still asks for something.
    static func settle(
        _ account: ID<Account>, at now: Instant, _ connection: borrowing Connection
    ) throws {
        guard try StudyAskStore.all(of: account, connection).isEmpty else { return }
        try NoticeStore.noteSeen(.consentChanged, of: account, at: now, connection)
    }

    /// - Parameter key: of a sentence with `study`.
    package static func tell(
        _ account: AccountRecord, _ kind: NoticeRecord.Kind, _ key: String, of study: StudyRecord,
        _ services: Services, at now: Instant, _ connection: borrowing Connection
    ) throws {
        let words = LocalizedText(
            translations: services.languages.map { language in
                let title = study.title.text(in: [language] + services.languages) ?? study.name
                return (language.rawValue, services.texts(language)[key, ["study": title]])
            })
        let notice = try NewNotice(
            kind, words, to: try account.key(services.keys), id: services.chance.id(), from: now)
        try NoticeStore.insert(notice, at: now, connection)
    }
}
