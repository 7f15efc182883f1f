import HTTP
import Identity
import Scheduling
import Web
import Wire
import Wording

/// The own listening (SN-3).
package enum OwnListeningPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/my/sounds/statistics", .patient, show)
    }

    package struct Show: Page {
        package static let template = "my/sound-statistics"
        package static let section: NavigationItem? = .more

        struct Row: Encodable, Sendable {
            let title: String
            let when: String
            let length: String
            let rating: String
        }

        struct Line: Encodable, Sendable {
            let title: String
            let plays: String
            let time: String
            let rating: String
        }
        let sessions: [Row]
        /// The link that shows or hides the others; nil without any.
        let more: PageLink?
        let orders: [PageLink]
        let lines: [Line]
        let hasLines: Bool
        let soundStyles: String
    }

    /// How many are shown at first.
    private static let few = 5

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        let account = c.proof.account
        let showsAll = c.request.query["all"] == "true"
        let order = c.request.query["sort"].flatMap(ListeningStatistics.Order.init(rawValue:)) ?? .name
        let (sessions, titles) = try c.read { connection in
            (
                try ListeningStore.all(of: account.id, connection),
                try ListeningActions.titles(c, connection)
            )
        }
        let dates = c.dates(in: Zone(account.timezone))
        let rows = sessions.prefix(showsAll ? 1_000 : few).map { session in
            Show.Row(
                title: titles[session.soundID] ?? "", when: dates.short(session.startedAt),
                length: SoundLibraryView.clock(session.listenedSeconds),
                rating: session.rating.map { "\($0), \(c.texts["listening.cgi_\($0)"])" }
                    ?? c.texts["listening.state_\(session.ratingState)"])
        }
        let path = { (all: Bool, order: ListeningStatistics.Order) in
            "/my/sounds/statistics?sort=\(order.rawValue)" + (all ? "&all=true" : "")
        }
        return .page(
            Show(
                sessions: rows,
                more: sessions.count <= few
                    ? nil
                    : PageLink(
                        label: c.texts[showsAll ? "listening.show_few" : "listening.show_all"],
                        path: path(!showsAll, order), isCurrent: false),
                orders: ListeningStatistics.Order.allCases.map {
                    PageLink(
                        label: c.texts["listening.sort_\($0.rawValue)"], path: path(showsAll, $0),
                        isCurrent: $0 == order)
                },
                lines: ListeningStatistics.lines(of: sessions, titles: titles, by: order).map {
                    line($0, c.texts)
                }, hasLines: !sessions.isEmpty, soundStyles: c.services.assets.alone("sounds")))
    }

    private static func line(_ line: ListeningStatistics.Line, _ texts: Texts) -> Show.Line {
        let rating = line.meanRating.map {
            texts["listening.mean", ["mean": texts.number($0), "n": String(line.rated)]]
        }
        return Show.Line(
            title: line.title, plays: String(line.plays), time: SoundLibraryView.clock(line.seconds),
            rating: rating ?? texts["listening.unrated"])
    }
}
