import Accounts
import HTTP
import Identity
import Records
import Scheduling
import Web
import Wire
import Wording

/// An account's notices: a hand-over, a cover, a message of a study; the newest first.
package enum OwnNoticePages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, path, .patient, index)
        routes.page(.post, "/my/notices/:notice/seen", .patient, noteSeen)
    }

    private static let path = "/my/notices"

    package struct Index: Page {
        package static let template = "my/notices"
        package static let section: NavigationItem? = .more

        package struct Row: Encodable, Sendable {
            let id: String
            let text: String
            let when: String
            let isNew: Bool
        }
        let rows: [Row]
    }

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let account = c.proof.account
        let key = try account.key(c.keys)
        let dates = c.dates(in: Zone(account.timezone))
        let rows = try c.read { try NoticeStore.all(of: account.id, $0) }.map { record in
            Index.Row(
                id: record.id.text, text: try record.wire(key, c.languages).text,
                when: dates.short(record.madeAt), isNew: !record.isSeen)
        }
        return .page(Index(rows: rows))
    }

    @Sendable static func noteSeen(_ c: Context<Member>) throws -> Reply {
        let id: ID<NoticeRecord> = try c.id("notice")
        guard let record = try c.read({ try NoticeStore.find(id, of: c.proof.account.id, $0) }) else {
            throw Problem.notFound
        }
        try NoticeAPI.noteSeen(record, at: c.now, c)
        return .seeOther(path)
    }
}
