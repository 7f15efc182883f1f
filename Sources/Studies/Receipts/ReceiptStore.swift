import Database
import Records
import Wire

/// Every statement about receipts.
package enum ReceiptStore {
    static func insert(
        _ number: ReceiptNumber, of enrolment: EnrolmentRecord, _ key: PersonKey, isErased: Bool,
        at now: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO leaving_receipts (number, study_id, left_at, is_erased)
            VALUES (\(number.digest), \(enrolment.studyID), \(now), \(isErased))
            """)
        try connection.run(
            """
            INSERT INTO enrolment_receipts (enrolment_id, number)
            VALUES (\(enrolment.id), \(key.seal(number.text, for: place(enrolment.id))))
            """)
    }

    /// Notes that what was kept at first is gone, too.
    static func noteErasure(_ number: ReceiptNumber, _ connection: borrowing Connection) throws {
        try connection.run(
            "UPDATE leaving_receipts SET is_erased = 1 WHERE number = \(number.digest)")
    }

    /// The number of a participation that was left; nil for one that was left before there were receipts.
    package static func number(
        of enrolment: ID<Enrolment>, _ key: PersonKey, _ connection: borrowing Connection
    ) throws -> ReceiptNumber? {
        let sealed: [UInt8]? = try connection.value(
            "SELECT number FROM enrolment_receipts WHERE enrolment_id = \(enrolment)")
        return try sealed.flatMap { ReceiptNumber(typed: try key.open($0, from: place(enrolment))) }
    }

    package static func find(
        _ number: ReceiptNumber, _ connection: borrowing Connection
    ) throws -> (study: ID<Study>, leftAt: Instant, isErased: Bool)? {
        try connection.first(
            "SELECT study_id, left_at, is_erased FROM leaving_receipts WHERE number = \(number.digest)"
        ) { row in (try row[0], try row[1], try row[2]) }
    }

    private static func place(_ enrolment: ID<Enrolment>) -> SealContext {
        SealContext("enrolment_receipts", enrolment.text, "number")
    }
}
