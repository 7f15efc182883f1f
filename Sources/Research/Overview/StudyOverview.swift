import Contributions
import Database
import Instruments
import Records
import Scheduling
import Studies
import Web
import Wire
import Wording

/// What the first page of a study answers: how recruiting goes, where people stand, who needs a look, and what the main
/// outcome says once it can say nothing else any more.
package struct StudyOverview: Encodable, Sendable {
    /// Whether the study takes participants in.
    package let isOpen: Bool
    /// Nil before the first participant.
    let recruiting: ChartFrame?
    let recruitingNote: String
    /// Those that take part, left, and were declined.
    let standing: String
    let phases: [StudyStanding.Phase]
    let hasPhases: Bool
    let answered: String
    /// What is left to do once the study is over; empty before.
    let afterEnd: [PageLink]
    let hasEnded: Bool
    /// What waits for a lead, then participants.
    let look: [ListRow]
    let hasLook: Bool
    let others: String?
    /// The main outcome's effects; empty before allocation and the last time of measurement are over.
    let effects: [EffectFigure]
    let outcome: String?
    let outcomeReason: String?

    package init(_ c: Context<StudyLead>, _ counts: [String: Int], _ connection: borrowing Connection) throws
    {
        let study = c.proof.study
        let texts = c.texts
        let stored = try GroupStore.find(study.id, connection)
        let people = try EnrolmentStore.consenting(in: study.id, connection)
        let response = try StudyResponse(study, of: people, at: c.now, connection)
        let taken = try FlowStore.flow(of: study.id, allocated: stored?.allocated, connection)
        let recruitment = try Recruitment(
            of: study, groups: stored, flow: taken, at: c.now, in: c.dates.zone, connection)
        isOpen = study.isRunning(at: c.now) && stored.map { $0.closedAt == nil && !$0.isComplete } ?? true
        recruiting = recruitment.figure(texts, c.dates)
        recruitingNote = recruitment.note(texts, c.dates)
        standing = ["enrolled", "left", "declined"].map { state in
            "\(counts[state] ?? 0) \(texts["studies.count_\(state)"])"
        }.joined(separator: " · ")
        // Outcomes by the day part the time themselves.
        let outcomes = stored?.groups.outcomes ?? []
        let words = OutcomeWords(c, stored?.groups)
        phases = StudyStanding.phases(
            response, points: outcomes.contains { $0.day != nil } ? [] : StudyStanding.points(of: study, c),
            times: StudyStanding.times(outcomes, words), texts)
        hasPhases = !phases.isEmpty
        answered = response.words(texts)
        hasEnded = study.hasEnded(at: c.now)
        afterEnd = hasEnded ? StudyStep.afterEnd(study, texts) : []
        let inView = ParticipantsInView(study, response, at: c.now, texts)
        let held = try c.services.heldSheets(in: study.id, connection)
        let waiting = StudyStep.waiting(study, counts, held: held, texts)
        look = waiting.map { ListRow(title: $0.label, path: $0.path) } + inView.shown
        hasLook = !look.isEmpty
        others = inView.others > 0 ? texts.count("studies.look_others", inView.others) : nil
        let main = try MainOutcome(of: study, groups: stored, people, at: c.now, connection)
        let scales = try StudyScale.named(
            by: stored?.groups, in: study, c.language, c.services.questionnaires, connection)
        effects = main.isOver ? main.comparisons.map { $0.figure(scales, words) } : []
        outcome = main.isOver ? nil : main.words(texts)
        outcomeReason = main.isOver ? nil : main.reason(texts)
    }
}
