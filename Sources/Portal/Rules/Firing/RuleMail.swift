import Database
import Wire

/// Mails that say nothing but that there is something to look at.
enum RuleMail {
    /// Sends what is due, one mail a therapist however much there is. What cannot be sent now is tried again the next
    /// time, so a mail may come twice but never not at all.
    static func send(_ services: Services, now: Instant) throws {
        let due = try services.records.read { try FiringStore.unmailed($0) }
        for (therapist, firings) in Dictionary(grouping: due, by: \.therapist) {
            let account = try services.records.read { try AccountStore.find(therapist, $0) }
            if let account {
                try services.outbox.send(
                    try mail(to: account, services), from: services.origin, id: services.chance.id(), at: now)
            }
            let ids = firings.map(\.firing)
            try services.records.keepHouse { try FiringStore.noteMailed(ids, at: now, $0) }
        }
    }

    /// The same where something else is done and safe already: a mail that cannot be sent is left to the clock.
    static func trySending(_ services: Services, now: Instant) {
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
