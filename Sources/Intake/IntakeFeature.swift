import Delivery
import Identity
import Records
import Studies
import Web
import Wire

extension Feature {
    /// Every way by which answers come in: phones, paper, quarantine.
    package static let intake = Feature(
        name: "intake",
        addRoutes: { routes in
            QuarantinePages.routes(&routes)
            QuarantineAPI.routes(&routes)
            StudyQuarantinePages.routes(&routes)
            StudyQuarantineAPI.routes(&routes)
            SubmissionAPI.routes(&routes)
            EventAPI.routes(&routes)
            LivingProfileAPI.routes(&routes)
            PaperEntry.routes(&routes)
            StudyPaperEntry.routes(&routes)
        },
        removeExpired: { now, connection in
            try QuarantineStore.removeExpired(now: now, connection)
        },
        eraseAnswers: { account, study, _, connection in
            try QuarantineStore.erase(of: account, in: study, connection)
            // What is half filled in about an event, at a time point or about a session is kept under its id.
            let events = try StudyEventStore.ids(of: account, in: study, connection).map(\.text)
            let items = try StudyItemStore.all(in: study, connection)
            let sessions = try ParticipantSessions.prompts(of: items, of: account, in: study, connection)
            let subjects = events + items.map(\.id.text) + sessions.map(\.text)
            try DraftStore.erase(subjects.map { ID($0) }, of: account, connection)
        },
        questions: FeatureQuestions {
            $0.held = { study, connection in try QuarantineStore.count(at: .study(study), connection) }
        },
        ownData: { owner, connection in
            let refused = try QuarantineStore.all(of: owner.account.id, connection)
            return [
                .refusedSheets: try refused.map { record -> Facts in
                    [
                        "received_at": record.receivedAt, "reason": record.reason.rawValue,
                        "decision": record.decision?.rawValue,
                        "sheet": record.isEmptied ? nil : try record.json(owner.key),
                    ]
                }
            ]
        })
}
