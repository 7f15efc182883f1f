import Identity
import Web
import Wire

extension Feature {
    /// The pages of patients and participants (PW-1): the same actions as the calls of the API.
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
            OwnEventPages.routes(&routes)
            OwnProfilePages.routes(&routes)
            LinkPages.routes(&routes)
            LinkMakingPages.routes(&routes)
            OwnWordsPages.routes(&routes)
            OfflinePages.routes(&routes)
            OfflineSheets.routes(&routes)
            OfflineEvents.routes(&routes)
            OwnPushPages.routes(&routes)
            OwnSettingsPages.routes(&routes)
            OwnCopy.routes(&routes)
            OwnSwitchPages.routes(&routes)
            OwnSharingPages.routes(&routes)
            OwnSharingAPI.routes(&routes)
            OwnSecurityPages.routes(&routes)
            OwnEmailPages.routes(&routes)
            OwnPrivacyPages.routes(&routes)
            OwnErasurePages.routes(&routes)
            OwnNoticePages.routes(&routes)
            EntrancePage.routes(&routes)
            PublicStudyPages.routes(&routes)
            OwnStudiesPages.routes(&routes)
            OwnTimesPages.routes(&routes)
            OwnStudyMeasuresPages.routes(&routes)
            LeavingPages.routes(&routes)
            ReceiptPages.routes(&routes)
            OwnConsentPages.routes(&routes)
            OwnConsentPaperPages.routes(&routes)
            OwnLocationPages.routes(&routes)
            ChangesAPI.routes(&routes)
            ProjectFeedbackAPI.routes(&routes)
            FeedbackPages.routes(&routes)
        },
        removeExpired: { now, connection in
            try AssignmentLinkStore.removeExpired(now: now, connection)
        },
        eraseAccount: { account, connection in
            try FeedbackStore.erase(of: account, connection)
        },
        revokeAll: { now, connection in
            try AssignmentLinkStore.endAll(at: now, connection)
        },
        pages: [
            AnswerPages.Sent.example, LinkPages.Review.example, LinkPages.Sent.example,
            OwnTimesPages.Edit.example, OwnConsentPages.Read.example,
        ],
        ownData: { owner, connection in
            let said = try FeedbackStore.all(of: owner.account.id, owner.c.keys, connection)
            return [.feedback: said.map(\.attributes)]
        })
}
