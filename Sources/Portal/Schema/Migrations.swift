/// The schema, step by step. A released step is never edited; an error is corrected by a new one.
enum Migrations {
    static let all = [
        m001Accounts, m002Therapies, m003Questionnaires, m004Delivery, m005Appointments, m006Interventions,
        m007Rules, m008Calendar, m009Privacy, m010Mails, m011Audit, m012SecondFactors, m013Information,
        m014Briefing, m015Figures, m016DailyPoints, m017Studies, m018StudyGroups, m019Prompts,
        m020StudySettings, m022Clinic, m023Sites, m025CredentialFactors, m026Access, m027Languages,
        m028StayingSignedIn, m029AssignmentLinks, m030Devices, m031Feedback, m032Holders, m033EmailChanges,
        m034Push, m035Aliases, m036MustBeSeen, m037SessionNotes, m038Starter, m041Protocols,
        m042FromProtocols, m043PhoneContacts, m045Sharing, m046Sounds, m047Tinnitus, m048Wearables,
        m049WearableLinks, m050StudyMeasurements, m051HealthMinutes, m052SharingByTherapy,
        m055SessionDrafts, m057LinkDrafts, m061MeasurementIntake, m062AssignmentsByTime, m065StudyTicks,
        m068ErasedParticipants, m070AgreedConsents, m071Location, m072AnsweredOffers, m074DeviceTraits,
        m076NotedSessions, m079Inviters, m080ShortMemory, m081Risk, m085Absences, m086HandOversTold,
        m088CaseloadViews, m089NewsSetAside, m091Letters, m093VersionTold, m094ConfirmedLinks,
        m095SentForms, m099KnownOrigins, m100UnprovenAddresses, m101EmailReturns, m102LinksHandedBack,
        m103FormSources, m104ZoneWords, m105ZoneData, m106ClockNotices, m110CalendarRevisions,
        m112MomentaryReminders, m113KnownStages, m116LateDays, m117DeviceDays, m119PromptDrawings,
        m123SheetsAfterTheEnd, m124PushSenders, m125OvernightWindows, m126TherapistsSince, m127TimePoints,
        m128OutcomesByTimePoint, m129TherapyDates, m130StudyEvents, m131EachSession, m132HeldEvents,
        m133OutcomesOfTherapies, m134OwnArms, m135Strata, m136Allocations, m137Receipts, m138ItemChoices,
        m139ListeningAsked, m142AppUse, m146AllocatedAtBaseline, m147ItemsOfArms, m148ProtocolsOfArms,
        m149ListeningOfLeavers, m150MaskedLeads, m151MaskedLabels, m152Unmaskings,
    ]
}
