import Accounts
import HTTP
import Identity
import Scheduling
import Web
import Wire
import Wording

/// Accesses to the own data, in the browser.
package enum AccessLogPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/my/settings/access-log", .patient, index)
    }

    package struct Index: Page {
        package static let template = "my/access-log"
        package static let section: NavigationItem? = .more

        struct Row: Encodable, Sendable {
            let who: String
            let what: String
            let when: String
        }
        let rows: [Row]
        /// Where the earlier ones are.
        let older: String?
    }

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let list = try AccessLogAPI.list(c)
        let dates = c.dates(in: Zone(c.proof.account.timezone))
        let rows = list.data.map { item in
            let access = item.attributes
            let areas = AuditFormatter.areas(access.areas, c.texts).map { ": " + $0 } ?? ""
            return Index.Row(
                who: access.by ?? c.texts["own_settings.by_program"],
                what: AuditFormatter.what(access.action, c.texts) + areas, when: dates.dayAndTime(access.at))
        }
        return .page(Index(rows: rows, older: list.meta.next))
    }
}
