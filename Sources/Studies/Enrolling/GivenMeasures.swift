import Database
import Identity
import Records
import Wire

/// How many participants give which of their measurements to a study, as its next export holds them.
struct GivenMeasures: Sendable {
    /// Participants whose values are told, by kind.
    let people: [StudyMeasures.Measure: Int]
    /// Participants whose ticks count for nothing until they agree to research or tick anew.
    let waiting: Int

    /// By the rule of the export: a tick is the yes, one under an earlier sentence only together with a yes to research.
    init(_ study: StudyRecord, _ connection: borrowing Connection) throws {
        var late: Set<ID<Account>> = []
        var given: [StudyMeasures.Measure: Set<ID<Account>>] = [:]
        for enrolment in try EnrolmentStore.consenting(in: study.id, connection) {
            let account = enrolment.accountID
            for kind in study.measurements where enrolment.measurements.contains(kind) {
                if try enrolment.gives(connection) {
                    given[kind, default: []].insert(account)
                } else {
                    late.insert(account)
                }
            }
        }
        people = given.mapValues(\.count)
        waiting = late.count
    }
}

extension EnrolmentRecord {
    /// Whether what is ticked goes to the study: by the tick alone, under an earlier sentence only with a yes to research.
    func gives(_ connection: borrowing Connection) throws -> Bool {
        try !hasEarlierTicks || EnrolmentStore.hasResearchConsent(accountID, connection)
    }
}
