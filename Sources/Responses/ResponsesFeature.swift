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
            StarterSetAPI.routes(&routes)
            ContributionPages.routes(&routes)
        },
        removeExpired: { now, connection in
            try DraftStore.removeExpired(now: now, connection)
        },
        eraseAccount: { account, connection in
            try ContributionUpkeepStore.erase(of: account, connection)
        },
        eraseAnswers: { answers, connection in
            try ContributionUpkeepStore.erase(of: answers.account, inStudy: answers.study, connection)
        })
}
