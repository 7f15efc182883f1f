import Records
import Web

extension Feature {
    /// The installation: administration, first steps, upkeep, probes.
    static let system = Feature(
        name: "system",
        addRoutes: { routes in
            AssetPages.routes(&routes)
            SystemAPI.routes(&routes)
            UndoRoutes.routes(&routes)
            ProbePages.routes(&routes)
            AdminHome.routes(&routes)
            SystemPages.routes(&routes)
        },
        makeParts: { settings, records, log, _ in
            [
                BackupScheduler(settings, records, log), Readiness(Disk(path: settings.data)), HealthWatch(),
            ]
        },
        removeExpired: { now, connection in
            try UndoStore.removeExpired(now: now, connection)
            try ShortMemoryStore.removeExpired(now: now, connection)
            try SentFormStore.removeExpired(now: now, connection)
        },
        pages: [
            ComponentPage.example, ProblemPage.example, ProblemPage.Inside.example, ProblemPage.Own.example,
        ])
}
