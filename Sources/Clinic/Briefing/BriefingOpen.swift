import Database
import Delivery
import Instruments
import Scheduling
import Templates
import Therapies
import Web
import Wire
import Wording

/// The patient's open items before the next session: assignments, the next planned one, and the session.
struct BriefingOpen {
    private let c: Context<Caseload>
    private let next: SessionList.Numbered?

    /// - Parameter next: the coming session.
    init(_ c: Context<Caseload>, next: SessionList.Numbered?) {
        self.c = c
        self.next = next
    }

    func lines(_ connection: borrowing Connection) throws -> [BriefingPages.Show.Line] {
        let records = try AssignmentStore.unanswered(
            in: c.proof.patient.id, dueAfter: c.now.adding(seconds: -1), limit: TimelineReader.givenLimit,
            connection)
        let open = records.filter { $0.state(at: c.now) == .open }
        // The newest is first there.
        let coming = records.last { $0.state(at: c.now) == .coming && isBeforeEnd($0) }
        var lines = try (open + [coming].compactMap(\.self)).compactMap { try line($0, connection) }
        if let next {
            lines.append(
                BriefingPages.Show.Line(
                    when: c.dates.short(next.session.startsAt),
                    text: WrittenText(c.texts["briefing.next_appointment"]),
                    state: nil))
        }
        return lines
    }

    /// A plan may reach beyond the planned end of the therapy.
    private func isBeforeEnd(_ record: AssignmentRecord) -> Bool {
        guard let end = c.proof.patient.endsOn else { return true }
        return LocalTime(record.availableFrom, c.dates.zone).date <= end
    }

    private func line(
        _ record: AssignmentRecord, _ connection: borrowing Connection
    ) throws -> BriefingPages.Show.Line? {
        guard
            let questionnaire = try QuestionnaireStore.find(
                record.questionnaireID, c.services.questionnaires, connection)
        else { return nil }
        let state = record.state(at: c.now)
        let when =
            state == .coming
            ? c.texts.opening(record.opens, c.dates, in: "briefing.from")
            : c.texts.closing(record.closes, c.dates, in: "briefing.until")
        return BriefingPages.Show.Line(
            when: when, text: questionnaire.written(on: c.language),
            state: c.texts["assignments.state_\(state.rawValue)"])
    }
}
