import Instruments
import Records
import Web

extension Feature {
    /// Studies: led, enrolled in, asked, compared, exported.
    package static let studies = Feature(
        name: "studies",
        addRoutes: { routes in
            EnrolmentAPI.routes(&routes)
            ConsentAPI.routes(&routes)
            FeedbackAPI.routes(&routes)
            StudyAPI.routes(&routes)
            StudyItemAPI.routes(&routes)
            NotificationPlanAPI.routes(&routes)
            GroupAPI.routes(&routes)
            GroupPages.routes(&routes)
            InvitationPages.routes(&routes)
            ParticipantAPI.routes(&routes)
            StudyPages.routes(&routes)
            StudyStatePages.routes(&routes)
            StudyLeadPages.routes(&routes)
            StudyItemPages.routes(&routes)
            ParticipantPages.routes(&routes)
            ConsentPages.routes(&routes)
            ResultPages.routes(&routes)
            ResultAPI.routes(&routes)
            ParticipantPage.routes(&routes)
            PaperParticipantPages.routes(&routes)
            StudyExportPages.routes(&routes)
        },
        makeParts: { settings, _, _ in [ExportJobs(path: settings.exportPath)] },
        removeExpired: { now, connection in
            try InvitationStore.removeExpired(now: now, connection)
            try GroupStore.releaseEnded(at: now, connection)
        },
        eraseAccount: FlowStore.noteErasure,
        questions: FeatureQuestions(
            uses: { question, connection in
                try StudyItemStore.studies(asking: question.keys, connection).compactMap { key, study, name in
                    let whose = question.whose(try StudyStore.leads(study, connection))
                    if question.isOwnOnly, whose != .own { return nil }
                    return QuestionnaireUse(
                        key, .study, whose, name: name, path: "/studies/\(study)/questionnaires")
                }
            },
            isAsked: { questionnaire, account, connection in
                try StudyItemStore.isOpen(questionnaire, to: account, connection)
            },
            prompted: { id, account, services, now, connection in
                let asked = try StudyAssignments(account: account, cache: services.questionnaires, now: now)
                    .known(id, connection)
                return asked.map { .init(version: $0.questionnaire.id, isAnswered: $0.isAnswered) }
            },
            hasAgreed: { account, choice, connection in
                try EnrolmentStore.hasAgreed(account, after: choice, connection)
            }))
}

extension Services {
    package var exports: ExportJobs { part(ExportJobs.self) }
}
