import HTTP
import Records
import Testing
import Wire
import Wording

@testable import Database
@testable import Identity

/// People, requests and moments, made without a database.
enum Faces {
    /// Friday, 20 November 2026, 9:00 in UTC.
    static let now = Instant(milliseconds: 1_795_165_200_000)

    static func person(
        _ kind: AccountRecord.Kind, _ roles: Set<Role> = [], by credential: Credential.Kind = .session,
        epoch: Int = 0
    ) throws -> SignedIn {
        let person: SQL =
            """
            SELECT 'ada' AS id, \(kind) AS kind, 'de' AS language, 'UTC' AS timezone, NULL AS sex,
                0 AS research_consent, \(now) AS verified_at, NULL AS disabled_at, \(epoch) AS access_epoch,
                0 AS gps_on, 0 AS microphone_on, 1 AS notify_questionnaires, 1 AS notify_interventions,
                1 AS notify_appointments, 0 AS names_hidden, 0 AS keys_off, '-' AS password_hash,
                x'00' AS wrapped_key, x'00' AS email, NULL AS name
            """
        let way: SQL =
            """
            SELECT 'c' AS id, 'ada' AS account_id, \(credential) AS kind, \(now) AS last_used_at,
                \(now.adding(days: 1)) AS expires_at, NULL AS stays_until, 0 AS installed,
                NULL AS platform, NULL AS used_on
            """
        return try Connection.inMemory { connection in
            let account = try connection.first(person) { row in try AccountRecord(row: row, roles: roles) }
            return SignedIn(
                account: try #require(account), credential: try #require(try connection.first(way)))
        }
    }

    static func request(
        _ target: String = "/", _ method: Method = .get, _ headers: Headers = [:], body: String = "",
        peer: String = ""
    ) throws -> Request {
        Request(
            method: method, target: try #require(Target(target)), headers: headers, body: Array(body.utf8),
            peer: peer)
    }

    /// The form as a browser sends it.
    static func form(_ body: String, _ target: String = "/") throws -> Request {
        try request(target, .post, ["Content-Type": "application/x-www-form-urlencoded"], body: body)
    }
}
