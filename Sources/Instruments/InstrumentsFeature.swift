import Web

extension Feature {
    /// The clinic's questionnaires: shown, edited, previewed, exchanged.
    package static let instruments = Feature(
        name: "instruments",
        addRoutes: { routes in
            QuestionnairePages.routes(&routes)
            QuestionnaireAPI.routes(&routes)
            EditorPages.routes(&routes)
            SectionPages.routes(&routes)
            ScalePages.routes(&routes)
            PreviewPages.routes(&routes)
            ExchangePages.routes(&routes)
            InstrumentPages.routes(&routes)
            BlankForm.routes(&routes)
        },
        makeParts: { _, _, _, _ in [QuestionnaireCache()] },
        pages: [ImportedPage.example])
}

extension Services {
    package var questionnaires: QuestionnaireCache { part(QuestionnaireCache.self) }
}
