import Contributions
import Database
import Identity
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// Mails that an answer which has to be seen waits (PR-28); subject and text name no patient, number or reason.
package enum UnseenMail {
    /// Queues the mails that are due: to the therapist after the clinic's hours, to covers and second therapists after twice
    /// as many, and at once while the therapist is away. At most one a day and account.
    package static func send(_ services: Services, now: Instant) throws {
        guard let hours = services.clinic.now.record.unseenMailHours else { return }
        let today = LocalTime(now, Zone(services.timezone)).date
        let accounts = try services.records.read { connection in
            try due(hours: hours, now: now, on: today, connection).compactMap { id in
                try AccountStore.find(id, connection)
            }
        }
        for account in accounts {
            let envelope = try services.envelope(
                try mail(to: account, services), to: try account.key(services.keys), at: now)
            try services.records.writeUnaudited(.mail) { connection in
                // Another portal may have come first, or the answers were seen meanwhile.
                guard try due(hours: hours, now: now, on: today, connection).contains(account.id),
                    try UnseenMailStore.note(account.id, at: now, connection)
                else { return }
                try MailStore.insert(envelope, connection)
            }
        }
        if !accounts.isEmpty { services.deliver(at: now) }
    }

    /// The same after work that is stored already: on a failure the mail is left to the next time.
    package static func trySending(_ services: Services, now: Instant) {
        do {
            try send(services, now: now)
        } catch {
            services.log.line("error", "mail about unseen answers not sent", at: now)
        }
    }

    /// The open accounts that are to be mailed now.
    private static func due(
        hours: Int, now: Instant, on today: LocalDate, _ connection: borrowing Connection
    ) throws -> [ID<Account>] {
        var wanted: Set<ID<Account>> = []
        for entry in try ContributionStore.unseenSince(connection) {
            let seconds = now.seconds - entry.since.seconds
            let limit = Int64(hours) * 3600
            if seconds >= limit { wanted.insert(entry.therapist) }
            let substitutes = try SharingStore.substitutes(for: entry.therapy, at: now, connection)
            let isAway =
                try substitutes.isAway
                || !AbsenceStore.all(of: entry.therapist, from: today, until: today, connection).isEmpty
            if seconds >= 2 * limit || isAway { wanted.formUnion(substitutes.accounts) }
        }
        return try wanted.sorted { $0.text < $1.text }.filter { id in
            guard let account = try AccountStore.find(id, connection), account.disabledAt == nil,
                account.roles.contains(.therapist)
            else { return false }
            return try UnseenMailStore.mayMail(id, at: now, connection)
        }
    }

    private static func mail(to account: AccountRecord, _ services: Services) throws -> Mail {
        let texts = services.texts(account.language)
        return Mail(
            recipient: try account.email(services.keys), subject: texts["risk.mail_subject"],
            body: texts["risk.mail_body", ["link": services.origin + "/"]])
    }
}
