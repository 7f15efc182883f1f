import Database
import Web

/// Revisions of single settings of an account. Each covers only what its own call shows and changes: switching a
/// sensor on does not conflict with correcting a name.
package enum AccountRevisionStore {
    package static let registration: RevisionOf = { _, account, connection in
        try connection.revision("SELECT email, verified_at FROM accounts WHERE id = \(account)")
    }

    package static let profile: RevisionOf = { _, account, connection in
        try connection.revision(
            "SELECT email, verified_at, name, language, timezone, sex FROM accounts WHERE id = \(account)")
    }

    static let therapistProfile: RevisionOf = { _, account, connection in
        try connection.revision(
            """
            SELECT accounts.email, accounts.name, therapist_profiles.profile FROM accounts
            LEFT JOIN therapist_profiles ON account_id = accounts.id WHERE accounts.id = \(account)
            """)
    }

    package static let privacy: RevisionOf = { _, account, connection in
        try connection.revision(
            """
            SELECT research_consent, (SELECT count(*) FROM consent_choices WHERE account_id = accounts.id)
            FROM accounts WHERE id = \(account)
            """)
    }

    package static let sensors: RevisionOf = { _, account, connection in
        try connection.revision("SELECT gps_on, microphone_on FROM accounts WHERE id = \(account)")
    }

    package static let notifications: RevisionOf = { _, account, connection in
        try connection.revision(
            """
            SELECT notify_questionnaires, notify_interventions, notify_appointments FROM accounts
            WHERE id = \(account)
            """)
    }
}
