import Scheduling
import Wearables
import Wire

/// A provider of measurements, as a row of the table of all providers (FB-1).
package struct WearableProvider: Sendable {
    /// Its name in `wearables.json`, in paths and in the database.
    package let name: String
    /// A proper name, the same in every language.
    package let title: String
    /// The source of the days that come from it.
    let source: MeasurementSource
    let addresses: ProviderAddresses
    /// Additional fields of the request for consent.
    let wishes: [(name: String, value: String)]
    let scopes: [ProviderScope]
    let quota: ProviderQuota
    /// Its deviations from the standards.
    var dialect = ProviderDialect()
    let revocation: ProviderRevocation
    /// A registration that it needs before it gives any data; nil without.
    /// - Throws: `LinkFault`.
    var enrol:
        (
            @Sendable (_ tokens: LinkTokens, _ member: String, ConfiguredProvider, _ now: Instant) throws ->
                Void
        )?
    let streams: [ProviderStream]
    /// The person's id in its hooks, for given tokens; nil when the provider does not say.
    let identify: @Sendable (LinkCalls) throws -> String?
    /// The person's id in a hook; nil when it names none.
    let named: @Sendable (_ body: [UInt8]) -> String?

    /// All of them. Why Garmin is missing is in docs/decisions/0031.
    package static let all: [WearableProvider] = [.googleHealth, .oura, .polar, .withings]

    static func named(_ name: String) -> WearableProvider? { all.first { $0.name == name } }

    /// The measures that stay empty without the scopes that were not granted.
    func missing(granted: [String]) -> [String] {
        streams.filter { !granted.contains($0.scope) }.flatMap(\.covers)
    }
}

/// A provider's addresses. Only these hosts are ever contacted.
struct ProviderAddresses: Sendable, Equatable {
    var authorize: String
    var token: String
    var revoke: String
    /// Without a slash at the end.
    var api: String

    /// The hosts contacted by the server itself: the page of consent is opened by the person.
    var reached: [String] { [token, revoke, api] }
}

/// A permission, and its word on our page.
struct ProviderScope: Sendable {
    /// As the provider names it.
    let name: String
    /// The suffix of the sentence `wearables.scope_…`.
    let word: String
}

/// How many requests an hour of the clock a provider allows.
struct ProviderQuota: Sendable {
    /// For one person. The source system's 150 where the provider names no lower limit.
    var user = 150
    /// For all users together.
    var project = 100_000
    /// Whether the provider counts all users together: then its rest applies to all.
    var isShared = false
}

/// A group of data that is fetched together.
struct ProviderStream: Sendable {
    /// The name of its cursor.
    let name: String
    /// Types of days, or `sleep`.
    let covers: [String]
    let scope: String
    /// The days of one request: what the provider answers, and an hour's quota can store.
    let days: Int
    let fetch: @Sendable (LinkWindow, LinkCalls) throws -> FetchedWindow

    /// - Parameter covers: nil for the type with the stream's name.
    init(
        name: String, covers: [String]? = nil, scope: String, days: Int,
        fetch: @escaping @Sendable (LinkWindow, LinkCalls) throws -> FetchedWindow
    ) {
        self.name = name
        self.covers = covers ?? [name]
        self.scope = scope
        self.days = days
        self.fetch = fetch
    }
}

/// The requested local days, the last one included.
struct LinkWindow: Sendable {
    let first: LocalDate
    let last: LocalDate
    let zone: Zone
    let now: Instant

    var begin: Instant { zone.instant(first, hour: 0, minute: 0) }
    /// The first instant after it.
    var end: Instant { zone.instant(last.adding(days: 1), hour: 0, minute: 0) }

    var dates: [LocalDate] {
        (0...max(0, Int(last.daysSince1970 - first.daysSince1970))).map { first.adding(days: $0) }
    }
}

/// A provider's data of a window.
struct FetchedWindow: Sendable {
    var days: [FetchedDay] = []
    var sleeps: [FetchedSleep] = []
    /// The period of which every sleep that ended was reported; nil when none was requested.
    var knowsSleeps: Range<Instant>?

    /// The last local day that has anything; a sum of nothing is none: some providers tell one of days that they do not know yet.
    func lastDay(in zone: Zone) -> LocalDate? {
        let days = days.filter { !$0.samples.isEmpty || $0.total ?? 0 != 0 }.map(\.date)
        return (days + sleeps.map { LocalTime($0.sleep.endsAt, zone).date }).max()
    }
}

/// A day from a provider. One without samples and total means that there is no data, or not any more.
struct FetchedDay: Sendable, Equatable {
    let type: MeasurementType
    let date: LocalDate
    let samples: [Sample]
    let total: Double?

    var isEmpty: Bool { samples.isEmpty && total == nil }
}

struct FetchedSleep: Sendable, Equatable {
    /// Distinguishes it from others of the same person; never stored as it is.
    let name: String
    let sleep: Sleep

    init(name: String, sleep: Sleep) {
        self.name = name
        self.sleep = sleep.inBed
    }
}
