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
            UnmaskingPages.routes(&routes)
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
        },
        // The demonstration has no masked leads, and its forms ask for masked archives, of which there are none.
        pages: [
            MaskedOverview.example, MaskedParticipants.example, MaskedParticipant.example,
            UnmaskingPages.Ask.examples[0], UnmaskingPages.Ask.examples[1], StudyExportPages.Progress.example,
        ])
}

extension Services {
    package var exports: ExportJobs { part(ExportJobs.self) }
}
