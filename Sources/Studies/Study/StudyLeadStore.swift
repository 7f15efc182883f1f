import Database
import Records
import Wire
import Wording

/// Every statement about the leads of a study.
extension StudyStore {
    package static func leads(_ id: ID<Study>, _ connection: borrowing Connection) throws -> [ID<Account>] {
        try connection.all("SELECT account_id FROM study_leads WHERE study_id = \(id) ORDER BY account_id") {
            row in
            try row[0]
        }
    }

    /// Those who may learn the arms of participants.
    package static func unmasked(_ id: ID<Study>, _ connection: borrowing Connection) throws -> [ID<Account>]
    {
        try connection.all(
            "SELECT account_id FROM study_leads WHERE study_id = \(id) AND masked = 0 ORDER BY account_id"
        ) { row in try row[0] }
    }

    package static func isMasked(
        lead: ID<Account>, in id: ID<Study>, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.exists(
            "SELECT 1 FROM study_leads WHERE study_id = \(id) AND account_id = \(lead) AND masked = 1")
    }

    /// - Throws: `Problem.conflict` when no lead would be left who is not masked.
    package static func remove(lead: ID<Account>, from id: ID<Study>, _ connection: borrowing Connection)
        throws
    {
        guard try hasLead(other: lead, id, connection) else {
            throw Problem.conflict(Message("studies.last_lead"))
        }
        try connection.run("DELETE FROM study_leads WHERE study_id = \(id) AND account_id = \(lead)")
    }

    /// Whether the study has a lead besides this account who is not masked, with an open account.
    package static func hasLead(
        other lead: ID<Account>, _ id: ID<Study>, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.exists(
            """
            SELECT 1 FROM study_leads JOIN accounts ON accounts.id = study_leads.account_id
            JOIN account_roles ON account_roles.account_id = accounts.id AND role = 'lead'
            WHERE study_id = \(id) AND masked = 0 AND accounts.id <> \(lead) AND disabled_at IS NULL
            AND verified_at IS NOT NULL
            """)
    }

    /// The studies that would have no lead without this account.
    package static func ledAlone(by lead: ID<Account>, _ connection: borrowing Connection) throws
        -> [StudyRecord]
    {
        try all(ofLead: lead, connection).filter { try !hasLead(other: lead, $0.id, connection) }
    }

    /// Whether an account is an open one of a lead.
    package static func mayLead(_ account: ID<Account>, _ connection: borrowing Connection) throws -> Bool {
        try connection.exists(
            """
            SELECT 1 FROM accounts JOIN account_roles ON account_id = id
            WHERE id = \(account) AND role = 'lead' AND disabled_at IS NULL AND verified_at IS NOT NULL
            """)
    }

    /// Moves all studies of one lead to another, masked where the first one was. In a study of both the other one stays as they are.
    /// - Throws: `Problem.conflict` when a study would be left to masked leads.
    package static func move(
        from lead: ID<Account>, to other: ID<Account>, _ connection: borrowing Connection
    ) throws {
        let moved = try all(ofLead: lead, connection).filter {
            try !isMasked(lead: lead, in: $0.id, connection)
        }
        try connection.run(
            """
            INSERT INTO study_leads (study_id, account_id, masked)
            SELECT study_id, \(other), masked FROM study_leads WHERE account_id = \(lead)
            ON CONFLICT (study_id, account_id) DO NOTHING
            """)
        try connection.run("DELETE FROM study_leads WHERE account_id = \(lead)")
        for study in moved where try !hasLead(other: lead, study.id, connection) {
            let title = study.title.text(in: .german) ?? study.name
            throw Problem.conflict(Message("staff.only_masked", ["study": title]))
        }
    }

    /// - Throws: `Problem.conflict` for a lead of the study who is masked and should not be, or the other way round.
    package static func add(
        lead: ID<Account>, to id: ID<Study>, isMasked: Bool = false, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO study_leads (study_id, account_id, masked) VALUES (\(id), \(lead), \(isMasked))
            ON CONFLICT (study_id, account_id) DO NOTHING
            """)
        let stands = try self.isMasked(lead: lead, in: id, connection)
        if isMasked, !stands { throw Problem.conflict(Message("studies.lead_known")) }
        if !isMasked, stands { throw Problem.conflict(Message("studies.lead_masked")) }
    }
}
