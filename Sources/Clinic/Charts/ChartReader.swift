import Contributions
import Database
import Instruments
import Scheduling
import Therapies
import Web
import Wire

/// The part of the time that the figures show.
enum Zoom: String, Sendable, CaseIterable {
    case week, interval, therapy, days

    /// The period; that of the whole therapy where days are overlaid.
    func axis(_ therapy: Therapy, _ sessions: SessionList, zone: Zone, now: Instant) -> TimeAxis {
        let end = therapy.endedAt ?? now
        let next = sessions.next(after: now)?.session.startsAt.adding(seconds: 21_600)
        switch self {
        case .week:
            let ahead = next.flatMap { $0 <= end.adding(days: 7) ? $0 : nil }
            return TimeAxis(from: end.adding(days: -7), to: ahead ?? end)
        case .interval:
            let begin = sessions.last?.session.startsAt ?? therapy.pairedAt ?? therapy.createdAt
            return TimeAxis(from: begin.adding(seconds: -21_600), to: next ?? end.adding(seconds: 21_600))
        case .therapy, .days:
            let first = sessions.all.first?.session.startsAt
            let start = therapy.startedOn.map { zone.instant($0, hour: 0, minute: 0) }
            let begin = [start, first, therapy.pairedAt].compactMap(\.self).min() ?? therapy.createdAt
            let ahead = next.flatMap { $0 <= end.adding(days: 14) ? $0 : nil }
            return TimeAxis(from: begin, to: ahead ?? end)
        }
    }
}

/// Reads the data of figures from all stores.
enum ChartReader {
    static func read(
        _ c: Context<Caseload>, _ sessions: SessionList, _ history: TherapyHistory,
        _ connection: borrowing Connection
    ) throws -> ChartData {
        let therapy = c.proof.patient
        let cache = c.services.questionnaires
        return ChartData(
            sessions: sessions, pauses: try PauseStore.all(for: therapy, connection),
            dailies: DailySeries(
                history.answers.map { .init(at: $0.at, thought: $0.thought > 0, feeling: $0.feeling) }),
            slots: history.slots, scales: try LeadScales.all(of: therapy, cache, connection),
            interventions: history.interventions,
            daily: try QuestionnaireStore.newest(DailyPlan.questionnaireKey, cache, connection)?.definition)
    }
}
