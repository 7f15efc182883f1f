import Records
import Web

extension Feature {
    /// What leads open: their studies, participants, results and exports.
    package static let research = Feature(
        name: "research",
        addRoutes: { routes in
            StudyAPI.routes(&routes)
            ParticipantAPI.routes(&routes)
            AnchorAPI.routes(&routes)
            StudyPages.routes(&routes)
            StudyStatePages.routes(&routes)
            StudyLeadPages.routes(&routes)
            ParticipantPages.routes(&routes)
            CompliancePages.routes(&routes)
            ResultPages.routes(&routes)
            ResultAPI.routes(&routes)
            ParticipantPage.routes(&routes)
            ParticipantCourse.routes(&routes)
            PaperParticipantPages.routes(&routes)
            StudyExportPages.routes(&routes)
            ConsentAPI.routes(&routes)
            StudyItemAPI.routes(&routes)
            GroupAPI.routes(&routes)
            GroupPages.routes(&routes)
            AllocationAPI.routes(&routes)
            AllocationPages.routes(&routes)
            WaitingPages.routes(&routes)
            PlanAPI.routes(&routes)
            PlanPages.routes(&routes)
            InvitationPages.routes(&routes)
            StudyItemPages.routes(&routes)
            TimePointPages.routes(&routes)
            ConsentPages.routes(&routes)
            ConsentPaperPages.routes(&routes)
        },
        makeParts: { settings, records, _, memory in
            [ExportJobs(path: settings.exportPath, memory, isShared: records.isShared)]
        })
}

extension Services {
    package var exports: ExportJobs { part(ExportJobs.self) }
}
