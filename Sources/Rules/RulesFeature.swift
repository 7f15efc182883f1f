import Identity
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
            RiskPages.routes(&routes)
            StarterSetAPI.routes(&routes)
        },
        makeParts: { _, _, _, _ in [DryRunTurn()] },
        questions: FeatureQuestions {
            $0.uses = { question, connection in
                try RuleStore.enabled(connection).flatMap { record -> [QuestionnaireUse] in
                    let whose = question.whose([record.ownerID])
                    if question.isOwnOnly, whose != .own { return [] }
                    let keys = question.keys.filter(record.rule.keys.contains)
                    let name =
                        keys.isEmpty || whose != .own
                        ? nil : try record.opened(try question.reader.key(question.keyring)).name
                    return keys.map {
                        QuestionnaireUse($0, .reaction, whose, name: name, path: "/rules/\(record.id)")
                    }
                }
            }
        },
        studyFiles: [.interventions], pages: [RiskPages.Again.example], ownData: OwnTherapyData.sections)
}
