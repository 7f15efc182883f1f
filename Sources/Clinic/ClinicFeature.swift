import Web

extension Feature {
    /// What a therapist opens: patients, appointments, timeline, briefing, today.
    package static let clinic = Feature(
        name: "clinic",
        addRoutes: { routes in
            PatientPages.routes(&routes)
            PatientAPI.routes(&routes)
            EndingPages.routes(&routes)
            PairingPages.routes(&routes)
            PairingAPI.routes(&routes)
            SessionPages.routes(&routes)
            SessionAPI.routes(&routes)
            AppointmentAPI.routes(&routes)
            AppointmentPages.routes(&routes)
            CalendarPages.routes(&routes)
            PausePages.routes(&routes)
            PauseAPI.routes(&routes)
            NotificationAPI.routes(&routes)
            OverviewAPI.routes(&routes)
            DeliveryPages.routes(&routes)
            DeliveryRulePages.routes(&routes)
            InterventionPages.routes(&routes)
            AnswersPages.routes(&routes)
            TimelinePages.routes(&routes)
            BriefingPages.routes(&routes)
            ComparisonPages.routes(&routes)
            TimelineAPI.routes(&routes)
            TodayPages.routes(&routes)
            WelcomePages.routes(&routes)
        },
        removeExpired: { now, connection in
            try PairingStore.removeExpired(now: now, connection)
        },
        revokeAll: { now, connection in
            try PairingStore.replaceAll(at: now, connection)
        })
}
