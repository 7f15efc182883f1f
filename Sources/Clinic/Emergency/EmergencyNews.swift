import Database
import Identity
import Records
import Therapies
import Web

/// An opening of an emergency contact that the therapist has not read yet, on Today (PR-29).
struct EmergencyNews: Encodable, Sendable {
    let name: PatientName?
    let path: String
    let text: String
    /// The form's action.
    let read: String

    static func all(
        among therapies: [Therapy], _ names: PatientNames, _ c: Context<Member>,
        _ connection: borrowing Connection
    ) throws -> [EmergencyNews] {
        let byID = Dictionary(uniqueKeysWithValues: therapies.map { ($0.id, $0) })
        return try EmergencyContactStore.unread(by: c.proof.account.id, connection).compactMap {
            opening -> EmergencyNews? in
            guard let therapy = byID[opening.therapyID] else { return nil }
            return EmergencyNews(
                name: try names[therapy.id], path: therapy.path,
                text: try EmergencyFormatter.line(opening, of: therapy, c, connection),
                read: "\(therapy.path)/emergency-contact/openings/\(opening.id)/read")
        }
    }
}
