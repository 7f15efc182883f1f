import Web

extension Feature {
    /// The clinic's own people: accounts, hand-over, the audit log, settings of the clinic.
    package static let staff = Feature(
        name: "staff",
        addRoutes: { routes in
            AccessLogAPI.routes(&routes)
            AccessLogPages.routes(&routes)
            AuditLogAPI.routes(&routes)
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
        })
}
