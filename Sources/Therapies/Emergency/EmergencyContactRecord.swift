import Database
import Foundation
import Records
import Web
import Wire
import Wording

/// The person to call where a patient cannot be reached (PR-29).
package struct EmergencyContactRecord: Sendable, FromRow {
    package let therapyID: ID<Therapy>
    private let sealed: [UInt8]

    package init(row: borrowing Row) throws {
        therapyID = try row["therapy_id"]
        sealed = try row["contact"]
    }

    /// - Parameter key: the therapy's.
    package func contact(_ key: PersonKey) throws -> EmergencyContact {
        let bytes = try key.openBytes(sealed, from: Self.place(therapyID))
        return try JSONDecoder().decode(EmergencyContact.self, from: Data(bytes))
    }

    /// What is stored of a contact.
    package static func seal(
        _ contact: EmergencyContact, of therapy: ID<Therapy>, _ key: PersonKey
    ) throws -> [UInt8] {
        key.seal(bytes: Array(try JSONEncoder().encode(contact)), for: place(therapy))
    }

    private static func place(_ therapy: ID<Therapy>) -> SealContext {
        SealContext("emergency_contacts", therapy, "contact")
    }
}

/// One opening of a contact by a colleague who stands in.
package struct EmergencyOpening: Sendable, FromRow {
    package enum Reason: String, Sendable, CaseIterable, SQLConvertible { case risk, unreachable, other }

    package let id: ID<EmergencyOpening>
    package let therapyID: ID<Therapy>
    package let accountID: ID<Account>
    package let reason: Reason
    package let openedAt: Instant
    private let sealedWords: [UInt8]?

    /// For how long the contact stays on the page.
    package static let seconds: Int64 = 600

    package init(row: borrowing Row) throws {
        id = try row["id"]
        therapyID = try row["therapy_id"]
        accountID = try row["account_id"]
        reason = try row["reason"]
        openedAt = try row["opened_at"]
        sealedWords = try row["words"]
    }

    package init(
        id: ID<EmergencyOpening>, of therapy: ID<Therapy>, by account: ID<Account>, _ reason: Reason,
        at now: Instant
    ) {
        self.id = id
        therapyID = therapy
        accountID = account
        self.reason = reason
        openedAt = now
        sealedWords = nil
    }

    /// - Parameter key: the therapy's.
    package func words(_ key: PersonKey) throws -> String? {
        try sealedWords.map { try key.open($0, from: Self.words(id)) }
    }

    package static func words(_ id: ID<EmergencyOpening>) -> SealContext {
        SealContext("emergency_openings", id, "words")
    }
}
