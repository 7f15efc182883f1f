import Database
import Records
import Wire

/// Every statement about receipts.
package enum ReceiptStore {
    /// - Parameter day: a moment that stands for the day.
    static func insert(
        _ number: ReceiptNumber, of enrolment: EnrolmentRecord, _ key: PersonKey, isErased: Bool,
        on day: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO leaving_receipts (number, study_id, left_at, is_erased)
            VALUES (\(number.digest), \(enrolment.studyID), \(day), \(isErased))
            """)
        try connection.run(
            """
            INSERT INTO enrolment_receipts (enrolment_id, receipt, number)
            VALUES (\(enrolment.id), \(number.digest), \(key.seal(number.text, for: place(enrolment.id))))
            """)
    }

    /// Notes that what was kept at first is gone, too, of all participations in a study.
    static func noteErasure(
        of account: ID<Account>, in study: ID<Study>, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE leaving_receipts SET is_erased = 1 WHERE study_id = \(study) AND number IN
                (SELECT receipt FROM enrolment_receipts JOIN enrolments ON enrolments.id = enrolment_id
                WHERE account_id = \(account))
            """)
    }

    /// The same of all studies, before the account goes.
    static func noteErasure(of account: ID<Account>, _ connection: borrowing Connection) throws {
        try connection.run(
            """
            UPDATE leaving_receipts SET is_erased = 1 WHERE number IN
                (SELECT receipt FROM enrolment_receipts JOIN enrolments ON enrolments.id = enrolment_id
                WHERE account_id = \(account))
            """)
    }

    /// The number of a participation that was left; nil for one that was left before there were receipts.
    package static func number(
        of enrolment: ID<Enrolment>, _ key: PersonKey, _ connection: borrowing Connection
    ) throws -> ReceiptNumber? {
        let sealed: [UInt8]? = try connection.value(
            "SELECT number FROM enrolment_receipts WHERE enrolment_id = \(enrolment)")
        return try sealed.flatMap { ReceiptNumber(typed: try key.open($0, from: place(enrolment))) }
    }

    /// Those of all participations in a study that were left, the latest first.
    package static func numbers(
        in study: ID<Study>, of account: ID<Account>, _ key: PersonKey, _ connection: borrowing Connection
    ) throws -> [ReceiptNumber] {
        try connection.all(
            """
            SELECT enrolment_id, number FROM enrolment_receipts JOIN enrolments ON enrolments.id = enrolment_id
            WHERE account_id = \(account) AND study_id = \(study) ORDER BY enrolments.left_at DESC NULLS LAST, enrolment_id
            """
        ) { row in (id: try row[0] as ID<Enrolment>, sealed: try row[1] as [UInt8]) }.compactMap {
            id, sealed in
            ReceiptNumber(typed: try key.open(sealed, from: place(id)))
        }
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
