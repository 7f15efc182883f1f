import Therapies
import Web

extension Feature {
    /// The therapist's pages: patients, appointments, timeline, briefing, today.
    package static let clinic = Feature(
        name: "clinic",
        addRoutes: { routes in
            CaseloadPages.routes(&routes)
            PatientPages.routes(&routes)
            PatientAPI.routes(&routes)
            EndingPages.routes(&routes)
            SessionPages.routes(&routes)
            SessionShowPages.routes(&routes)
            SessionMovePages.routes(&routes)
            SessionDrafting.routes(&routes)
            SessionRemoval.routes(&routes)
            SessionAPI.routes(&routes)
            AppointmentPages.routes(&routes)
            WeekPages.routes(&routes)
            CalendarPages.routes(&routes)
            TherapyFilePages.routes(&routes)
            KeptFilePages.routes(&routes)
            LetterPages.routes(&routes)
            LetterAPI.routes(&routes)
            PhoneContactPages.routes(&routes)
            PhoneContactAPI.routes(&routes)
            EmergencyPages.routes(&routes)
            EmergencyAPI.routes(&routes)
            PausePages.routes(&routes)
            PauseAPI.routes(&routes)
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
            NewsSetAside.routes(&routes)
            WelcomePages.routes(&routes)
            SearchPages.routes(&routes)
            ScreenPages.routes(&routes)
            ClinicViewPages.routes(&routes)
            ClinicCoverPages.routes(&routes)
            CoverPages.routes(&routes)
            CoverAPI.routes(&routes)
            AbsencePages.routes(&routes)
            AbsenceAPI.routes(&routes)
            HandOverTelling.routes(&routes)
            MemberPages.routes(&routes)
            MemberActions.routes(&routes)
            routes.bar(PatientBarReader.read)
        },
        removeExpired: { now, connection in
            try PhoneContactStore.removeExpired(now: now, connection)
            try EmergencyContactStore.removeExpired(now: now, connection)
            try SessionNoteDraftStore.removeExpired(now: now, connection)
            try RemovedSessionStore.removeExpired(now: now, connection)
            try KeptFileStore.removeExpired(now: now, connection)
            try AbsenceStore.removeExpired(now: now, connection)
            try NewsSetAsideStore.removeExpired(now: now, connection)
            try ToldHandOverStore.removeExpired(now: now, connection)
        }, beforeErasure: { account, services, now in try KeptFiles.prepare(account, services, now) },
        pages: [
            HandOverTelling.Show.example, ClinicCoverPages.New.example, SessionMovePages.Show.example,
            EmergencyPages.Opening.example,
        ])
}
