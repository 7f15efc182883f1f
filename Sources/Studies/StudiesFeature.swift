import Instruments
import Records
import Web

extension Feature {
    /// Studies: what they ask, whom, in which groups; enrolling in them.
    package static let studies = Feature(
        name: "studies",
        addRoutes: { routes in
            EnrolmentAPI.routes(&routes)
            RefusalAPI.routes(&routes)
            FeedbackAPI.routes(&routes)
            NotificationPlanAPI.routes(&routes)
            Receipts.routes(&routes)
        },
        removeExpired: { now, connection in
            try InvitationStore.removeExpired(now: now, connection)
            try GroupStore.releaseEnded(at: now, connection)
        },
        eraseAccount: { account, connection in
            try FlowStore.noteErasure(of: account, connection)
            try AllocationStore.forget(account, connection)
            try UnmaskingStore.forget(account, connection)
            try ReceiptStore.noteErasure(of: account, connection)
        },
        questions: FeatureQuestions {
            $0.uses = { question, connection in
                try StudyItemStore.studies(asking: question.keys, connection).compactMap { key, study, name in
                    let whose = question.whose(try StudyStore.unmasked(study, connection))
                    if question.isOwnOnly, whose != .own { return nil }
                    return QuestionnaireUse(
                        key, .study, whose, name: name, path: "/studies/\(study)/questionnaires")
                }
            }
            $0.isAsked = { questionnaire, account, connection in
                try StudyItemStore.isOpen(questionnaire, to: account, connection)
            }
            $0.prompted = { id, account, services, now, connection in
                if let event = try OwnEvents.fillable(
                    ID(id.text), of: account, services.questionnaires, connection)
                {
                    return event
                }
                let asked = try StudyAssignments(account: account, cache: services.questionnaires, now: now)
                    .known(id, connection)
                return asked.map {
                    .init(version: $0.questionnaire.id, draft: $0.draft.text, isAnswered: $0.isAnswered)
                }
            }
            $0.participates = { account, _, now, connection in
                try TherapyDates.follow(account, at: now, connection)
            }
            $0.therapyChanges = TherapyDates.follow
            $0.hasAgreed = { account, choice, connection in
                try EnrolmentStore.hasAgreed(account, after: choice, connection)
            }
        },
        studyFiles: [.participants, .sessions, .pauses, .use],
        ownData: OwnStudyData.sections)
}
