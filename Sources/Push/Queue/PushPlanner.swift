import Agenda
import Database
import Dispatch
import Identity
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
    /// The same of what was assigned in windows that had begun, and of what studies tell.
    private var lookedLate: Instant
    private var planned = Instant.distantPast
    /// Accounts with an outdated plan, the next one last.
    private var stale: [ID<Account>] = []

    static let daysAhead: Int64 = 2
    /// How old plans of studies get.
    private static let planSeconds: Int64 = 300
    /// Going through all that is open is dear; such an assignment is late already.
    private static let lateSeconds: Int64 = 10
    /// As long a look plans, in nanoseconds: messages that are under way meanwhile are waiting to be heard.
    private static let planning: UInt64 = 200_000_000

    init(_ services: Services) {
        self.services = services
        looked = services.clock.now.adding(days: -Self.daysAhead)
        lookedLate = looked
    }

    /// Whether there are plans that this look did not come to.
    var isBehind: Bool { !stale.isEmpty }

    mutating func look(at now: Instant, accounts: Set<ID<Account>>) throws {
        // Accounts that asked for a plan come first.
        stale.removeAll(where: accounts.contains)
        stale += accounts
        try fill(at: now)
        if stale.isEmpty, now >= planned.adding(seconds: Self.planSeconds) || now < planned {
            stale = try services.records.read { try PushSubscriptionStore.promptedAccounts($0) }
            planned = now
        }
        planSome(at: now)
    }

    private mutating func fill(at now: Instant) throws {
        // A clock that was set back begins anew.
        if now < looked { looked = now.adding(days: -Self.daysAhead) }
        if now < lookedLate { lookedLate = looked }
        // What is written while this looks bears a time a little earlier.
        let since = looked.adding(seconds: -10)
        let sinceLate = lookedLate.adding(seconds: -10)
        let isLate = now >= lookedLate.adding(seconds: Self.lateSeconds)
        let found = try services.records.read { connection -> [PushMessageRow] in
            // Questionnaires opened before a subscription are not for it.
            guard try PushSubscriptionStore.isThereAny(connection) else { return [] }
            return try PushOccasionStore.opened(after: since, by: now, connection)
                + (isLate ? PushOccasionStore.assigned(after: sinceLate, by: now, connection) : [])
                + (isLate ? PushOccasionStore.told(after: sinceLate, by: now, connection) : [])
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
        if isLate { lookedLate = now }
    }

    /// One person's plan that cannot be made is that person's alone, and is tried again with the next plans of all.
    private mutating func planSome(at now: Instant) {
        let end = DispatchTime.now().uptimeNanoseconds + Self.planning
        var failed: [any Error] = []
        while DispatchTime.now().uptimeNanoseconds < end, let account = stale.popLast() {
            do { try plan(account, at: now) } catch { failed.append(error) }
        }
        if let first = failed.first { Self.note(first, of: failed.count, services, at: now) }
    }

    private static func note(_ error: any Error, of count: Int, _ services: Services, at now: Instant) {
        let facts = [("accounts", "\(count)"), ("detail", Log.detail(of: error))]
        services.log.line("error", "push plan failed", facts, at: now)
    }

    // MARK: Plans of studies

    /// What studies ask of these people at this moment: the messages whose prompt is still asked, by the newest of plans; and
    /// of whom it could not be told.
    static func asked(
        _ messages: [DuePushMessage], _ services: Services, at now: Instant
    ) throws -> (asked: Set<ID<PushMessageRow>>, unknown: Set<ID<PushMessageRow>>) {
        var asked = Set<ID<PushMessageRow>>()
        var unknown = Set<ID<PushMessageRow>>()
        var failed = [any Error]()
        let waiting = Dictionary(grouping: messages.filter { $0.kind == .prompt }, by: \.account)
        if waiting.isEmpty { return (asked, unknown) }
        try services.records.read { connection in
            for (account, own) in waiting {
                do {
                    let soon = try prompts(
                        of: account, services, at: now, until: now.adding(seconds: 1), connection)
                    let calls = Set(
                        soon.filter { $0.availableFrom <= now }.flatMap(subjects).map(\.text))
                    asked.formUnion(own.filter { calls.contains($0.subject.text) }.map(\.id))
                } catch {
                    unknown.formUnion(own.map(\.id))
                    failed.append(error)
                }
            }
        }
        if let first = failed.first { note(first, of: failed.count, services, at: now) }
        return (asked, unknown)
    }

    /// What studies ask of one person until a moment, as far as devices tell of it.
    private static func prompts(
        of account: ID<Account>, _ services: Services, at now: Instant, until last: Instant,
        _ connection: borrowing Connection
    ) throws -> [StudyAssignment] {
        let agenda = Agenda(of: account, services, at: now)
        let items = try agenda.items([.studies], until: last, connection)
        return items.filter { $0.announcedAt != nil }.compactMap(\.study)
    }

    /// The calls of a prompt.
    private static func subjects(_ asked: StudyAssignment) -> [PushSubject] {
        asked.allCalls.indices.map { PushSubject(id: asked.id.text, call: $0 + 1) }
    }

    /// A message for each call; the next one takes the place of what was not handed over by then.
    private static func messages(
        _ asked: StudyAssignment, for device: ID<PushSubscriptionRecord>
    ) -> [PushMessageRow] {
        let calls = asked.allCalls
        return calls.enumerated().map { index, at in
            PushMessageRow(
                subscription: device, kind: .prompt, subject: asked.id, due: at,
                expires: index + 1 < calls.count ? calls[index + 1] : asked.dueAt,
                isMomentary: asked.isMomentary, call: index + 1)
        }
    }

    /// The prompts of one person's studies.
    private func plan(_ account: ID<Account>, at now: Instant) throws {
        let until = now.adding(days: Self.daysAhead)
        let (prompts, devices) = try services.records.read { connection in
            let isOn = try AccountStore.find(account, connection)?.notifications.questionnaires ?? false
            let devices = try isOn ? PushSubscriptionStore.prompted(account, connection) : []
            return (
                try devices.isEmpty
                    ? [] : Self.prompts(of: account, services, at: now, until: until, connection),
                devices
            )
        }
        try services.records.writeUnaudited(.push) { [chance = services.chance] connection in
            // A device, a study or the account itself may have gone since.
            let live = Set(try PushSubscriptionStore.prompted(account, connection).map(\.id))
            let enrolments = Set(
                try EnrolmentStore.all(of: account, connection).filter { $0.state == .enrolled }.map(\.id))
            for device in devices where live.contains(device.id) {
                let messages = prompts.flatMap { Self.messages($0, for: device.id) }.filter {
                    $0.due >= device.since
                }
                try PushQueueStore.insert(messages, chance, connection)
                try PushQueueStore.removePrompts(for: device.id, but: messages.map(\.subject), connection)
            }
            for asked in prompts where enrolments.contains(asked.enrolment.id) {
                try StudyReminderStore.plan(
                    asked.id, at: asked.availableFrom, of: asked.enrolment.id, connection)
            }
        }
    }
}
