import Database
import JSON
import Records
import Wire
import Wording

/// A notice to a person, shown until they have seen it.
package struct NoticeRecord: Sendable, FromRow {
    package enum Kind: String, Sendable, SQLConvertible {
        case cover, handover
        case secondTherapist = "second_therapist"
        case supervisor
        case studyMessage = "study_message"
        case consentChanged = "consent_changed"
        case wearableConsent = "wearable_consent"
        case clockChange = "clock_change"
    }

    package let id: ID<NoticeRecord>
    package let kind: Kind
    let startsAt: Instant
    let endsAt: Instant?
    package let madeAt: Instant
    package let seenAt: Instant?
    package var isSeen: Bool { seenAt != nil }
    private let sealed: [UInt8]

    package init(row: borrowing Row) throws {
        id = try row["id"]
        kind = try row["kind"]
        startsAt = try row["starts_at"]
        endsAt = try row["ends_at"]
        madeAt = try row["made_at"]
        seenAt = try row["seen_at"]
        sealed = try row["words"]
    }

    /// - Parameter key: that of the person it is for.
    package func wire(_ key: PersonKey, _ readers: [Language]) throws -> Wire.Notice {
        let words = LocalizedText(json: try JSON.parse(try key.openBytes(sealed, from: NewNotice.place(id))))
        return Wire.Notice(
            kind: kind.rawValue, text: words.text(in: readers) ?? "", from: startsAt, until: endsAt,
            seenAt: seenAt)
    }
}

/// A notice to be stored, its words in every language sealed under the key of the person it is for.
package struct NewNotice: Sendable {
    package let id: ID<NoticeRecord>
    package let account: ID<Account>
    package let kind: NoticeRecord.Kind
    package let sealed: [UInt8]
    package let startsAt: Instant
    package let endsAt: Instant?

    package init(
        _ kind: NoticeRecord.Kind, _ words: LocalizedText, to key: PersonKey, id: ID<NoticeRecord>,
        from: Instant,
        until: Instant? = nil
    ) throws {
        self.id = id
        self.kind = kind
        account = ID(key.owner)
        sealed = key.seal(bytes: try JSONWriter.bytes(of: words), for: Self.place(id))
        startsAt = from
        endsAt = until
    }

    package static func place(_ id: ID<NoticeRecord>) -> SealContext { SealContext("notices", id, "words") }
}

extension AuditAction {
    static let noticeSeen = AuditAction(name: "notice.seen")
}
