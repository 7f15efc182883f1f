import Contributions
import Database
import Records
import Studies
import Wire
import Wording

/// What a sheet says of the event it is about, proved in the transaction that stores it (ST-2).
struct EventAnswer {
    /// What the sheet answers, and as whom.
    let item: ID<StudyItem>
    let enrolment: ID<Enrolment>

    /// Of a device.
    /// - Throws: `Problem.invalid` for an event that is not there any more, or had not begun; `Contradiction` for one that another sheet
    ///   names.
    func check(_ sheet: NewContribution, _ connection: borrowing Connection) throws {
        guard let id = sheet.event else { return }
        guard let event = try found(id, of: sheet.account, connection) else {
            throw Problem.invalid("event_id", "answers.unknown_event")
        }
        if event.sheet != nil { throw Contradiction("answers.already_answered") }
        if sheet.completedAt.adding(seconds: Submission.clockSlackSeconds).seconds < event.startedAt.seconds {
            throw Problem.invalid("completed_at", "answers.before_event")
        }
    }

    /// Of a sheet that leads admit: its event, unless another sheet names that, or it is gone.
    func free(_ sheet: NewContribution, _ connection: borrowing Connection) throws -> ID<StudyEvent>? {
        try sheet.event.flatMap { id in
            try found(id, of: sheet.account, connection).flatMap { $0.sheet == nil ? id : nil }
        }
    }

    private func found(
        _ id: ID<StudyEvent>, of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> StudyEventRecord? {
        let event = try StudyEventStore.find(id, of: account, connection)
        return event.flatMap { $0.itemID == item && $0.enrolmentID == enrolment ? $0 : nil }
    }
}
