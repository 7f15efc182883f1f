import Instruments
import Records
import Responses
import Rules
import Therapies
import Web
import Wire

extension TodayPages {
    /// What stands on Today.
    package struct Show: Page {
        package static let template = "today/show"
        package static let section: NavigationItem? = .today

        /// A day of the week strip.
        struct WeekDay: Encodable, Sendable {
            let label: String
            let count: String
            /// What is read out.
            let words: String
            let path: String
            let isCurrent: Bool
            let isToday: Bool
        }
        package struct Visit: Encodable, Sendable {
            let time: String
            let startsAt: Instant
            let id: ID<Therapy>
            let codename: String
            let alias: String?
            let number: String?
            /// When the last session was; nil before the first.
            let last: String?
            let session: ID<Session>
            let headline: SessionSummary.Headline?
            /// What came in, what is due: a line each, where there is something to say.
            let facts: [String]
            /// What reactions have left for this session.
            let lines: [SessionReminder]
            /// It has begun, and nobody has said that it did not take place.
            let canMiss: Bool
            /// The one that comes next: its briefing is the first thing to open.
            let isNext: Bool
        }
        struct NextDay: Encodable, Sendable {
            let label: String
            let visits: [Visit]
        }
        package struct News: Encodable, Sendable {
            let when: String
            let id: ID<Therapy>
            let codename: String
            let alias: String?
            let path: String
            let lines: [NewsLine]
        }
        package struct NewsLine: Encodable, Sendable {
            /// The result; nil for a line of sums.
            var text: String?
            var path: String?
            var detail: String?
            var changes: [JudgedChange] = []
        }
        package struct Waiting: Encodable, Sendable {
            let id: ID<Alert>
            let grade: String
            let tone: String
            let codename: String
            let alias: String?
            let path: String
            let title: String
            let reason: String
            let repeated: String?
        }
        package struct Held: Encodable, Sendable {
            let lines: [Line]
        }
        package struct Line: Encodable, Sendable {
            package let when: String
            package let path: String
            package let codename: String
            package let alias: String?
            package let text: String
        }
        package let day: String
        /// Of another day than today, nothing but its sessions is shown.
        let isToday: Bool
        let week: [WeekDay]
        let unseen: [UnseenAnswer]
        let hasUnseen: Bool
        package let sessions: [Visit]
        /// The next day with sessions; nil when there is none within a week.
        let next: NextDay?
        package let news: [News]
        let moreNews: String?
        /// Refused sheets that wait for a decision; nil when there are none.
        package let held: Held?
        /// Alerts that wait, the most urgent first.
        package let alerts: [Waiting]
        let hasAlerts: Bool
        let moreAlerts: String?
        /// Devices that dailies do not reach; nil when there are none.
        let devices: Held?
        /// Running therapies without a sign of life for a week; nil when there are none.
        package let silent: Held?
        /// Files of those who have deleted their account; nil when there are none.
        let files: Held?
        package let codes: [Line]
        let hasCodes: Bool
        let hasPatients: Bool
        /// What rests on archived questionnaires.
        var resting: [RestingUse] = []
        var hasResting = false
        /// What the first steps have open; nil once they are done or put away.
        package var welcome: String?

        package static let example = Show(
            day: "Freitag, 20. November", isToday: true,
            week: [
                WeekDay(
                    label: "Fr 20.11.", count: "4", words: "4 Sitzungen", path: "/", isCurrent: true,
                    isToday: true)
            ], unseen: [.example], hasUnseen: true,
            sessions: [
                Visit(
                    time: "09:00", startsAt: Instant(milliseconds: 1_795_000_000_000),
                    id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", codename: "C020480",
                    alias: "Frau Winter", number: "vor der 12. Sitzung", last: "zuletzt am 13. November",
                    session: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a15",
                    headline: SessionSummary.Headline(
                        text: "Wohlbefinden 48 von 100 am Di 17.11.", link: "/patients",
                        isKnown: false, changes: [.example]),
                    facts: ["3 neue Fragebögen", "offen: ISF-K"],
                    lines: [
                        SessionReminder(text: "Gedrückte Stimmung", reason: "Stimmung 1, 2", when: "heute")
                    ], canMiss: true, isNext: true)
            ], next: NextDay(label: "Montag, 23. November", visits: []),
            news: [
                News(
                    when: "heute 07:12", id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", codename: "C020480",
                    alias: "Frau Winter", path: "/patients",
                    lines: [
                        NewsLine(
                            text: "Wohlbefinden: 48 von 100", path: "/patients",
                            changes: [.example]), NewsLine(rest: "Tagesabfragen 3 von 3"),
                    ])
            ], moreNews: "und 3 weitere Personen",
            held: Held(lines: [
                Line(
                    when: "", path: "/patients", codename: "C020480", alias: nil,
                    text: "1 zurückgehaltener Fragebogen")
            ]),
            alerts: [
                Waiting(
                    id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a13", grade: "Antwort", tone: "danger",
                    codename: "C020480", alias: nil, path: "/patients", title: "Belastung hoch",
                    reason: "Stimmung 1, 2", repeated: "zum 3. Mal seit 2.11.2026")
            ], hasAlerts: true, moreAlerts: "2 weitere Meldungen", devices: nil, silent: nil,
            files: Held(lines: [
                Line(when: "", path: "/kept-files", codename: "C020480", alias: nil, text: "Konto gelöscht")
            ]), codes: [],
            hasCodes: false, hasPatients: true, resting: [.example], hasResting: true,
            welcome: "2 Schritte sind offen.")
    }
}

extension TodayPages.Show.NewsLine {
    /// A line of sums.
    init(rest: String) { self.init(detail: rest) }
}
