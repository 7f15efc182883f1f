import Contributions
import Instruments
import Records
import Rules
import Templates
import Therapies
import Web
import Wire

extension TodayPages {
    /// The content of Today.
    package struct Show: Page {
        package static let template = "today/show"
        package static let section: NavigationItem? = .today

        struct WeekDay: Encodable, Sendable {
            let label: String
            let count: String
            /// The text for reading out.
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
            /// `13 von 20`: answered of the delivered dailies since the last session; nil without any.
            let asked: String?
            let session: ID<Session>
            let headline: ResultView?
            /// New answers and due items, a line each.
            let facts: [String]
            /// The lines that reactions left for this session.
            let lines: [SessionReminder]
            let hasLines: Bool
            /// The row's one action where it is to mark the session as missed; else that is its briefing.
            let missing: FormAct?
            let menu: Menu
            /// Whether it is the next one, of this day or the following: it alone has a filled button.
            let isNext: Bool
            /// Whether it is over: it steps back behind those to come.
            let isOver: Bool
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
            let results: [ResultView]
            /// Sheets without a result, and the dailies.
            let lines: [WrittenText]
            /// 0 for what is unremarkable; more for what comes first.
            let weight: Int
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
        /// How many sessions there are and when the next begins; nil without any.
        let sessionCount: String?
        /// For another day only its sessions are shown.
        let isToday: Bool
        let week: [WeekDay]
        let risks: [RiskAnswer]
        let hasRisks: Bool
        /// Openings of emergency contacts by colleagues.
        let openings: [EmergencyNews]
        package let sessions: [Visit]
        /// The next day with sessions; nil without one within a week.
        let next: NextDay?
        let news: NewsView
        /// Refused sheets that wait for a decision; nil without any.
        package let held: Held?
        /// Waiting alerts, the most urgent first.
        package let alerts: [Waiting]
        let hasAlerts: Bool
        let moreAlerts: String?
        /// Devices that dailies do not reach; nil without any.
        let devices: Held?
        /// Running therapies silent for a week; nil without any.
        package let silent: Held?
        /// Files of patients who have deleted their account; nil without any.
        let files: Held?
        package let codes: [Line]
        let hasCodes: Bool
        let hasPatients: Bool
        /// The uses of retired questionnaires.
        var resting: [RestingUse] = []
        var hasResting = false
        /// The open first steps; nil once they are done or dismissed.
        package var welcome: String?
        /// The therapist's absence without cover (PR-30).
        var absence: AbsenceLine?
        /// A section for each colleague for whom the reader stands in today.
        var standIns: [StandIn] = []
        /// Hand-overs that were not read yet (PR-31).
        var handOvers: [HandOverLine] = []
    }
}
