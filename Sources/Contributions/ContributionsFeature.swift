import Web

extension Feature {
    /// Answers as they came.
    package static let contributions = Feature(
        name: "contributions",
        addRoutes: { routes in
            ContributionPages.routes(&routes)
        },
        eraseAccount: { account, connection in
            try ContributionUpkeepStore.erase(of: account, connection)
        },
        eraseAnswers: { account, study, _, connection in
            try ContributionUpkeepStore.erase(of: account, inStudy: study, connection)
        },
        ownData: OwnContributionData.sections)
}
