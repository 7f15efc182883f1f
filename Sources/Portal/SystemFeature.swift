import Records
import Web

extension Feature {
    /// The installation: administration, first steps, upkeep, probes, the copy of one's own data.
    static let system = Feature(
        name: "system",
        addRoutes: { routes in
            AssetPages.routes(&routes)
            SystemAPI.routes(&routes)
            UndoRoutes.routes(&routes)
            ProbePages.routes(&routes)
            OwnDataAPI.routes(&routes)
            AccessLogAPI.routes(&routes)
            OwnDataPages.routes(&routes)
            AuditLogAPI.routes(&routes)
            AdminHome.routes(&routes)
            SystemPages.routes(&routes)
            AuditLogPages.routes(&routes)
            TrailPages.routes(&routes)
            StaffAPI.routes(&routes)
            StaffPages.routes(&routes)
            ClosingPages.routes(&routes)
            HandOverPages.routes(&routes)
            HandOverAPI.routes(&routes)
            StudyHandOver.routes(&routes)
            ClinicAPI.routes(&routes)
            ClinicPages.routes(&routes)
        },
        makeParts: { settings, records, log in
            [
                BackupScheduler(settings, records, log), Readiness(Disk(path: settings.data)), HealthWatch(),
            ]
        },
        removeExpired: { now, connection in try UndoStore.removeExpired(now: now, connection) })
}
