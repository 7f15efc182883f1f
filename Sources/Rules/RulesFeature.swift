import Web

extension Feature {
    /// Interventions, rules over results, alerts.
    package static let rules = Feature(
        name: "rules",
        addRoutes: { routes in
            LibraryPages.routes(&routes)
            LibraryAPI.routes(&routes)
            InterventionAPI.routes(&routes)
            VaultAPI.routes(&routes)
            RulePages.routes(&routes)
            RuleAPI.routes(&routes)
            AlertPages.routes(&routes)
            AlertAPI.routes(&routes)
            StarterSetAPI.routes(&routes)
        },
        makeParts: { _, _, _ in [DryRunTurn()] },
        questions: FeatureQuestions(
            noteUses: { key, _, uses, connection in
                uses.rules += try RuleStore.count(lookingAt: key, connection)
            }))
}
