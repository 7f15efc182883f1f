import Contributions
import Database
import Delivery
import Instruments
import Questionnaires
import Records
import Therapies
import Web
import Wire
import Wording

/// Figures about outcome and answers over all running therapies of the house: no therapist, no patient (PR-33).
struct HouseFigures: Sendable {
    var running = 0
    /// Paired, and silent for a week.
    var silent = 0
    /// With a lead scale that is reliably worse than at the begin.
    var worsened = 0
    /// In the last 28 days.
    var dailies = (answered: 0, delivered: 0)
    /// Other assignments due in the last 28 days.
    var assignments = (answered: 0, due: 0)

    static let days: Int64 = 28
    static let silentDays: Int64 = 7
    /// Below it, figures would speak of single patients.
    static let fewest = 5

    /// - Parameter therapies: all running ones; below the fewest only their number is counted.
    init(_ therapies: [Therapy], _ c: Context<Member>, _ connection: borrowing Connection) throws {
        running = therapies.count
        if running < Self.fewest { return }
        let words = ScoreFormatter(texts: c.texts)
        let from = c.now.adding(days: -Self.days)
        for therapy in therapies {
            if let paired = therapy.pairedAt,
                therapy.lastActivityAt ?? paired < c.now.adding(days: -Self.silentDays)
            {
                silent += 1
            }
            let figures = try DailyFigures(
                in: therapy.id, from: from, until: c.now, now: c.now, connection)
            dailies.answered += figures.answered
            dailies.delivered += figures.delivered
            for record in try AssignmentStore.all(in: therapy.id, connection)
            where record.source != .daily && record.dueAt > from && record.dueAt <= c.now {
                switch record.state(at: c.now) {
                case .answered:
                    assignments.answered += 1
                    assignments.due += 1
                case .missed: assignments.due += 1
                default: break
                }
            }
            let series = try LeadScales.all(of: therapy, c.services.questionnaires, connection)
            let isWorse = series.contains { series in
                let change = ScoreChange(
                    series, startedOn: therapy.startedOn, since: nil, zone: c.dates.zone)
                return change.flatMap { words.verdict($0, series.scale) } == .deteriorated
            }
            if isWorse { worsened += 1 }
        }
    }
}
