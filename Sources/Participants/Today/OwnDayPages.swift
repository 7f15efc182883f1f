import Accounts
import Clinic
import Database
import HTTP
import Identity
import Intake
import Records
import Responses
import Rules
import Scheduling
import Studies
import Therapies
import Web
import Wire
import Wording

/// Where patients and participants begin: what is open and until when, and what comes next.
package enum OwnDayPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/my", .patient, show)
        routes.page(.get, "/my/more", .patient, more)
    }

    package struct Show: Page {
        package static let template = "my/today"
        package static let section: NavigationItem? = .my

        /// A questionnaire or an intervention that waits.
        package struct Entry: Encodable, Sendable {
            package let title: String
            package let path: String
            package let when: String
            /// How long it is open still, where that is short.
            package let hurry: String?
            /// How much is filled in, from 0 to 100; nil where nothing is.
            package let percent: String?
            package let progress: String?
        }
        package struct Visit: Encodable, Sendable {
            package let day: String
            package let times: String
            package let distance: String
            /// Of one that the practice has noted: that it is from there.
            package let source: String?
        }
        package struct Contact: Encodable, Sendable {
            package let name: String
            package let phones: [Layout.Phone]
        }

        package let greeting: String
        package let day: String
        package let first: Entry?
        package let open: [Entry]
        package let given: [Entry]
        /// How many new interventions there are beside those; nil for none.
        package let furtherGiven: String?
        package let coming: [Entry]
        let hasMore: Bool
        let hasComing: Bool
        package let visit: Visit?
        package let contact: Contact?
        package let notices: String?
        /// What studies ask beside questionnaires, and where it is answered.
        package let asks: [PageLink]
        package let isPaired: Bool
        /// When nothing waits: when something comes.
        package let quiet: String?

        package static let example = Show(
            greeting: "Guten Morgen", day: "Freitag, 20. November",
            first: Entry(
                title: "Tagesabfrage", path: "/my/assignments/7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11",
                when: "bis 9:30", hurry: "noch 21 Minuten", percent: nil, progress: nil),
            open: [
                Entry(
                    title: "Zwischen den Sitzungen", path: "/my/assignments/x", when: "bis Di, 9:00",
                    hurry: nil, percent: "62", progress: "5 von 8")
            ],
            given: [
                Entry(
                    title: "Woran haben Sie heute gedacht?", path: "/my/interventions/x", when: "gestern",
                    hurry: nil, percent: nil, progress: nil)
            ], furtherGiven: "2 weitere", coming: [], hasMore: true, hasComing: false,
            visit: Visit(
                day: "Dienstag, 24. November", times: "9:00 bis 9:50", distance: "in 2 Tagen",
                source: "von Ihrer Praxis"),
            contact: Contact(
                name: "Dr. Ada Lindner",
                phones: [Layout.Phone(label: "Telefon", number: "+43 1 5550 100", path: "tel:+4315550100")]),
            notices: nil,
            asks: [
                PageLink(
                    label: "Die Studie „Stress im Alltag“ hat einen neuen Text der Einwilligung.",
                    path: "/my/studies/x/consent", isCurrent: false)
            ], isPaired: true, quiet: nil)
    }

    /// More new interventions than these stand behind a link.
    private static let mostGiven = 3

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        let account = c.proof.account
        let waiting = try WaitingAPI.all(c)
        let therapy = try c.read { try TherapyStore.running(of: account.id, $0) }
        let dates = c.dates(in: Zone(account.timezone))
        let open = waiting.filter { $0.opens.at <= c.now }
        let entries = open.map { entry($0, dates, c) }
        // What has a window of its own comes first, because it closes first.
        let urgent = zip(open, entries).first { $0.0.closes.at < c.now.adding(seconds: 6 * 3600) }
        let first = urgent?.1 ?? entries.first
        let later = waiting.filter { $0.opens.at > c.now }
        let parts = try therapy.map { therapy in
            try c.read { try OwnTherapy(therapy: therapy, dates: dates, c, $0) }
        }
        let unseen = try c.read { try NoticeStore.all(of: account.id, $0) }.count { !$0.isSeen }
        let further = (parts?.given.count ?? 0) - mostGiven
        return .page(
            Show(
                greeting: c.texts[greeting(LocalTime(c.now, dates.zone).hour)], day: dates.weekday(c.now),
                first: first, open: entries.filter { $0.path != first?.path },
                given: Array((parts?.given ?? []).prefix(mostGiven)),
                furtherGiven: further > 0 ? c.texts.count("my.further", further) : nil,
                coming: later.prefix(3).map { entry($0, dates, c) },
                hasMore: entries.count > 1 || parts?.given.isEmpty == false, hasComing: !later.isEmpty,
                visit: parts?.visit,
                contact: parts?.contact, notices: unseen > 0 ? c.texts.count("my.notices", unseen) : nil,
                asks: try asks(c), isPaired: therapy != nil,
                quiet: entries.isEmpty && (parts?.given ?? []).isEmpty ? quiet(later, dates, c) : nil))
    }

    private static func asks(_ c: Context<Member>) throws -> [PageLink] {
        let suggested = try OwnStudiesPages.suggestion(c).map { study in
            PageLink(
                label: c.texts["own_studies.ask_suggested", ["study": study.title]], path: study.path,
                isCurrent: false)
        }
        let asks = try c.read { try StudyAskStore.all(of: c.proof.account.id, $0) }.flatMap { ask in
            let study = ["study": ask.title.text(in: c.languages) ?? ask.name]
            let link = { (key: String, page: String) in
                PageLink(
                    label: c.texts[key, study], path: "/my/studies/\(ask.study)/\(page)", isCurrent: false)
            }
            return [
                ask.isConsentNewer ? link("own_studies.ask_consent", "consent") : nil,
                ask.hasEarlierTicks ? link("own_studies.ask_measures", "measurements") : nil,
            ].compactMap(\.self)
        }
        return [suggested].compactMap(\.self) + asks
    }

    private static func greeting(_ hour: Int) -> String {
        switch hour {
        case 5..<11: "my.good_morning"
        case 11..<18: "my.good_day"
        default: "my.good_evening"
        }
    }

    private static func quiet(
        _ later: [WaitingAPI.Waiting], _ dates: DateFormat, _ c: Context<Member>
    ) -> String {
        guard let next = later.map(\.opens).min(by: { $0.at < $1.at }) else { return c.texts["my.nothing"] }
        return c.texts["my.nothing_until", ["when": c.texts.when(next, dates)]]
    }

    private static func entry(
        _ waiting: WaitingAPI.Waiting, _ dates: DateFormat, _ c: Context<Member>
    ) -> Show.Entry {
        let one = waiting.item.attributes
        let isComing = waiting.opens.at > c.now
        let minutes = (waiting.closes.at.seconds - c.now.seconds + 59) / 60
        let hurries = !isComing && minutes <= 120 && waiting.closes.isTold(at: c.now)
        let (answered, total) = (one.progress.answered, one.progress.total)
        return Show.Entry(
            title: one.title, path: "/my/assignments/\(waiting.item.id)",
            when: isComing
                ? c.texts.opening(waiting.opens, dates, in: "my.from")
                : c.texts.closing(waiting.closes, dates, in: "my.until"),
            hurry: hurries ? c.texts.count("my.minutes", Int(minutes)) : nil,
            percent: answered > 0 && total > 0 ? String(answered * 100 / total) : nil,
            progress: answered > 0 ? c.texts.count("my.progress", answered, of: total) : nil)
    }

    // MARK: More

    package struct More: Page {
        package static let template = "my/more"
        package static let section: NavigationItem? = .more
        package let groups: [Group]

        package struct Group: Encodable, Sendable {
            package let title: String
            package let links: [PageLink]
        }

        package static let example = More(groups: [
            Group(
                title: "Behandlung",
                links: [PageLink(label: "Meine Therapeutin", path: "/my/therapist", isCurrent: false)])
        ])
    }

    /// Everything that has no place at the foot of the screen.
    @Sendable static func more(_ c: Context<Member>) throws -> Reply {
        let therapy = try c.read { try TherapyStore.running(of: c.proof.account.id, $0) }
        let link = { (key: String, path: String) in
            PageLink(label: c.texts[key], path: path, isCurrent: false)
        }
        let treatment =
            therapy == nil
            ? [link("my.to_pair", "/pair")] : [link("my.to_therapist", "/my/therapist")]
        let listening = [
            link("my.to_sounds", "/my/sounds"), link("my.to_listening", "/my/sounds/statistics"),
        ]
        return .page(
            More(groups: [
                .init(title: c.texts["my.group_treatment"], links: treatment),
                .init(title: c.texts["my.group_sounds"], links: listening),
                .init(
                    title: c.texts["my.group_answers"],
                    links: [
                        link("my.to_contributions", "/my/contributions"),
                        link("my.to_questionnaires", "/my/questionnaires"), link("my.to_words", "/my/words"),
                        link("my.to_tinnitus", "/my/tinnitus"), link("my.to_health", "/my/health"),
                        link("my.to_offline", "/my/offline"),
                        link("my.to_studies", "/my/studies"),
                    ]),
                .init(
                    title: c.texts["my.group_account"],
                    links: [
                        link("my.to_notices", "/my/notices"), link("my.to_settings", "/my/settings"),
                        link("my.to_device_code", "/my/device-code"),
                        link("my.to_feedback", "/my/feedback"), link("my.to_help", "/info/help"),
                    ]),
            ]))
    }
}
