import Database
import Identity
import Records
import Wire

/// Every statement about positions for studies.
package enum StudyLocationStore {
    /// Whether a questionnaire in use of a study asks for it.
    package static func isAsked(in study: ID<Study>, _ connection: borrowing Connection) throws -> Bool {
        try connection.exists(
            """
            SELECT 1 FROM study_questionnaires WHERE study_id = \(study) AND uses_gps = 1
            AND deactivated_at IS NULL LIMIT 1
            """)
    }

    /// A yes also switches it on in the account's settings: without that no device would read it. Studies that never
    /// asked got nothing while it was off, and get nothing now.
    static func set(
        _ choice: StudyLocation.Choice, of enrolment: ID<Enrolment>, _ account: ID<Account>, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE enrolments SET location = \(choice), location_at = \(now), location_device = NULL
            WHERE id = \(enrolment)
            """)
        try ItemChoiceStore.insert(
            ItemChoice(kind: .location, isGiven: choice == .allowed, at: now, sentence: nil), of: enrolment,
            at: now, connection)
        guard choice == .allowed, let person = try AccountStore.find(account, connection) else { return }
        if person.isGPSOn { return }
        try connection.run(
            """
            UPDATE enrolments SET location = \(StudyLocation.Choice.refused), location_at = \(now)
            WHERE account_id = \(account) AND location IS NULL AND id <> \(enrolment)
            """)
        try AccountStore.setSensors(
            gps: true, microphone: person.isMicrophoneOn, of: account, connection)
    }

    /// Stores a device's statement that came with a sheet.
    package static func note(
        _ device: StudyLocation.Device, of enrolment: ID<Enrolment>, _ connection: borrowing Connection
    ) throws {
        try connection.run("UPDATE enrolments SET location_device = \(device) WHERE id = \(enrolment)")
    }
}
