import Database
import Identity
import Records
import Therapies
import Web
import Wire

/// Measurements of phones and watches: every day of every source, and the same as Open mHealth. The series of a day
/// are requested day by day (`GET /my/measurement-days/{type}/{date}`): a year of heartbeats is no page.
enum OwnHealthData {
    @Sendable static func sections(
        _ owner: DataOwner, _ connection: borrowing Connection
    ) throws -> Feature.OwnSections {
        let account = owner.account.id
        let days = try MeasurementDayStore.all(of: account, connection)
        let sleeps = try HealthRecordStore.all(
            Sleep.self, of: account, from: .distantPast, until: .distantFuture, owner.key, connection)
        let activities = try HealthRecordStore.all(
            Activity.self, of: account, from: .distantPast, until: .distantFuture, owner.key, connection)
        let wishes = try GoalStore.find(of: account, connection)
        // Of several sources of one time the one that counts, so that documents cannot be added up twice.
        let marked = MeasurementDays.marked(days, order: wishes.sources)
        let others = try OtherDeviceDayStore.all(of: account, owner.key, connection)
        let nights = CountedTimes.marked(Array(sleeps.reversed()))
        let moves = CountedTimes.marked(Array(activities.reversed()))
        let points =
            marked.filter(\.counts).compactMap { OpenMHealth.point($0.day) }
            + nights.filter(\.counts).map { OpenMHealth.point($0.record) }
            + moves.filter(\.counts).map { OpenMHealth.point($0.record) }
        return [
            .measurementDays: marked.map { Kept($0.day.wire, counts: $0.counts) }
                + others.map { Kept($0.told.wire, device: $0.told.draft.device, counts: false) },
            .sleeps: nights.map { Kept($0.record.value, id: $0.record.id.text, counts: $0.counts) },
            .activities: moves.map { Kept($0.record.value, id: $0.record.id.text, counts: $0.counts) },
            .goals: wishes.goals, .measurementSources: wishes.sources.map(\.rawValue),
            .openMHealth: points, .measurementSharing: try OwnSharingStore.find(of: account, connection),
        ]
    }
}

/// A value in the API's shape, with the additions of the copy.
private struct Kept<Value: Encodable & Sendable>: Encodable, Sendable {
    private let value: Value
    private let id: String?
    private let device: String?
    private let counts: Bool

    /// - Parameter counts: whether figures use it; false when another source covers the same time.
    init(_ value: Value, id: String? = nil, device: String? = nil, counts: Bool) {
        self.value = value
        self.id = id
        self.device = device
        self.counts = counts
    }

    private enum CodingKeys: String, CodingKey { case id, device, counts }

    func encode(to encoder: any Encoder) throws {
        try value.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(id, forKey: .id)
        try container.encodeIfPresent(device, forKey: .device)
        try container.encode(counts, forKey: .counts)
    }
}
