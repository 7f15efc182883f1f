import Therapies
import Web

extension Feature {
    /// Who is asked what, and what was answered.
    package static let responses = Feature(
        name: "responses",
        addRoutes: { routes in
            AssignmentPages.routes(&routes)
            AssignmentAPI.routes(&routes)
            DailyAPI.routes(&routes)
            DraftAPI.routes(&routes)
            LedgerAPI.routes(&routes)
            BatteryAPI.routes(&routes)
            BatteryPages.routes(&routes)
            DeliveryRuleAPI.routes(&routes)
            ContributionPages.routes(&routes)
            SeenPages.routes(&routes)
        },
        removeExpired: { now, connection in
            try DraftStore.removeExpired(now: now, connection)
            try BatteryStore.removeExpired(now: now, connection)
            try PauseStore.removeExpired(now: now, connection)
        },
        eraseAccount: { account, connection in
            try ContributionUpkeepStore.erase(of: account, connection)
        },
        eraseAnswers: { account, study, connection in
            try ContributionUpkeepStore.erase(of: account, inStudy: study, connection)
        },
        questions: FeatureQuestions(
            uses: { question, connection in
                try QuestionnaireUseStore.dailies(question, connection)
                    + QuestionnaireUseStore.batteries(question, connection)
                    + QuestionnaireUseStore.plans(question, connection)
                    + QuestionnaireUseStore.assignments(question, connection)
            },
            isAsked: { questionnaire, account, connection in
                try QuestionnaireUseStore.wasAssigned(questionnaire, to: account, connection)
            }, kits: StarterSet.kits))
}
