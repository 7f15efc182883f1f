import Database
import Foundation
import Identity
import Records
import Wire

/// Statements about therapists' profiles.
package enum TherapistStore {
    package static func card(of account: AccountRecord, _ keys: Keyring, _ connection: borrowing Connection)
        throws
        -> TherapistCard
    {
        let id = account.id
        let sealed: [UInt8]? = try connection.value(
            "SELECT profile FROM therapist_profiles WHERE account_id = \(id)")
        var profile = TherapistProfile()
        if let sealed {
            let bytes = try account.key(keys).openBytes(sealed, from: AccountPlace.profile(id))
            profile = try JSONDecoder().decode(TherapistProfile.self, from: Data(bytes))
        }
        return TherapistCard(
            name: try account.name(keys) ?? "", email: try account.email(keys), profile: profile)
    }

    /// The card of a therapist by id; nil when there is no such account.
    package static func card(of id: ID<Account>, _ keys: Keyring, _ connection: borrowing Connection) throws
        -> TherapistCard?
    {
        guard let account = try AccountStore.find(id, connection) else { return nil }
        return try card(of: account, keys, connection)
    }

    /// A therapist's name with the degree, as others read it; empty when there is no such account.
    package static func name(of id: ID<Account>, _ keys: Keyring, _ connection: borrowing Connection) throws
        -> String
    {
        try card(of: id, keys, connection)?.fullName ?? ""
    }

    package static func save(_ sealed: [UInt8], of id: ID<Account>, _ connection: borrowing Connection) throws
    {
        try connection.run(
            """
            INSERT INTO therapist_profiles (account_id, profile) VALUES (\(id), \(sealed))
            ON CONFLICT (account_id) DO UPDATE SET profile = excluded.profile
            """)
    }
}
