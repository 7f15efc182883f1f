import Database
import Identity
import Records
import Wire

/// The sections of the copy of all own data, in their order.
package enum OwnDataSection: String, CaseIterable, Sendable {
    case profile, privacy
    case timeZones = "time_zones"
    case devices
    case appUse = "app_use"
    case notificationSettings = "notification_settings"
    case sensorSettings = "sensor_settings"
    case vault, drafts, contributions
    case profileChanges = "profile_changes"
    case tinnitusMatches = "tinnitus_matches"
    case studies
    case refusedSheets = "refused_sheets"
    case appointments, notices, feedback, listening
    case soundFavourites = "sound_favourites"
    case measurementDays = "measurement_days"
    case sleeps, activities, goals
    case measurementSources = "measurement_sources"
    case openMHealth = "open_mhealth"
    case wearables
    case measurementSharing = "measurement_sharing"
    case therapies
}

/// The account that a copy of all data is made of, with its key and request.
package struct DataOwner: Sendable {
    package let account: AccountRecord
    package let key: PersonKey
    package let c: Context<Member>

    package init(_ c: Context<Member>) throws {
        account = c.proof.account
        key = try account.key(c.keys)
        self.c = c
    }

    /// The sections of all areas, in one document.
    package func copy(_ connection: borrowing Connection) throws -> OwnData {
        let found = try c.services.features.reduce(into: Feature.OwnSections()) { all, feature in
            all.merge(try feature.ownData(self, connection)) { first, _ in first }
        }
        return OwnData(
            OwnDataSection.allCases.compactMap { section in
                found[section].map { (name: section.rawValue, content: $0) }
            })
    }
}
