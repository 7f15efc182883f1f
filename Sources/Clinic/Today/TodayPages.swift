import Accounts
import Database
import HTTP
import Identity
import Instruments
import Intake
import Records
import Responses
import Rules
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// The day at a glance: sessions of today, what came in lately, codes that run out.
package enum TodayPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/", .account, show)
    }

    package struct Show: Page {
        package static let template = "today/show"
        package static let section: NavigationItem? = .today
        package struct Visit: Encodable, Sendable {
            let time: String
            let id: ID<Therapy>
            let codename: String
            let number: String?
            /// What moved, what came in, what is due: a line each, where there is something to say.
            let facts: [String]
            /// What rules have left for this session.
            let lines: [SessionReminder]
        }
        package struct Held: Encodable, Sendable {
            let lines: [Line]
        }
        package struct Line: Encodable, Sendable {
            package let when: String
            package let path: String
            package let codename: String
            package let text: String
        }
        package let day: String
        package let sessions: [Visit]
        package let news: [Line]
        /// Refused sheets that wait for a decision; nil when there are none.
        package let held: Held?
        /// Alerts that wait; nil when there are none.
        package let alerts: Held?
        /// Running therapies without a sign of life for a week; nil when there are none.
        package let silent: Held?
        package let codes: [Line]
        let hasPatients: Bool
        /// What the first steps have open; nil once they are done or put away.
        package var welcome: String?

        package static let example = Show(
            day: "Freitag, 20. November",
            sessions: [
                Visit(
                    time: "09:00", id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", codename: "C020480",
                    number: "Sitzung 12", facts: ["Intensität 2,7", "3 neue Antworten", "offen: ISF-K"],
                    lines: [
                        SessionReminder(text: "Gedrückte Stimmung", reason: "Stimmung 1, 2", when: "heute")
                    ])
            ],
            news: [],
            held: Held(lines: [
                Line(when: "", path: "/patients", codename: "C020480", text: "1 Bogen zurückgehalten")
            ]),
            alerts: Held(lines: [
                Line(when: "heute 08:12", path: "/alerts", codename: "C020480", text: "Belastung hoch")
            ]), silent: nil, codes: [], hasPatients: true, welcome: "2 Schritte sind offen.")
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        guard c.proof.account.roles.contains(.therapist) else {
            return .seeOther(NextPath.home(of: c.proof.account))
        }
        let therapist = c.proof.account.id
        let (page, files) = try c.read { connection in
            let therapies = try TherapyStore.caseload(of: therapist, connection)
            let sessions = try SessionStore.all(ofTherapist: therapist, connection)
            let codes = try PairingStore.current(ofTherapist: therapist, connection)
            let news = try ContributionStore.newest(
                ofTherapist: therapist, since: c.now.adding(days: -7), limit: 12, connection)
            let waiting = try QuarantineStore.waiting(ofTherapist: therapist, connection)
            let words = try RuleFormatter(c, connection)
            let page = Show(
                day: c.dates.weekday(c.now),
                sessions: try visits(therapies, sessions, words, c, connection),
                news: try lines(news, c, connection), held: held(waiting, c),
                alerts: try alerts(c, connection), silent: silent(therapies, c),
                codes: lines(codes, therapies, c),
                hasPatients: !therapies.isEmpty,
                welcome: try Welcome.banner(for: c.proof.account, c, connection))
            // Whose files speak on this page.
            return (page, page.sessions.map(\.id) + news.map(\.therapy) + waiting.map(\.therapy))
        }
        c.noteVisits(of: files, to: "today")
        return .page(page)
    }

    private static func held(
        _ waiting: [(codename: String, therapy: ID<Therapy>, count: Int)], _ c: Context<Member>
    ) -> Show.Held? {
        if waiting.isEmpty { return nil }
        return Show.Held(
            lines: waiting.map { entry in
                Show.Line(
                    when: "", path: "/patients/\(entry.therapy)/quarantine", codename: entry.codename,
                    text: c.texts.count("quarantine.waiting", entry.count))
            })
    }

    private static func alerts(
        _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> Show.Held? {
        let waiting = try AlertStore.all(
            of: c.proof.account.id, isAcknowledged: false, limit: 6, connection)
        if waiting.isEmpty { return nil }
        let reader = try AlertReader(c, connection)
        return Show.Held(
            lines: try waiting.map { record in
                let alert = try reader.wire(record, connection)
                return Show.Line(
                    when: c.dates.short(alert.raisedAt), path: "/alerts", codename: alert.codename,
                    text: alert.title)
            })
    }

    private static func visits(
        _ therapies: [Therapy], _ sessions: [ID<Therapy>: [Session]], _ words: RuleFormatter,
        _ c: Context<Member>,
        _ connection: borrowing Connection
    ) throws -> [Show.Visit] {
        let dates = c.dates
        var visits: [(at: Instant, visit: Show.Visit)] = []
        for therapy in therapies {
            let list = SessionList(
                sessions[therapy.id] ?? [], startedOn: therapy.startedOn, zone: dates.zone, now: c.now)
            for (index, entry) in list.all.enumerated()
            where LocalTime(entry.session.startsAt, dates.zone).date == dates.today {
                guard entry.state == .planned || entry.state == .held else { continue }
                let before = list.all[..<index].last { $0.state == .held }
                let reader = SessionSummary(c, therapy, since: before)
                let visit = Show.Visit(
                    time: dates.time(entry.session.startsAt), id: therapy.id, codename: therapy.codename,
                    number: list.name(of: entry, c.texts, now: c.now),
                    facts: try reader.lines(connection),
                    lines: try SessionReminder.all(
                        in: therapy, since: before?.session.endsAt ?? .distantPast, words, c.keys,
                        connection))
                visits.append((entry.session.startsAt, visit))
            }
        }
        return visits.sorted { $0.at < $1.at }.map(\.visit)
    }

    private static func lines(
        _ news: [RecentContribution], _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> [Show.Line] {
        try news.compactMap { sheet in
            let cache = c.services.questionnaires
            guard let questionnaire = try QuestionnaireStore.find(sheet.questionnaireID, cache, connection)
            else { return nil }
            let counts = ["n": String(sheet.answered), "of": String(sheet.asked)]
            return Show.Line(
                when: when(sheet, c),
                path: "/patients/\(sheet.therapy)/contributions/\(sheet.id)", codename: sheet.codename,
                text: "\(questionnaire.title(c.language)) · \(c.texts["contributions.answered", counts])")
        }
    }

    /// In the patient's own time where it differs, and then said so.
    private static func when(_ sheet: RecentContribution, _ c: Context<Member>) -> String {
        let zone = Zone(sheet.timezone)
        let isSame =
            zone.offset(at: sheet.completedAt) == c.dates.zone.offset(at: sheet.completedAt)
        if isSame { return c.dates.short(sheet.completedAt) }
        let when = c.dates(in: zone).short(sheet.completedAt)
        return c.texts["today.local", ["when": when, "zone": sheet.timezone]]
    }

    static let silentDays: Int64 = 7

    /// The longest silent first.
    private static func silent(_ therapies: [Therapy], _ c: Context<Member>) -> Show.Held? {
        let edge = c.now.adding(days: -silentDays)
        let quiet = therapies.compactMap { therapy -> (therapy: Therapy, since: Instant)? in
            guard therapy.endedAt == nil, let paired = therapy.pairedAt else { return nil }
            let last = therapy.lastActivityAt ?? paired
            return last < edge ? (therapy, last) : nil
        }
        if quiet.isEmpty { return nil }
        return Show.Held(
            lines: quiet.sorted { $0.since < $1.since }.prefix(8).map { entry in
                let days = Int((c.now.seconds - entry.since.seconds) / 86_400)
                return Show.Line(
                    when: c.dates.day(entry.since), path: "/patients/\(entry.therapy.id)",
                    codename: entry.therapy.codename, text: c.texts.count("today.silent_days", days))
            })
    }

    private static func lines(
        _ codes: [ID<Therapy>: PairingCodeRecord], _ therapies: [Therapy], _ c: Context<Member>
    ) -> [Show.Line] {
        let open = therapies.compactMap { therapy in codes[therapy.id].map { (therapy, $0) } }
            .filter {
                PatientState($0.0, $0.1, now: c.now) == .codeOpen
                    || PatientState($0.0, $0.1, now: c.now) == .codeExpired
            }
        return open.sorted { $0.1.expiresAt < $1.1.expiresAt }.map { therapy, code in
            let key = code.isLive(at: c.now) ? "today.code_until" : "today.code_expired"
            return Show.Line(
                when: c.dates.day(code.expiresAt), path: "/patients/\(therapy.id)",
                codename: therapy.codename,
                text: c.texts[key])
        }
    }
}
