import Database
import HTTP
import Identity
import JSON
import Records
import Therapies
import Web
import Wire
import Wording

/// Sets unremarkable news aside in one step, and brings it back for ten minutes (PR-35).
enum NewsSetAside {
    static func routes(_ routes: inout Routes) {
        routes.page(.post, "/today/news/set-aside", .therapist, undo: .newsSetAside, setAside)
        routes.call(
            .post, "/today/news/set-aside", .therapist,
            .nothing(
                "Count unremarkable news that came in until a moment as seen, without opening the files",
                takes: .object([Schema.optional("until", .time.orNull)])
            ).withOptionalBody.undone(.newsSetAside), setAsideCall)
        routes.call(
            .post, "/today/news/return", .therapist,
            .nothing("Bring back what was set aside in the last ten minutes").revised(
                NewsSetAsideStore.revision), bringBack)
    }

    @Sendable static func setAside(_ c: Context<Member>) throws -> Reply {
        let fields = InputReader(form: try c.form())
        let until = fields.instant("until", c.dates.zone)
        try fields.finish()
        let count = try run(until: until ?? c.now, c)
        return .seeOther("/#news", flash: Message("today.set_aside", ["n": String(count)]))
    }

    @Sendable static func setAsideCall(_ c: Context<Member>) throws -> Reply {
        let fields = c.request.body.isEmpty ? InputReader(json: .object([])) : try c.body()
        let until = fields.instant("until", c.dates.zone)
        try fields.finish()
        _ = try run(until: until ?? c.now, c)
        return .response(.noContent)
    }

    /// What is unremarkable is found out in the transaction that sets it aside: an answer that has to be seen may have
    /// come in since the page was drawn.
    private static func run(until: Instant, _ c: Context<Member>) throws -> Int {
        let account = c.proof.account.id
        let moment = min(until, c.now)
        return try c.write(.newsSetAside, about: account) { connection in
            let therapies = try TherapyStore.caseload(of: account, connection)
            let reader = NewsReader(therapies, PatientNames(therapies, c), c)
            let files = try reader.unremarkable(until: moment, connection)
            try NewsSetAsideStore.setAside(files, until: moment, of: account, at: c.now, connection)
            return files.count
        }
    }

    @Sendable static func bringBack(_ c: Context<Member>) throws -> Reply {
        let account = c.proof.account.id
        try c.write(.newsReturned, about: account) { [now = c.now] connection in
            let since = now.adding(seconds: -Undo.seconds)
            if try NewsSetAsideStore.bringBack(of: account, since: since, connection) == 0 {
                throw Problem.conflict(Message("undo.not_removed"))
            }
        }
        return .response(.noContent)
    }
}

extension AuditAction {
    static let newsSetAside = AuditAction(name: "news.set_aside")
    static let newsReturned = AuditAction(name: "news.returned")
}

extension Undo {
    static let newsSetAside = Undo(
        by: "/today/news/return", shown: "/today", NewsSetAsideStore.revision)
}
