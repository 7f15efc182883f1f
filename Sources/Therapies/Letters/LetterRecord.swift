import Database
import Foundation
import JSON
import Records
import Web
import Wire

/// A letter of a therapist about a patient, as stored (PR-38).
package struct LetterRecord: Sendable, FromRow {
    package let id: ID<LetterRecord>
    package let madeAt: Instant
    package let changedAt: Instant
    private let sealed: [UInt8]

    package init(row: borrowing Row) throws {
        id = try row["id"]
        madeAt = try row["made_at"]
        changedAt = try row["changed_at"]
        sealed = try row["letter"]
    }

    /// - Parameter key: the therapy's.
    package func draft(_ key: PersonKey) throws -> LetterDraft {
        try JSONReader.value(LetterDraft.self, from: try key.openBytes(sealed, from: Self.place(id)))
    }

    package static func place(_ id: ID<LetterRecord>) -> SealContext { SealContext("letters", id, "letter") }
}

/// What a letter says.
package struct LetterDraft: Codable, Sendable, Equatable {
    package enum Kind: String, Codable, Sendable, CaseIterable { case referral, insurer, gp }

    package let kind: Kind
    package let title: String
    /// Markdown, in which only courses are still fields.
    package let text: String

    package static let longestTitle = 120
    package static let longestText = 20_000

    package init(kind: Kind, title: String, text: String) {
        self.kind = kind
        self.title = title
        self.text = text
    }

    package func sealed(_ key: PersonKey, for id: ID<LetterRecord>) throws -> [UInt8] {
        key.seal(bytes: try JSONWriter.bytes(of: self), for: LetterRecord.place(id))
    }
}
