import Contributions
import Identity
import JSON
import Records
import Therapies
import Web
import Wire

extension Feature {
    /// What is given out to be answered.
    package static let delivery = Feature(
        name: "delivery",
        addRoutes: { routes in
            AssignmentPages.routes(&routes)
            AssignmentAPI.routes(&routes)
            DailyAPI.routes(&routes)
            DraftAPI.routes(&routes)
            LedgerAPI.routes(&routes)
            BatteryAPI.routes(&routes)
            BatteryPages.routes(&routes)
            DeliveryRuleAPI.routes(&routes)
        },
        removeExpired: { now, connection in
            try DraftStore.removeExpired(now: now, connection)
            try BatteryStore.removeExpired(now: now, connection)
            try PauseStore.removeExpired(now: now, connection)
        },
        eraseAnswers: { account, _, questionnaires, connection in
            try DraftStore.erase(questionnaires.map { ID($0) }, of: account, connection)
        },
        questions: FeatureQuestions {
            $0.uses = { question, connection in
                try QuestionnaireUseStore.dailies(question, connection)
                    + QuestionnaireUseStore.batteries(question, connection)
                    + QuestionnaireUseStore.plans(question, connection)
                    + QuestionnaireUseStore.assignments(question, connection)
            }
            $0.isAsked = { questionnaire, account, connection in
                try QuestionnaireUseStore.wasAssigned(questionnaire, to: account, connection)
            }
            $0.kits = StarterQuestionnaires.kits
        },
        studyFiles: [.dailies],
        ownData: { owner, connection in
            let drafts = try DraftStore.all(of: owner.account.id, connection)
            return [
                .drafts: try drafts.map { draft -> Facts in
                    [
                        "subject_id": draft.subjectID.text, "updated_at": draft.updatedAt,
                        "answers": StoredJSON(written: try draft.answers(owner.key)),
                    ]
                }
            ]
        })
}
