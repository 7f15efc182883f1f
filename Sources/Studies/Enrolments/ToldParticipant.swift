import Database
import Web
import Wording

extension EnrolmentStore {
    /// The participant of a page's path, as long as their data may be disclosed.
    package static func told(
        _ c: Context<some StudyProof>, _ connection: borrowing Connection
    ) throws -> EnrolmentRecord {
        let study = c.proof.study.id
        let codename = c.places["codename"] ?? ""
        guard let found = try find(codename, in: study, connection),
            let told = try consenting(found.id, connection)
        else { throw Problem.notFound }
        return told
    }
}
