import Web

extension Feature {
    /// Every door through which answers come in: phones, paper, quarantine.
    package static let intake = Feature(
        name: "intake",
        addRoutes: { routes in
            QuarantinePages.routes(&routes)
            QuarantineAPI.routes(&routes)
            StudyQuarantinePages.routes(&routes)
            StudyQuarantineAPI.routes(&routes)
            SubmissionAPI.routes(&routes)
            ProfileAPI.routes(&routes)
            WaitingAPI.routes(&routes)
            PaperEntry.routes(&routes)
            StudyPaperEntry.routes(&routes)
        },
        removeExpired: { now, connection in
            try QuarantineStore.removeExpired(now: now, connection)
        },
        eraseAnswers: { account, study, connection in
            try StudyQuarantineStore.erase(of: account, in: study, connection)
        },
        questions: FeatureQuestions(
            held: { study, connection in try StudyQuarantineStore.held(in: study, connection) }))
}
