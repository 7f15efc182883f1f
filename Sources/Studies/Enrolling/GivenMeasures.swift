import Database
import Identity
import Records
import Web
import Wire
import Wording

/// How many participants give which of their measurements to a study, as its next export holds them.
package struct GivenMeasures: Sendable {
    /// Participants whose values are told, by kind.
    package let people: [StudyMeasures.Measure: Int]
    /// Participants whose ticks count for nothing until they agree to research or tick anew.
    package let waiting: Int

    /// By the rule of the export: a tick is the yes, one under an earlier sentence only together with a yes to research.
    package init(_ study: StudyRecord, _ connection: borrowing Connection) throws {
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
    package func gives(_ connection: borrowing Connection) throws -> Bool {
        try !hasEarlierTicks || EnrolmentStore.hasResearchConsent(accountID, connection)
    }
}

extension StudyMeasures {
    /// Changes which measurements go to a study, for a participant or a pending request.
    package static func choose(_ wanted: [Measure], in study: ID<Study>, _ c: Context<Member>) throws {
        let account = c.proof.account
        let names = wanted.map(\.rawValue).sorted().joined(separator: " ")
        let change = try c.change(of: try account.key(c.keys), to: ["types": names])
        try c.write(.studyMeasuresChosen, about: account.id, object: study, change: change) {
            [now = c.now] connection in
            guard let present = try StudyStore.find(study, connection),
                let enrolment = try EnrolmentStore.find(in: study, of: account.id, connection),
                enrolment.state == .enrolled || enrolment.state == .pending
            else { throw Problem.notFound }
            // The study may have ceased to ask meanwhile.
            let given = present.measurements.filter(wanted.contains)
            try StudyMeasureStore.set(
                given, of: enrolment.id, asked: present.measurements, at: now, connection)
        }
    }
}

extension AuditAction {
    static let studyMeasuresChosen = AuditAction(name: "enrolment.measurements", endsConsent: true)
}
