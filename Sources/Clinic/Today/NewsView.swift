import Web
import Wire
import Wording

/// "New since your last look" as Today draws it: what stands out in rows, the unremarkable below in lines (PR-35).
struct NewsView: Encodable, Sendable {
    let marked: [TodayPages.Show.News]
    let plain: [TodayPages.Show.News]
    let hasPlain: Bool
    let isEmpty: Bool
    let plainTitle: String
    /// What the page shows came in until then: what comes in later is not set aside with it.
    let until: String

    init(_ news: [TodayPages.Show.News], _ texts: Texts, now: Instant) {
        marked = news.filter { $0.weight > 0 }
        plain = news.filter { $0.weight == 0 }
        hasPlain = !plain.isEmpty
        isEmpty = news.isEmpty
        plainTitle = texts.count("today.unremarkable", plain.count)
        until = now.text
    }
}
