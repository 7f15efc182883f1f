import Database
import HTTP
import Wire

/// Everything that says when the participants of a study are asked, read once. The one way to prompts: reminders,
/// assignments, compliance and export go through it.
struct StudyPrompts: Sendable {
    let study: StudyRecord
    let items: [StudyItem]
    private let runs: StudyRuns

    init(_ study: StudyRecord, _ connection: borrowing Connection) throws {
        self.study = study
        items = try StudyItemStore.all(in: study.id, connection)
        runs = try StudyStore.runs(study, connection)
    }

    /// When one participant is asked what.
    struct OfOne: Sendable {
        let all: StudyPrompts
        let enrolment: EnrolmentRecord
        let own: [String: [OwnPlan]]

        /// - Parameter first: when it was answered first.
        func prompts(
            of item: StudyItem, answered first: Instant?, since: Instant? = nil, until: Instant
        ) -> [Instant] {
            item.prompts(
                of: enrolment, all.runs, own: own[item.id] ?? [], answered: first, since: since, until: until)
        }
    }

    func of(_ enrolment: EnrolmentRecord, _ connection: borrowing Connection) throws -> OfOne {
        OfOne(all: self, enrolment: enrolment, own: try OwnTimesStore.all(of: enrolment.id, connection))
    }
}
