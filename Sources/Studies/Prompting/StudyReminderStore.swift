import Database
import Records
import Wire

/// How far the reminder of one prompt got. Neither says that it was seen.
package struct StudyReminder: Sendable, Equatable {
    /// When a relay took it.
    package let pushedAt: Instant?
    /// When a device reported that it was on the screen.
    package let shownAt: Instant?
}

/// The progress of a study's reminders: planned, pushed (the relay took it), shown (the device reported it).
package enum StudyReminderStore {
    /// Planning it again changes nothing.
    package static func plan(
        _ prompt: ID<Assignment>, at moment: Instant, of enrolment: ID<Enrolment>,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO study_reminders (enrolment_id, prompt_id, prompted_at)
            VALUES (\(enrolment), \(prompt), \(moment))
            ON CONFLICT (enrolment_id, prompt_id) DO UPDATE SET prompted_at = excluded.prompted_at
            WHERE study_reminders.pushed_at IS NULL AND study_reminders.shown_at IS NULL
            """)
    }

    /// Removes those that no device has told of: their prompts ask nothing any more.
    package static func takeBack(
        _ prompts: [ID<Assignment>], of enrolment: ID<Enrolment>, _ connection: borrowing Connection
    ) throws {
        if prompts.isEmpty { return }
        try connection.run(
            """
            DELETE FROM study_reminders WHERE enrolment_id = \(enrolment) AND prompt_id IN \(list: prompts)
            AND pushed_at IS NULL AND shown_at IS NULL
            """)
    }

    package static func notePushed(
        _ prompt: String, of account: ID<Account>, at now: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE study_reminders SET pushed_at = coalesce(pushed_at, \(now)) WHERE prompt_id = \(prompt)
            AND enrolment_id IN (SELECT id FROM enrolments WHERE account_id = \(account))
            """)
    }

    package static func noteShown(
        _ prompt: String, of account: ID<Account>, at moment: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE study_reminders SET shown_at = coalesce(shown_at, \(moment)) WHERE prompt_id = \(prompt)
            AND enrolment_id IN (SELECT id FROM enrolments WHERE account_id = \(account))
            """)
    }

    /// How far the reminders of a participant got, by prompt. Those of which nothing was pushed or shown are left out.
    package static func all(
        of enrolment: ID<Enrolment>, _ connection: borrowing Connection
    ) throws -> [ID<Assignment>: StudyReminder] {
        let rows = try connection.all(
            """
            SELECT prompt_id, pushed_at, shown_at FROM study_reminders
            WHERE enrolment_id = \(enrolment) AND (pushed_at IS NOT NULL OR shown_at IS NOT NULL)
            """
        ) { row in
            (
                prompt: try row[0] as ID<Assignment>,
                told: StudyReminder(pushedAt: try row[1], shownAt: try row[2])
            )
        }
        return Dictionary(rows.map { ($0.prompt, $0.told) }, uniquingKeysWith: { $1 })
    }

    /// The reminders of a participant that were due: their number, the pushed, the shown.
    package static func counts(
        of enrolment: ID<Enrolment>, at now: Instant, _ connection: borrowing Connection
    ) throws -> (due: Int, pushed: Int, shown: Int) {
        let found = try connection.first(
            """
            SELECT count(*), count(pushed_at), count(shown_at) FROM study_reminders
            WHERE enrolment_id = \(enrolment) AND prompted_at <= \(now)
            """
        ) { row -> (Int, Int, Int) in (try row[0], try row[1], try row[2]) }
        return found.map { (due: $0.0, pushed: $0.1, shown: $0.2) } ?? (0, 0, 0)
    }
}
