import Database
import Identity
import JSON
import Records
import Therapies
import WearableLinks
import Wearables
import Web
import Wire

/// What phones and watches measured: every day of every source, and the same as Open mHealth tells it. The series behind a
/// day are asked for day by day (`GET /my/measurement-days/{type}/{date}`): a year of heartbeats is no page.
extension OwnDataReader {
    func health(_ connection: borrowing Connection) throws -> [Section] {
        let days = try MeasurementDayStore.all(of: account.id, connection)
        let sleeps = try HealthRecordStore.all(
            Sleep.self, of: account.id, from: .distantPast, until: .distantFuture, key, connection)
        let activities = try HealthRecordStore.all(
            Activity.self, of: account.id, from: .distantPast, until: .distantFuture, key, connection)
        let wishes = try GoalStore.find(of: account.id, connection)
        // Of several sources of one time the one that counts: nobody adds documents up twice.
        let marked = MeasurementDays.marked(days, order: wishes.sources)
        let nights = CountedTimes.marked(Array(sleeps.reversed()))
        let moves = CountedTimes.marked(Array(activities.reversed()))
        let points =
            marked.filter(\.counts).compactMap { OpenMHealth.point($0.day) }
            + nights.filter(\.counts).map { OpenMHealth.point($0.record) }
            + moves.filter(\.counts).map { OpenMHealth.point($0.record) }
        return [
            ("measurement_days", marked.map { Kept($0.day.wire, counts: $0.counts) }),
            ("sleeps", nights.map { Kept($0.record.value, id: $0.record.id.text, counts: $0.counts) }),
            ("activities", moves.map { Kept($0.record.value, id: $0.record.id.text, counts: $0.counts) }),
            ("goals", wishes.goals),
            ("measurement_sources", wishes.sources.map(\.rawValue)), ("open_mhealth", points),
            ("wearables", try WearableLinkStore.all(of: account.id, connection).map(\.wire)),
            ("measurement_sharing", try OwnSharingStore.find(of: account.id, connection)),
        ]
    }
}

/// Something as the API tells it, with what the copy tells besides.
private struct Kept<Value: Encodable & Sendable>: Encodable, Sendable {
    private let value: Value
    private let id: String?
    private let counts: Bool

    /// - Parameter counts: whether figures use it; false where another source tells of the same time.
    init(_ value: Value, id: String? = nil, counts: Bool) {
        self.value = value
        self.id = id
        self.counts = counts
    }

    private enum CodingKeys: String, CodingKey { case id, counts }

    func encode(to encoder: any Encoder) throws {
        try value.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(id, forKey: .id)
        try container.encode(counts, forKey: .counts)
    }
}
