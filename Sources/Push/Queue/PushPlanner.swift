import Database
import Identity
import Instruments
import Records
import Studies
import Web
import Wire

/// Fills the queue: with what has opened or come since the last look, and with the prompts of studies of the next two days,
/// which follow from plans that may change and are looked at again.
struct PushPlanner {
    private let services: Services
    /// Up to when everything is in the queue. Lost with the process: what opened within two days is looked at again then, and
    /// stands in the queue once.
    private var looked: Instant
    private var planned = Instant.distantPast

    static let daysAhead: Int64 = 2
    /// How old plans of studies get.
    private static let planSeconds: Int64 = 300

    init(_ services: Services) {
        self.services = services
        looked = services.clock.now.adding(days: -Self.daysAhead)
    }

    mutating func look(at now: Instant, accounts: Set<ID<Account>>) throws {
        // A clock that was set back begins anew.
        if now < looked { looked = now.adding(days: -Self.daysAhead) }
        // What is written while this looks bears a time a little earlier.
        let since = looked.adding(seconds: -10)
        let found = try services.records.read { connection -> [PushMessageRow] in
            // What opened before somebody subscribed is not for them.
            guard try PushSubscriptionStore.isThereAny(connection) else { return [] }
            return try PushOccasionStore.opened(after: since, by: now, connection)
                + PushOccasionStore.given(after: since, by: now, connection)
                + PushOccasionStore.appointments(after: since, by: now, connection)
        }
        // A part at a time: between two of them others may write.
        for start in stride(from: 0, to: found.count, by: 1000) {
            let part = Array(found[start..<min(start + 1000, found.count)])
            try services.records.writeUnaudited(.push) { [chance = services.chance] connection in
                try PushQueueStore.insert(part, chance, connection)
            }
        }
        looked = now
        let isDue = now >= planned.adding(seconds: Self.planSeconds) || now < planned
        let wanted =
            isDue
            ? try services.records.read { try PushSubscriptionStore.promptedAccounts($0) } : Array(accounts)
        for account in wanted { try plan(account, at: now) }
        if isDue { planned = now }
    }

    private typealias Prompts = [(StudyAssignment, ID<Enrolment>)]
    private typealias Devices = [(id: ID<PushSubscriptionRecord>, since: Instant)]

    /// The prompts of one person's studies.
    private func plan(_ account: ID<Account>, at now: Instant) throws {
        let until = now.adding(days: Self.daysAhead)
        let search = StudyAssignments(account: account, cache: services.questionnaires, now: now)
        let (prompts, devices) = try services.records.read { connection -> (Prompts, Devices) in
            let account = try AccountStore.find(account, connection)
            guard let account, account.notifications.questionnaires else { return ([], []) }
            let coming = try search.coming(until: until, connection).filter { $0.promptedAt != nil }
            let own = try coming.compactMap { asked -> (StudyAssignment, ID<Enrolment>)? in
                let enrolment = try EnrolmentStore.find(in: asked.study, of: account.id, connection)
                return enrolment.map { (asked, $0.id) }
            }
            return (own, try PushSubscriptionStore.prompted(account.id, connection))
        }
        try services.records.writeUnaudited(.push) { [chance = services.chance] connection in
            for device in devices {
                let wanted = prompts.filter { $0.0.availableFrom >= device.since }
                try PushQueueStore.insert(
                    wanted.map { asked, _ in
                        PushMessageRow(
                            subscription: device.id, kind: .prompt, subject: asked.id,
                            due: asked.availableFrom,
                            expires: asked.dueAt)
                    }, chance, connection)
                try PushQueueStore.removePrompts(
                    for: device.id, but: wanted.map(\.0.id.text), connection)
            }
            if !devices.isEmpty {
                for (asked, enrolment) in prompts {
                    try StudyReminderStore.plan(asked.id, at: asked.availableFrom, of: enrolment, connection)
                }
            }
        }
    }
}
