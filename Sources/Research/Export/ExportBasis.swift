import Database
import Records
import Studies
import Wire

/// The agreements that a file stands on: whose data are in it, and by what. As long as it waits to be fetched, all of them have to hold.
package struct ExportBasis: Codable, Sendable {
    /// Of all participants in it.
    private(set) var codenames: [String] = []
    /// Of those who give measurements that are in it, by kind.
    private(set) var given: [String: [String]] = [:]
    /// Of those whose answers in therapy are in it, by their consent to research.
    private(set) var research: [String] = []

    init() {}

    /// - Parameters:
    ///   - hasMeasures: whether measurements are among the files.
    ///   - hasTherapy: whether answers in therapy are, or what else is told of therapies.
    init(
        _ people: [EnrolmentRecord], in study: StudyRecord, hasMeasures: Bool, hasTherapy: Bool,
        _ connection: borrowing Connection
    ) throws {
        codenames = people.map(\.codename)
        for enrolment in people {
            if hasMeasures, try enrolment.gives(connection) {
                for kind in study.measurements where enrolment.measurements.contains(kind) {
                    given[kind.rawValue, default: []].append(enrolment.codename)
                }
            }
            if hasTherapy, try EnrolmentStore.agreesToResearch(enrolment, connection) {
                research.append(enrolment.codename)
            }
        }
    }

    /// Whether all agreements of it are still in force: no participant in it was erased, left with all answers, or withdrew a part.
    package func holds(in study: ID<Study>, _ connection: borrowing Connection) throws -> Bool {
        var told: [String: EnrolmentRecord] = [:]
        for enrolment in try EnrolmentStore.consenting(in: study, connection) {
            told[enrolment.codename] = enrolment
        }
        for codename in codenames where told[codename] == nil { return false }
        for (kind, people) in given {
            for codename in people {
                guard let enrolment = told[codename], try enrolment.gives(connection),
                    enrolment.measurements.contains(where: { $0.rawValue == kind })
                else { return false }
            }
        }
        for codename in research {
            guard let enrolment = told[codename],
                try EnrolmentStore.agreesToResearch(enrolment, connection)
            else { return false }
        }
        return true
    }
}
