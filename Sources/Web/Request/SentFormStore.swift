import Database
import Wire

/// Every statement about forms that were sent.
package enum SentFormStore {
    static func find(_ name: String, _ connection: borrowing Connection) throws -> EarlierForm? {
        try connection.first("SELECT content, answer, sent_at FROM sent_forms WHERE name = \(name)") { row in
            EarlierForm(content: try row["content"], sentAt: try row["sent_at"], sealed: try row["answer"])
        }
    }

    static func insert(_ form: SentForm, _ connection: borrowing Connection) throws {
        try connection.run(
            """
            INSERT INTO sent_forms (name, content, sent_at, expires_at)
            VALUES (\(form.name), \(form.content), \(form.sentAt), \(form.sentAt.adding(seconds: SentForm.kept)))
            """)
    }

    static func answer(_ name: String, _ sealed: [UInt8], _ connection: borrowing Connection) throws {
        try connection.run("UPDATE sent_forms SET answer = \(sealed) WHERE name = \(name)")
    }

    static func remove(_ name: String, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM sent_forms WHERE name = \(name)")
    }

    package static func removeExpired(now: Instant, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM sent_forms WHERE expires_at <= \(now)")
    }
}
