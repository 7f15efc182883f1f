import PortalClient
import Wire

/// A person's real actions, recorded apart from phones and portal: both are compared with it.
struct Diary: Sendable {
    struct Contribution: Sendable {
        let id: String
        /// Nil for a sheet from the browser.
        let phone: Int?
        let assignment: String
        let answers: Answers
        let completedAt: Instant
    }

    struct NotedEvent: Sendable {
        let item: String
        let isSpan: Bool
        /// Nil for one from the browser.
        let phone: Int?
        var startedAt: Instant
        var endedAt: Instant?
        /// What was filled in about it.
        var sheet: String?

        /// Whether it is over; a moment is at once.
        var isOver: Bool { !isSpan || endedAt != nil }
    }

    var sheets: [Contribution] = []
    /// Events noted with buttons, by their ids.
    var events: [String: NotedEvent] = [:]
    /// The appointments as the person finally wants them.
    var appointments: [String: Appointment] = [:]
    /// Interventions that were finished.
    var completed: Set<String> = []
    /// Sessions of listening, by their ids.
    var heard: [String: Client.Listened] = [:]
    /// What each device counted last of a day.
    var steps: [LocalDate: [String: Double]] = [:]
    /// Days that the ring has not handed over yet.
    var unheldRing: Set<LocalDate> = []
    /// Values sent singly, by their ids, also such as cannot be.
    var rates: [String: Double] = [:]
    /// Ignored prompts, and days offline.
    var forgotten = 0
    var daysOffline = 0
    var conflicts = 0
}

/// The state of a person's browser at the end.
struct BrowserState: Sendable {
    /// Refused sheets, with their status.
    let refusals: [String: Int]
    let waiting: Int
}

/// The state of one phone at the end.
struct PhoneState: Sendable {
    let contributions: [String: SentSheet]
    let sheets: [LocalSheet]
    let appointments: [String: Appointment]
    let interventions: [String: LocalIntervention]
    /// Refused listening sessions and single values.
    let refusedRecords: Set<String>
    let waiting: Int
    let conflicts: Int
}

extension PhoneState {
    init(_ store: LocalStore) throws {
        self.init(
            contributions: Dictionary(
                uniqueKeysWithValues: try store.contributions().map { ($0.id, $0.attributes) }),
            sheets: try store.sheets(),
            appointments: Dictionary(
                uniqueKeysWithValues: try store.appointments().map { ($0.id, $0.appointment) }),
            interventions: Dictionary(
                uniqueKeysWithValues: try store.interventions().filter { !$0.isGone }.map { ($0.id, $0) }),
            refusedRecords: Set(try store.records().filter { $0.refusal != nil }.map(\.id)),
            waiting: try store.waiting(), conflicts: try store.conflicts().count)
    }
}

/// The portal's data of a person at the end.
struct PortalState: Sendable {
    let contributions: [Item<SentSheet>]
    let appointments: [Item<Appointment>]
    let interventions: [Item<Intervention>]
    let listening: [Item<ListeningSession>]
    let listeningStatistics: [Item<ListeningStatistic>]
    var steps: [Item<MeasurementDay>] = []
    var rates: [Item<MeasurementDay>] = []
    var events: [PortalEvent] = []
}

extension PortalState {
    init(_ client: Client) async throws {
        self.init(
            contributions: try await client.contributions(), appointments: try await client.appointments(),
            interventions: try await client.interventions(),
            listening: try await client.listeningSessions(),
            listeningStatistics: try await client.listeningStatistics(),
            steps: try await Self.measured(.steps, client),
            rates: try await Self.measured(.heartRate, client),
            events: try await PortalEvent.all(client))
    }
}
