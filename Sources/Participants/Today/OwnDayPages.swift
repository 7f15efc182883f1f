import Accounts
import Agenda
import Contributions
import Database
import Delivery
import HTTP
import Identity
import Instruments
import Psychometrics
import Records
import Scheduling
import Studies
import Templates
import Therapies
import Web
import Wire
import Wording

/// The first page of patients and participants: open items with their deadlines, and the next one.
package enum OwnDayPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/my", .patient, show)
        routes.page(.get, "/my/more", .patient, more)
    }

    package struct Show: Page {
        package static let template = "my/today"
        package static let section: NavigationItem? = .my

        /// A waiting questionnaire or intervention.
        package struct Entry: Encodable, Sendable {
            package let title: WrittenText
            package let path: String
            package let when: String
            /// The study that asks it, where more asks than one study; nil for the therapy's.
            package let study: String?
            /// How long it stays open, where that is short.
            package let hurry: String?
            /// The filled-in share, from 0 to 100; nil without any answer.
            package let percent: String?
            package let progress: String?
        }
        package struct Visit: Encodable, Sendable {
            package let day: String
            package let times: String
            package let distance: String
            /// For one noted by the practice: a note on that.
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
        /// The number of further new interventions; nil for none.
        package let furtherGiven: String?
        package let coming: [Entry]
        let hasMore: Bool
        let hasComing: Bool
        package let visit: Visit?
        package let contact: Contact?
        package let notices: String?
        /// Questions of studies beside questionnaires, with the page to answer them.
        package let asks: [PageLink]
        /// What is noted when it happens; nil without any.
        package let events: OwnEventRows?
        package let isPaired: Bool
        /// When nothing waits: when the next item comes.
        package let quiet: String?
    }

    /// When it opens and closes is said by the item alone.
    private typealias Waiting = (item: AgendaItem, shown: Assignment)

    /// More new interventions than these stand behind a link.
    private static let mostGiven = 3

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        let account = c.proof.account
        let agenda = try Agenda.ready(c)
        let dates = c.dates(in: Zone(account.timezone))
        let (waiting, parts, studies) = try c.read { connection in
            let items = try agenda.items(Agenda.Part.allCases, connection)
            let drafts = try AgendaDrafts(c, connection)
            let waiting = try items.compactMap { item in
                try drafts.item(item).map { (item: item, shown: $0.attributes) }
            }
            return (
                waiting, try agenda.therapy.map { try OwnTherapy($0, items, dates: dates, c, connection) },
                try askingStudies(waiting, isPaired: agenda.therapy != nil, c, connection)
            )
        }
        try Fetching.note(waiting.compactMap(\.item.form?.id), c)
        let open = waiting.filter { $0.item.state == .open }
        let entry = { waiting in Self.entry(waiting, of: studies, dates, c) }
        let entries = open.map(entry)
        // What has a window of its own comes first, because it closes first.
        let urgent = zip(open, entries).first { $0.0.item.dueAt < c.now.adding(seconds: 6 * 3600) }
        let first = urgent?.1 ?? entries.first
        let later = waiting.filter { $0.item.state == .coming }
        let unseen = try c.read { try NoticeStore.all(of: account.id, $0) }.count { !$0.isSeen }
        let further = (parts?.given.count ?? 0) - mostGiven
        return .page(
            Show(
                greeting: c.texts[greeting(LocalTime(c.now, dates.zone).hour)], day: dates.weekday(c.now),
                first: first, open: entries.filter { $0.path != first?.path },
                given: Array((parts?.given ?? []).prefix(mostGiven)),
                furtherGiven: further > 0 ? c.texts.count("my.further", further) : nil,
                coming: later.prefix(3).map(entry),
                hasMore: entries.count > 1 || parts?.given.isEmpty == false, hasComing: !later.isEmpty,
                visit: parts?.visit,
                contact: parts?.contact, notices: unseen > 0 ? c.texts.count("my.notices", unseen) : nil,
                asks: try asks(c),
                events: OwnEventRows.rows(try c.read { try OwnEventRows.Known(c, $0) }, on: .today, c),
                isPaired: agenda.therapy != nil,
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

    private static func quiet(_ later: [Waiting], _ dates: DateFormat, _ c: Context<Member>) -> String {
        guard let next = later.map(\.item.opens).min(by: { $0.at < $1.at }) else {
            return c.texts["my.nothing"]
        }
        return c.texts["my.nothing_until", ["when": c.texts.when(next, dates)]]
    }

    /// What the studies are called that ask something; nothing where one study is all there is.
    private static func askingStudies(
        _ waiting: [Waiting], isPaired: Bool, _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> [ID<Study>: String] {
        let asking = Set(waiting.compactMap { $0.item.study?.study })
        guard asking.count > (isPaired ? 0 : 1) else { return [:] }
        return try StudyStore.titles(ofParticipant: c.proof.account.id, connection).mapValues { study in
            study.title.text(in: c.languages) ?? study.name
        }
    }

    private static func entry(
        _ waiting: Waiting, of studies: [ID<Study>: String], _ dates: DateFormat, _ c: Context<Member>
    ) -> Show.Entry {
        let item = waiting.item
        let one = waiting.shown
        let closes = item.closes ?? item.opens
        let isComing = item.state == .coming
        let minutes = (closes.at.seconds - c.now.seconds + 59) / 60
        let hurries = !isComing && minutes <= 120 && closes.isTold(at: c.now)
        let answered = one.progress.answered
        let total = one.progress.total
        return Show.Entry(
            title: item.form?.questionnaire.written(c.languages, on: c.language) ?? WrittenText(one.title),
            path: "/my/assignments/\(item.form?.id ?? "")",
            when: isComing
                ? c.texts.opening(item.opens, dates, in: "my.from")
                : c.texts.closing(closes, dates, in: "my.until"),
            study: item.study.flatMap { studies[$0.study] },
            hurry: hurries ? c.texts.count("my.minutes", Int(minutes)) : nil,
            percent: answered > 0 && total > 0 ? String(Share.percent(answered, of: total)) : nil,
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
    }

    /// Everything that has no place in the navigation at the foot.
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
