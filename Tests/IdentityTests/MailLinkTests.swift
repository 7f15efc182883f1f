import Testing
import Wire
import Wording

@testable import Database
@testable import Identity
@testable import Records

/// Links in mails, and passwords.
@Suite struct MailLinkTests {
    private let now = Instant(milliseconds: 1_800_000_000_000)

    private func link(expires: Instant, spent: Instant? = nil) throws -> MailLink? {
        try Connection.inMemory {
            try $0.first("SELECT 'ada' AS account_id, \(expires) AS expires_at, \(spent) AS spent_at")
        }
    }

    private func status(_ link: MailLink?) -> Int {
        do {
            return try MailLink.owner(of: link, now: now, or: "registration.link_dead") == "ada" ? 200 : 500
        } catch { return error.status }
    }

    @Test func `a link opens until it is used or has run out, and an unknown one is not there`() throws {
        #expect(status(try link(expires: now.adding(seconds: 1))) == 200)
        #expect(status(try link(expires: now)) == 410)
        #expect(status(try link(expires: now.adding(days: 1), spent: now)) == 410)
        #expect(status(nil) == 404)
    }
}

@Suite struct PasswordHasherTests {
    @Test func `the same letters in another form are the same password`() throws {
        let hasher = PasswordHasher()
        let hash = try hasher.hash("K\u{F6}nigin am Morgen")
        #expect(try hasher.verify("Ko\u{308}nigin am Morgen", against: hash))
        #expect(try !hasher.verify("Königin am Abend", against: hash))
    }

    @Test func `without an account no password is right, not even the one it is compared with`() throws {
        #expect(try !PasswordHasher().verify("nobody knows this password", against: nil))
    }

    @Test func `who finds the queue full is asked to come again`() {
        let error = #expect(throws: Problem.self) { try PasswordHasher(queue: 0).hash("whatever") }
        #expect(error?.status == 503)
    }
}
