import Identity
import Records
import Web
import Wire
import Wording

/// Mails that say only that there is something to look at.
package enum RuleMail {
    /// Queues mails that are due, one for each therapist however many firings there are.
    package static func send(_ services: Services, now: Instant) throws {
        let due = try services.records.read { try FiringStore.unmailed($0) }
        for (therapist, firings) in Dictionary(grouping: due, by: \.therapist) {
            let found = try services.records.read { try AccountStore.find(therapist, $0) }
            let account = found.flatMap { $0.disabledAt == nil ? $0 : nil }
            let envelope = try account.map { account in
                try services.envelope(
                    try mail(to: account, services), to: try account.key(services.keys), at: now)
            }
            let ids = firings.map(\.firing)
            try services.records.writeUnaudited(.mail) { connection in
                // Another run may have come first.
                guard try FiringStore.noteMailed(ids, at: now, connection), let envelope else { return }
                try MailStore.insert(envelope, connection)
            }
        }
        if !due.isEmpty { services.deliver(at: now) }
    }

    /// The same after work that is stored already: on a failure the mail is left to the clock.
    package static func trySending(_ services: Services, now: Instant) {
        do {
            try send(services, now: now)
        } catch {
            services.log.line("error", "rule mail not sent", at: now)
        }
    }

    private static func mail(to account: AccountRecord, _ services: Services) throws -> Mail {
        let texts = services.texts(account.language)
        return Mail(
            recipient: try account.email(services.keys), subject: texts["rules.mail_subject"],
            body: texts["rules.mail_body", ["link": services.origin + "/"]])
    }
}
