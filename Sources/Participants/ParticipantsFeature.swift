import Web

extension Feature {
    /// What patients and participants see in the browser (PW-1): the same actions as the calls of the API, as pages.
    package static let participants = Feature(
        name: "participants",
        addRoutes: { routes in
            OwnDayPages.routes(&routes)
            OwnPairingPages.routes(&routes)
            OwnPracticePages.routes(&routes)
            OwnAppointmentPages.routes(&routes)
            CoursePages.routes(&routes)
            OwnContributionPages.routes(&routes)
            OwnTherapistPages.routes(&routes)
            OwnQuestionnairePages.routes(&routes)
            OwnAnswering.routes(&routes)
            LinkPages.routes(&routes)
            LinkMakingPages.routes(&routes)
        },
        removeExpired: { now, connection in
            try AssignmentLinkStore.removeExpired(now: now, connection)
        },
        revokeAll: { now, connection in
            try AssignmentLinkStore.endAll(at: now, connection)
        })
}
