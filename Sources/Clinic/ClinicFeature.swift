import Therapies
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
            SessionShowPages.routes(&routes)
            SessionDrafting.routes(&routes)
            SessionRemoval.routes(&routes)
            SessionAPI.routes(&routes)
            AppointmentAPI.routes(&routes)
            AppointmentPages.routes(&routes)
            WeekPages.routes(&routes)
            CalendarPages.routes(&routes)
            TherapyFilePages.routes(&routes)
            KeptFilePages.routes(&routes)
            PhoneContactPages.routes(&routes)
            PhoneContactAPI.routes(&routes)
            PausePages.routes(&routes)
            PauseAPI.routes(&routes)
            NotificationAPI.routes(&routes)
            OverviewAPI.routes(&routes)
            DeliveryPages.routes(&routes)
            DailySwitchPages.routes(&routes)
            DeliveryRulePages.routes(&routes)
            PlanProtocolPages.routes(&routes)
            InterventionPages.routes(&routes)
            AnswersPages.routes(&routes)
            TimelinePages.routes(&routes)
            ScaleCoursePages.routes(&routes)
            BriefingPages.routes(&routes)
            ComparisonPages.routes(&routes)
            TimelineAPI.routes(&routes)
            TodayPages.routes(&routes)
            TodayAPI.routes(&routes)
            WelcomePages.routes(&routes)
            SearchPages.routes(&routes)
            ScreenPages.routes(&routes)
            ClinicViewPages.routes(&routes)
            CoverPages.routes(&routes)
            CoverAPI.routes(&routes)
            MemberPages.routes(&routes)
            MemberActions.routes(&routes)
            routes.bar(PatientBarReader.read)
        },
        removeExpired: { now, connection in
            try PairingStore.removeExpired(now: now, connection)
            try PhoneContactStore.removeExpired(now: now, connection)
            try SessionNoteDraftStore.removeExpired(now: now, connection)
            try RemovedSessionStore.removeExpired(now: now, connection)
            try KeptFileStore.removeExpired(now: now, connection)
        }, beforeErasure: { account, services, now in try KeptFiles.prepare(account, services, now) },
        revokeAll: { now, connection in
            try PairingStore.replaceAll(at: now, connection)
        })
}
