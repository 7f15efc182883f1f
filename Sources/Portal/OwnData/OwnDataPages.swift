import Accounts
import HTTP
import Identity
import JSON
import Participants
import Scheduling
import Web
import Wire
import Wording

/// Who has looked at the own data, and a copy of all of it, in the browser.
enum OwnDataPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/my/settings/access-log", .patient, accesses)
        routes.page(.get, "/my/settings/copy", .patient, ask)
        routes.page(.post, "/my/settings/copy", .patient, copy)
    }

    struct Accesses: Page {
        static let template = "my/access-log"
        static let section: NavigationItem? = .more

        struct Row: Encodable, Sendable {
            let who: String
            let what: String
            let when: String
        }
        let rows: [Row]
        /// Where the earlier ones are.
        let older: String?

        static let example = Accesses(
            rows: [
                Row(who: "Dr. Ada Lindner", what: "Akte angesehen: Zeitachse", when: "20.11.2026, 10:00")
            ],
            older: "/my/settings/access-log?cursor=1_x")
    }

    @Sendable static func accesses(_ c: Context<Member>) throws -> Reply {
        let list = try AccessLogAPI.list(c)
        let dates = c.dates(in: Zone(c.proof.account.timezone))
        let rows = list.data.map { item in
            let access = item.attributes
            let areas = AuditFormatter.areas(access.areas, c.texts).map { ": " + $0 } ?? ""
            return Accesses.Row(
                who: access.by ?? c.texts["own_settings.by_program"],
                what: AuditFormatter.what(access.action, c.texts) + areas, when: dates.dayAndTime(access.at))
        }
        return .page(Accesses(rows: rows, older: list.meta.next))
    }

    @Sendable static func ask(_ c: Context<Member>) throws -> Reply {
        .page(OwnCopy.page(FormState(c.texts)))
    }

    /// The password again: an unlocked screen is not enough for everything at once.
    @Sendable static func copy(_ c: Context<Member>) throws -> Reply {
        let form = try c.form()
        do {
            try Password.confirm(form["password"] ?? "", of: c.proof.account, field: "password", c)
            let bytes = try JSONBytes.of(One(try OwnDataAPI.copy(c)))
            var response = Response(type: MediaType.json, bytes)
            response.headers.append("Content-Disposition", "attachment; filename=\"intersession.json\"")
            return .response(response)
        } catch Problem.invalid(let errors) {
            return .page(OwnCopy.page(FormState(form, errors, c.texts)), status: 422)
        }
    }
}
