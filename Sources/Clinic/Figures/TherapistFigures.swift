import Database
import Identity
import Instruments
import Psychometrics
import Questionnaires
import Records
import Responses
import Therapies
import Web
import Wire
import Wording

/// What the therapies of one therapist come to: numbers only, no answers, no names of patients (PR-22).
struct TherapistFigures: Sendable {
    let therapist: ID<Account>
    let name: String
    var running = 0
    /// Paired, and without a sign of life for a week.
    var silent = 0
    /// With a lead scale that is reliably worse than at the begin.
    var worsened = 0
    /// Of the last 28 days.
    var dailies = (answered: 0, delivered: 0)
    /// Whatever else was due in the last 28 days.
    var assignments = (answered: 0, due: 0)

    static let days: Int64 = 28
    static let silentDays: Int64 = 7

    /// By name; those without a running therapy are left out.
    static func all(_ c: Context<Member>, _ connection: borrowing Connection) throws -> [TherapistFigures] {
        let words = ScoreFormatter(texts: c.texts)
        let from = c.now.adding(days: -days)
        var figures: [ID<Account>: TherapistFigures] = [:]
        for therapy in try TherapyStore.running(connection) {
            let owner = therapy.therapistID
            var sum: TherapistFigures
            if let known = figures[owner] {
                sum = known
            } else {
                sum = TherapistFigures(
                    therapist: owner, name: try Colleagues.name(owner, c, connection))
            }
            sum.running += 1
            if let paired = therapy.pairedAt,
                therapy.lastActivityAt ?? paired < c.now.adding(days: -silentDays)
            {
                sum.silent += 1
            }
            let dailies = try DailyFigures(
                in: therapy.id, from: from, until: c.now, now: c.now, connection)
            sum.dailies.answered += dailies.answered
            sum.dailies.delivered += dailies.delivered
            for record in try AssignmentStore.all(in: therapy.id, connection)
            where record.source != .daily && record.dueAt > from && record.dueAt <= c.now {
                switch record.state(at: c.now) {
                case .answered:
                    sum.assignments.answered += 1
                    sum.assignments.due += 1
                case .missed: sum.assignments.due += 1
                default: break
                }
            }
            let series = try LeadScales.all(of: therapy, c.services.questionnaires, connection)
            let isWorse = series.contains { series in
                let change = ScoreChange(
                    series, startedOn: therapy.startedOn, since: nil, zone: c.dates.zone)
                return change.flatMap { words.verdict($0, series.scale) } == .deteriorated
            }
            if isWorse { sum.worsened += 1 }
            figures[owner] = sum
        }
        return figures.values.sorted { ($0.name, $0.therapist) < ($1.name, $1.therapist) }
    }
}
