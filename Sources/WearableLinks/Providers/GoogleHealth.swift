import JSON
import Wire

/// The Google Health API, version 4, after its public documents (developers.google.com/health). `dailyRollUp` is a POST there;
/// ranges of heart rate hold at most 14 days, all others 90; 300 requests a minute and user, 120,000 a minute and project.
extension WearableProvider {
    private static let activity = scope("activity_and_fitness")
    private static let metrics = scope("health_metrics_and_measurements")
    private static let sleep = scope("sleep")
    static let googleProfile = scope("profile")

    private static func scope(_ name: String) -> String {
        "https://www.googleapis.com/auth/googlehealth.\(name).readonly"
    }

    package static let googleHealth = WearableProvider(
        name: "google_health", title: "Google Health", source: .googleHealth,
        addresses: ProviderAddresses(
            authorize: "https://accounts.google.com/o/oauth2/v2/auth",
            token: "https://oauth2.googleapis.com/token", revoke: "https://oauth2.googleapis.com/revoke",
            api: "https://health.googleapis.com"),
        // Without both of them a second consent brings no token to renew with.
        wishes: [("access_type", "offline"), ("prompt", "consent")],
        scopes: [
            ProviderScope(name: activity, word: "activity"), ProviderScope(name: metrics, word: "metrics"),
            ProviderScope(name: sleep, word: "sleep"), ProviderScope(name: googleProfile, word: "profile"),
        ],
        // 150 an hour never exceed 300 a minute.
        quota: ProviderQuota(), revocation: .refreshInBody,
        streams: [
            stream(.steps, activity, "steps", .interval("steps", "count", 1, "countSum")),
            stream(
                .distance, activity, "distance",
                .interval("distance", "millimeters", 0.001, "millimetersSum")),
            stream(
                .activeEnergy, activity, "active-energy-burned",
                .interval("activeEnergyBurned", "kcal", 1, "kcalSum")),
            stream(.heartRate, metrics, "heart-rate", .sample("heartRate", "beatsPerMinute"), days: 2),
            stream(
                .restingHeartRate, metrics, "daily-resting-heart-rate",
                .daily("dailyRestingHeartRate", "beatsPerMinute")),
            stream(
                .hrvRMSSD, metrics, "daily-heart-rate-variability",
                .daily("dailyHeartRateVariability", "averageHeartRateVariabilityMilliseconds")),
            stream(
                .oxygenSaturation, metrics, "daily-oxygen-saturation",
                .daily("dailyOxygenSaturation", "averagePercentage")),
            ProviderStream(name: "sleep", scope: sleep, days: 30) { try GoogleReading.sleeps($0, $1) },
        ],
        identify: { calls in
            try calls.get("/v4/users/me/identity")["healthUserId"]?.string
        },
        named: { body in
            let json = try? JSON.parse(body)
            return json?["data"]?["healthUserId"]?.string ?? json?["healthUserId"]?.string
        })

    /// - Parameter days: 30 where a page or two hold them; heart rates are too many for that.
    private static func stream(
        _ type: MeasurementType, _ scope: String, _ dataType: String, _ shape: GoogleShape, days: Int = 30
    ) -> ProviderStream {
        ProviderStream(name: type.rawValue, scope: scope, days: days) { window, calls in
            try GoogleReading(type: type, dataType: dataType, shape: shape).days(window, calls)
        }
    }
}

/// The format of a data type's points. The first word is the member of a point, the second the value's.
enum GoogleShape: Sendable {
    /// A period; with the factor to our unit, and the member of a day's sum.
    case interval(String, String, Double, String)
    /// A moment.
    case sample(String, String)
    /// A date.
    case daily(String, String)

    var member: String {
        switch self {
        case .interval(let member, _, _, _), .sample(let member, _), .daily(let member, _): member
        }
    }
}
