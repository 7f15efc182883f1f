import Records
import Scheduling
import Wearables
import Wire

/// A provider of measurements, as one row of the table that knows them all (FB-1).
package struct WearableProvider: Sendable {
    /// As it stands in `wearables.json`, in paths and in the database.
    package let name: String
    /// A proper name, the same in every language.
    package let title: String
    /// What days that came from it are marked with.
    let source: MeasurementSource
    let addresses: ProviderAddresses
    /// What its page of consent is asked besides what RFC 6749 names.
    let wishes: [(name: String, value: String)]
    let scopes: [ProviderScope]
    let quota: ProviderQuota
    /// How its addresses for tokens and data speak.
    var dialect = ProviderDialect()
    let revocation: ProviderRevocation
    /// What has to be told a provider before it hands anything over; nil where there is nothing.
    /// - Throws: `LinkFault`.
    var enrol:
        (
            @Sendable (_ tokens: LinkTokens, _ member: String, ConfiguredProvider, _ now: Instant) throws ->
                Void
        )?
    let streams: [ProviderStream]
    /// Whom the tokens belong to, in the words its hooks use; nil where the provider does not say.
    let identify: @Sendable (LinkCalls) throws -> String?
    /// Whom a hook speaks of; nil where it names nobody.
    let named: @Sendable (_ body: [UInt8]) -> String?

    /// Every one there is. Why Garmin is not among them stands in docs/decisions/0031.
    package static let all: [WearableProvider] = [.googleHealth, .oura, .polar, .withings]

    static func named(_ name: String) -> WearableProvider? { all.first { $0.name == name } }

    /// What stays empty without the scopes that were not granted.
    func missing(granted: [String]) -> [String] {
        streams.filter { !granted.contains($0.scope) }.flatMap(\.covers)
    }
}

/// Where a provider is asked. Only these hosts are ever gone to.
struct ProviderAddresses: Sendable, Equatable {
    var authorize: String
    var token: String
    var revoke: String
    /// Without a slash at the end.
    var api: String

    /// What the server itself goes to: the page of consent is gone to by the person.
    var reached: [String] { [token, revoke, api] }
}

/// A permission, and the word for it on our page.
struct ProviderScope: Sendable {
    /// As the provider names it.
    let name: String
    /// The key of a sentence is `wearables.scope_` and this.
    let word: String
}

/// How often a provider may be asked in an hour of the clock.
struct ProviderQuota: Sendable {
    /// For one person. The source system's 150 where the provider says nothing narrower.
    var user = 150
    /// For everybody together.
    var project = 100_000
    /// Whether the provider counts everybody together: then the rest it asks for is everybody's.
    var isShared = false
}

/// What is fetched together, and how.
struct ProviderStream: Sendable {
    /// Of its cursor.
    let name: String
    /// Types of days, or `sleep`.
    let covers: [String]
    let scope: String
    /// So many days are asked for at once: never more than the provider answers, and few enough that what came is kept
    /// before an hour's quota is used up.
    let days: Int
    let fetch: @Sendable (LinkWindow, LinkCalls) throws -> FetchedWindow

    /// - Parameter covers: nil for what the stream is called by.
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

/// Local days that are asked for, the last one included.
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

/// What a provider told of a window.
struct FetchedWindow: Sendable {
    var days: [FetchedDay] = []
    var sleeps: [FetchedSleep] = []
    /// In which stretch of time every sleep that ended was told; nil where none was asked for.
    var knowsSleeps: Range<Instant>?
}

/// A day as a provider told it. One without samples and without a total says that there is nothing, or nothing any more.
struct FetchedDay: Sendable, Equatable {
    let type: MeasurementType
    let date: LocalDate
    let samples: [Sample]
    let total: Double?

    var isEmpty: Bool { samples.isEmpty && total == nil }
}

struct FetchedSleep: Sendable, Equatable {
    /// What tells it from others of the same person; never stored as it is.
    let name: String
    let sleep: Sleep
}
