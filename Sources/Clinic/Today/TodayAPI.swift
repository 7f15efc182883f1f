import Contributions
import HTTP
import Identity
import Records
import Rules
import Templates
import Therapies
import Web
import Wire
import Wording

/// The day as data.
enum TodayAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(.get, "/today", .therapist, .one("The day at a glance", Today.self), show)
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        let (today, files, shared) = try c.read { connection -> (Today, [ID<Therapy>], [SharedTherapy]) in
            let therapies = try TherapyStore.caseload(of: c.proof.account.id, connection)
            // The API serves a device, not a screen that others can see.
            let names = PatientNames(therapies, c)
            let reader = DayReader(therapies, names, c)
            let day = c.dates.today
            let next = try reader.next(after: day, connection)
            let visits = try reader.visits(on: [day] + (next.map { [$0] } ?? []), connection)
            let sessions = visits[0]
            let following = visits.dropFirst().flatMap(\.self)
            let news = try NewsReader(therapies, names, c).read(connection)
            let shared = try SharingStore.all(with: c.proof.account.id, now: c.now, connection)
            let risks = try RiskReader.all(shared, c, connection)
            // The alerts of covered patients are counted with the others.
            let standIns = try StandIn.all(shared, alerts: [], c, connection)
            let unseen = risks.filter { !$0.isSettled }
            let today = Today(
                date: day,
                mustBeSeen: unseen.map {
                    Today.Unseen(
                        patientID: $0.patient.text, contributionID: $0.sheet.text,
                        questionnaire: $0.title.plain,
                        answers: $0.lines(c.texts))
                }, riskAnswers: risks.flatMap(\.wire), sessions: sessions.map(wire), nextDate: next,
                nextSessions: following.map(wire),
                news: news.map {
                    Today.News(
                        patientID: $0.id.text, codename: $0.codename, alias: $0.alias,
                        lines: $0.results.map(\.words) + $0.lines.map(\.plain))
                }, alerts: try AlertReader.rows(for: c.proof.account.id, now: c.now, connection),
                standIns: standIns.map(\.wire))
            return (
                today,
                sessions.map(\.id) + following.map(\.id) + news.map(\.id) + risks.map(\.patient)
                    + standIns.flatMap(\.files),
                shared
            )
        }
        c.noteVisits(of: files, to: "today", as: shared.standings)
        return try .data(One(today))
    }

    private static func wire(_ visit: TodayPages.Show.Visit) -> Today.Visit {
        return Today.Visit(
            sessionID: visit.session.text, patientID: visit.id.text, codename: visit.codename,
            alias: visit.alias, startsAt: visit.startsAt,
            summary: [visit.headline?.words].compactMap(\.self) + visit.facts + visit.lines.map(\.text))
    }
}
