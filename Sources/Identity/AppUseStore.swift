import Database
import Records
import Wire

/// Every statement about the days on which people use the app: one row for each local day and platform, nothing finer (ST-11).
package enum AppUseStore {
    /// How long they are kept.
    package static let months = 24

    package struct Day: Sendable, Equatable {
        package let day: LocalDate
        /// `browser` for pages, else what the app says of its device.
        package let platform: String
    }

    /// Notes the day of a credential, which is not due on that day any more.
    static func note(
        _ day: LocalDate, with credential: Credential, _ connection: borrowing Connection
    ) throws {
        try note(day, on: credential.usePlatform, of: credential.account, connection)
        try connection.run("UPDATE credentials SET used_on = \(day) WHERE id = \(credential.id)")
    }

    static func note(
        _ day: LocalDate, on platform: String, of account: ID<Account>, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO app_use (account_id, day, platform) VALUES (\(account), \(day), \(platform))
            ON CONFLICT (account_id, day, platform) DO NOTHING
            """)
    }

    /// The earliest first.
    package static func days(
        of account: ID<Account>, from first: LocalDate, to last: LocalDate, _ connection: borrowing Connection
    ) throws -> [Day] {
        try connection.all(
            """
            SELECT day, platform FROM app_use WHERE account_id = \(account) AND day >= \(first) AND day <= \(last)
            ORDER BY day, platform
            """
        ) { row in Day(day: try row[0], platform: try row[1]) }
    }

    package static func all(
        of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> [Day] {
        try connection.all(
            "SELECT day, platform FROM app_use WHERE account_id = \(account) ORDER BY day, platform"
        ) { row in Day(day: try row[0], platform: try row[1]) }
    }

    /// - Parameter today: a day of any zone; zones differ by a day at most.
    package static func removeExpired(today: LocalDate, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM app_use WHERE day < \(first(keptOn: today))")
    }

    /// The first day that is still kept.
    static func first(keptOn today: LocalDate) -> LocalDate {
        let year = today.year - months / 12
        return LocalDate(year: year, month: today.month, day: today.day)
            ?? LocalDate(year: year, month: today.month, day: 28) ?? today
    }
}
