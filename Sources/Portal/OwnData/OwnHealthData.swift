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
        let points =
            days.compactMap { OpenMHealth.point($0) } + sleeps.map { OpenMHealth.point($0) }
            + activities.map { OpenMHealth.point($0) }
        let wishes = try GoalStore.find(of: account.id, connection)
        return [
            ("measurement_days", days.map(\.wire)), ("sleeps", sleeps.map(\.value)),
            ("activities", activities.map(\.value)), ("goals", wishes.goals),
            ("measurement_sources", wishes.sources.map(\.rawValue)), ("open_mhealth", points),
            ("wearables", try WearableLinkStore.all(of: account.id, connection).map(\.wire)),
            ("measurement_sharing", try OwnSharingStore.find(of: account.id, connection)),
        ]
    }
}
