import Identity
import Locks
import Records
import Scheduling
import Web
import Wire

/// Fetches due links, one after the other. Data is filed window by window, each together with its cursor: an
/// interrupted fetch continues there.
struct PullRound {
    private let services: Services
    private let desk: WearableSignal
    private let renewal: TokenRenewal

    /// After so many seconds a killed fetch is repeated.
    private static let claimSeconds: Int64 = 900
    private static let most = 50

    init(_ services: Services) { self.init(services, services.part(WearableSignal.self)) }

    init(_ services: Services, _ desk: WearableSignal) {
        self.services = services
        self.desk = desk
        renewal = TokenRenewal(services, desk)
    }

    /// - Parameter isStopped: called before each link.
    /// - Returns: the number of links fetched.
    func go(isStopped: @escaping @Sendable () -> Bool = { false }) throws -> Int {
        let due = try services.records.read { connection in
            try PullStore.due(at: services.clock.now, limit: Self.most, connection)
        }
        var count = 0
        // There is one thread: a provider that does not answer for three people is skipped for a while.
        var silent: [String: Int] = [:]
        for link in due where !isStopped() {
            if silent[link.provider] ?? 0 >= 3 {
                try postpone(link, seconds: 300)
                continue
            }
            guard let provider = desk.provider(link.provider) else {
                // Set up once and no longer: it waits.
                try postpone(link, seconds: PullOutcome.pause)
                continue
            }
            let fault = try look(at: link, provider, isStopped: isStopped)
            let isSilent = fault == .timeout || fault == .unreachable
            silent[link.provider] = isSilent ? (silent[link.provider] ?? 0) + 1 : 0
            count += 1
        }
        return count
    }

    private func postpone(_ link: WearableLinkRecord, seconds: Int64) throws {
        let now = services.clock.now
        try services.records.writeUnaudited(.wearables) {
            _ = try PullStore.claim(link, until: now.adding(seconds: seconds), at: now, $0)
        }
    }

    /// - Returns: the fault; nil without one.
    private func look(
        at link: WearableLinkRecord, _ provider: ConfiguredProvider,
        isStopped: @escaping @Sendable () -> Bool
    ) throws -> LinkFault? {
        let began = services.clock.now
        let hour = began.seconds / 3_600
        let table = provider.provider
        let claim = began.adding(seconds: Self.claimSeconds)
        let reserved = try services.records.writeUnaudited(.wearables) { connection -> Int? in
            guard try PullStore.claim(link, until: claim, at: began, connection) else { return nil }
            if let rest = try PullStore.rest(of: link.account, link.provider, at: began, connection) {
                // The rest was requested for another link, or for another person.
                let outcome = PullOutcome(.busy(until: rest), of: link, at: began)
                try PullStore.note(outcome, of: link, claim: claim, at: began, connection)
                return nil
            }
            return try PullStore.reserve(
                table.quota.user, of: link.account, table, hour: hour, connection)
        }
        guard let reserved else { return nil }
        // Kept to be named when the provider refuses it.
        let last = Lock<String?>(nil)
        let calls = LinkCalls(
            provider, .init(left: reserved, hour: hour), services.clock, isStopped: isStopped
        ) { [renewal] isRefused in
            let token = try renewal.access(link, provider, refused: isRefused ? last.withLock { $0 } : nil)
            last.withLock { $0 = token }
            return token
        }
        let fault = found(link, provider, calls)
        let left = calls.left
        try services.records.writeUnaudited(.wearables) { [now = services.clock.now] connection in
            try PullStore.release(left, of: link.account, table, hour: hour, connection)
            if case .busy(let until) = fault {
                try PullStore.setRest(until: until, of: link.account, table, connection)
            }
            let outcome = PullOutcome(fault, of: link, at: now)
            try PullStore.note(outcome, of: link, claim: claim, at: now, connection)
        }
        return fault
    }

    /// Catches every error: a fault of one link must not lose its quota or stop the others.
    private func found(
        _ link: WearableLinkRecord, _ provider: ConfiguredProvider, _ calls: LinkCalls
    ) -> LinkFault? {
        do {
            let fault = try fetch(link, provider, calls)
            if let fault { tell(fault, provider.name) }
            return fault
        } catch let fault as LinkFault {
            tell(fault, provider.name)
            return fault
        } catch {
            services.log.line(
                "error", "wearable not filed", [("detail", Log.detail(of: error))], at: services.clock.now)
            return .failed
        }
    }

    private func tell(_ fault: LinkFault, _ provider: String) {
        guard let word = fault.word else { return }
        services.log.line(
            "warning", "wearable not fetched", [("provider", provider), ("problem", word)],
            at: services.clock.now)
    }

    /// - Returns: the fault of some of the streams, while others succeeded.
    /// - Throws: `LinkFault` for a fault that ends the whole fetch.
    private func fetch(
        _ link: WearableLinkRecord, _ provider: ConfiguredProvider, _ calls: LinkCalls
    ) throws -> LinkFault? {
        let (account, cursors) = try services.records.read { connection in
            (try AccountStore.find(link.account, connection), try PullStore.cursors(of: link, connection))
        }
        guard let account else { throw LinkFault.gone }
        try identify(link, provider, calls)
        var partial: LinkFault?
        // Where a quota ends in the middle, the streams that had to wait come first the next time.
        let streams = provider.provider.streams.filter { link.scopes.contains($0.scope) }
        let begin = Instant(milliseconds: 0)
        for stream in streams.sorted(by: {
            cursors[$0.name]?.until ?? begin < cursors[$1.name]?.until ?? begin
        }) {
            do {
                try fetch(stream, since: cursors[stream.name], link, provider, account, calls)
            } catch let fault as LinkFault where Self.concernsOne(fault) {
                // One permission or one kind of measurement is missing; the others may work.
                partial = fault
            } catch LinkFault.quotaUsed where partial != nil {
                // The fault that used it up is more informative.
                return partial
            }
        }
        return partial
    }

    private static func concernsOne(_ fault: LinkFault) -> Bool {
        switch fault {
        case .forbidden, .failed, .noJSON, .tooLong, .endless, .redirected: true
        default: false
        }
    }

    /// Once for each link: hooks name people by the provider's ids.
    private func identify(
        _ link: WearableLinkRecord, _ provider: ConfiguredProvider, _ calls: LinkCalls
    ) throws {
        guard !link.isIdentified, provider.hookSecret != nil else { return }
        do {
            guard let user = try provider.provider.identify(calls) else { return }
            let lookup = services.keys.lookup(wearableUser: "\(provider.name) \(user)")
            try services.records.writeUnaudited(.wearables) {
                try WearableLinkStore.setUser(lookup, of: link, $0)
            }
        } catch LinkFault.forbidden {
            // Without it data is still fetched by the hour.
        }
    }

    private func fetch(
        _ stream: ProviderStream, since cursor: PullCursor?, _ link: WearableLinkRecord,
        _ provider: ConfiguredProvider, _ account: AccountRecord, _ calls: LinkCalls
    ) throws {
        let zone = Zone(account.timezone)
        let now = services.clock.now
        let today = LocalTime(now, zone).date
        var first = min(PullCursor.first(cursor, today: today, in: zone), today)
        var cursor = cursor ?? PullCursor(until: now)
        while first <= today {
            let last = min(first.adding(days: stream.days - 1), today)
            let window = LinkWindow(first: first, last: last, zone: zone, now: now)
            let fetched = try stream.fetch(window, calls)
            let before = cursor.lastDay
            cursor.move(to: min(window.end, now), having: fetched.lastDay(in: zone), on: today)
            try services.records.writeUnaudited(.wearables) { [keys = services.keys, cursor] connection in
                // Unlinked during the fetch: nothing of it is stored.
                guard try PullStore.isLive(link, connection) else { throw LinkFault.gone }
                let filing = DayFiling(
                    window: window, provider: provider.provider, linkedAt: link.linkedAt, account: account,
                    keys: keys, lastDay: cursor.lastDay)
                try filing.file(fetched, connection)
                if let before { try filing.complete(before, stream, connection) }
                try PullStore.setCursor(stream.name, to: cursor, of: link, connection)
            }
            first = last.adding(days: 1)
        }
    }
}
