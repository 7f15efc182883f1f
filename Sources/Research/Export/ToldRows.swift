import Database
import JSON
import Records
import Studies
import Therapies
import Web
import Wire

/// What areas tell of a study's participants beside their answers. The one place that decides of whom and of which time (IO-20): files and
/// pages of leads read it here.
struct ToldRows {
    let study: StudyRecord
    let keys: Keyring
    let now: Instant

    /// A participant's time in the study; nil for participants that never were in it.
    func person(
        _ enrolment: EnrolmentRecord, _ key: PersonKey, _ connection: borrowing Connection
    ) throws -> StudyFile.Person? {
        guard let begin = enrolment.enrolledAt else { return nil }
        let end = enrolment.end(in: study, at: now)
        if end < begin { return nil }
        let account = enrolment.accountID
        let gives = try enrolment.gives(connection) ? enrolment.measurements : []
        return StudyFile.Person(
            enrolment: enrolment.id, account: account, zone: enrolment.zone, from: begin,
            to: end, key: key, gives: study.measurements.filter(gives.contains),
            agrees: try EnrolmentStore.agreesToResearch(enrolment, connection), keys: keys,
            names: keys.names(in: study.id))
    }

    /// The rows by the names of their files; of what a participant has not agreed to there are none.
    func rows(
        of person: StudyFile.Person, in files: [StudyFile], _ connection: borrowing Connection
    ) throws -> [String: [[JSON]]] {
        try files.filter { person.agrees || $0.consent != .research }.reduce(into: [:]) { rows, file in
            rows[file.name] = try file.rows(person, connection)
        }
    }
}
