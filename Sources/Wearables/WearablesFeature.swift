import Web
import Wire

extension Feature {
    /// Measurements of phones and watches: days, sleeps, activities, goals (FB-2, FB-4).
    package static let wearables = Feature(
        name: "wearables",
        addRoutes: { routes in
            MeasurementDayAPI.routes(&routes)
            MeasurementAPI.routes(&routes)
            HealthRecordAPI<Sleep>.routes(&routes, of: "Sleeps, by the day of waking", "a sleep")
            HealthRecordAPI<Activity>.routes(&routes, of: "Activities", "an activity")
            GoalAPI.routes(&routes)
            OwnHealthPages.routes(&routes)
            SharedHealth.routes(&routes)
        },
        removeExpired: { now, connection in try MeasurementIntakeStore.removeExpired(now: now, connection) },
        questions: FeatureQuestions { $0.bands = SharedHealth.bands }, studyFiles: StudyFile.measured,
        ownData: OwnHealthData.sections)
}
