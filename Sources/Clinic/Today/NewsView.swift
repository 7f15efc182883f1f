import Records
import Therapies
import Web
import Wire
import Wording

/// "New since your last look" as Today draws it: what stands out in rows, the unremarkable below in lines (PR-35).
struct NewsView: Encodable, Sendable {
    let marked: [TodayPages.Show.News]
    /// The newest of what is unremarkable, unless all is asked for.
    let plain: [TodayPages.Show.News]
    let hasPlain: Bool
    /// Whether all is asked for: then the lines are open.
    let isWhole: Bool
    /// The way to what is unremarkable and not shown; nil when all is shown.
    let rest: PageLink?
    let isEmpty: Bool
    let plainTitle: String
    /// What the page shows came in until then: what comes in later is not set aside with it.
    let until: String

    /// More than any caseload has between two looks; after holidays, a page of all would be as long as it is unread.
    static let most = 20

    init(_ news: [TodayPages.Show.News], isWhole: Bool, _ texts: Texts, now: Instant) {
        marked = news.filter { $0.weight > 0 }
        let unremarkable = news.filter { $0.weight == 0 }
        let shown = isWhole ? unremarkable[...] : unremarkable.prefix(Self.most)
        let left = unremarkable.count - shown.count
        plain = Array(shown)
        hasPlain = !plain.isEmpty
        isEmpty = news.isEmpty
        plainTitle = texts.count("today.unremarkable", unremarkable.count)
        self.isWhole = isWhole
        rest =
            left > 0
            ? PageLink(label: texts.count("today.more_unremarkable", left), path: "/?news=all#news") : nil
        until = now.text
    }

    /// The files that it shows data of.
    var files: [ID<Therapy>] { marked.map(\.id) + plain.map(\.id) }
}
