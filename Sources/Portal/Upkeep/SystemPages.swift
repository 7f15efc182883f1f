import Database
import Foundation
import HTTP
import Identity
import Push
import Records
import Staff
import Web
import Wire
import Wording

enum SystemPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/admin/system", .admin, show)
        routes.page(.post, "/admin/system/backups", .admin, backUp)
        routes.page(.post, "/admin/system/push", .admin, resume)
    }

    /// Resumes a relay that had refused messages.
    @Sendable static func resume(_ c: Context<Member>) throws -> Reply {
        let host = try c.form()["host"] ?? ""
        try c.write(.pushResumed, object: host) { connection in
            guard try PushHostStore.resume(host, connection) else { throw Problem.notFound }
        }
        return .seeOther("/admin/system", flash: Message("push.resumed"))
    }

    struct Show: Page {
        static let template = "admin/system"
        static let section: NavigationItem? = .admin
        let parts: [ListRow]
        let facts: [Fact]
        let backups: [Line]
        let backupLead: String
        let mails: [Line]
        let relays: [Relay]
        let hasRelays: Bool

        /// A push relay that refuses, and is stopped until an administrator has checked.
        struct Relay: Encodable, Sendable {
            let host: String
            let text: String
        }
        struct Line: Encodable, Sendable {
            let first: String
            let second: String
            /// Of a mail; nil where nothing can be done about it.
            var account: Account?
        }
        struct Account: Encodable, Sendable {
            let words: String
            /// Nil for patients: who they are is hidden.
            let path: String?
        }
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply { .page(try page(c)) }

    @Sendable static func backUp(_ c: Context<Member>) throws -> Reply {
        // Each is a copy of everything: a few an hour are enough.
        try c.services.limiter.count("backups", limit: 6, seconds: 3600, now: c.now)
        do {
            try c.services.backups.make(by: c.proof.account.id, at: c.now)
            return .seeOther("/admin/system", flash: Message("system.backup_made"))
        } catch let problem as Problem {
            throw problem
        } catch {
            c.services.log.line("error", "backup failed", [("detail", Log.detail(of: error))], at: c.now)
            throw Problem.unavailable(retryAfter: 60)
        }
    }

    private static func page(_ c: Context<Member>) throws -> Show {
        let texts = c.texts
        let services = c.services
        let health = HealthReport(services)
        let parts = HealthReport.Part.allCases.map { part in
            let isFailing = health.failing.contains(part)
            return ListRow(
                title: texts["system.part_\(part.rawValue)"],
                facts: isFailing ? texts["system.advice_\(part.rawValue)"] : nil,
                state: .health(part, isFailing: isFailing, c))
        }
        let (stuck, stopped, members, kept) = try c.read { connection in
            let stuck = try MailStore.stuck(connection)
            let members = try stuck.map { try StaffStore.find($0.account, connection) }
            return (
                stuck, try PushHostStore.stopped(connection), members,
                try ZoneHistoryStore.all(connection).last
            )
        }
        return Show(
            parts: parts, facts: facts(c, kept),
            backups: services.backups.folder.files().map { file in
                Show.Line(first: c.dates.dayAndTime(file.madeAt), second: size(file.bytes, texts))
            },
            backupLead: services.settings.backupDays == 0
                ? texts["system.no_backups"]
                : texts["system.backups_lead", ["days": String(services.settings.backupDays)]],
            mails: try zip(stuck, members).map { mail, member in
                let next = mail.nextTryAt.map { texts["system.mail_next", ["time": c.dates.dayAndTime($0)]] }
                let values = [
                    "tries": texts.count("system.mail_tries", mail.tries), "reason": mail.failure,
                    "next": next ?? texts["system.mail_given_up"],
                ]
                return Show.Line(
                    first: c.dates.dayAndTime(mail.madeAt),
                    second: texts["system.mail_line", values],
                    account: try account(of: mail, member, c))
            },
            relays: stopped.map { relay in
                let values = ["status": String(relay.status), "when": c.dates.dayAndTime(relay.at)]
                return Show.Relay(host: relay.host, text: texts["push.stopped_line", values])
            }, hasRelays: !stopped.isEmpty)
    }

    /// Invited staff, and the account of each mail that is not tried again.
    private static func account(
        of mail: MailStore.Stuck, _ member: StaffMember?, _ c: Context<Member>
    ) throws -> Show.Account? {
        let isInvited = member?.state == .invited
        guard isInvited || mail.nextTryAt == nil else { return nil }
        guard let member else {
            return Show.Account(words: c.texts["system.mail_account", ["id": "\(mail.account)"]], path: nil)
        }
        let name = try member.account.name(c.keys) ?? (try member.account.email(c.keys))
        return Show.Account(
            words: c.texts[isInvited ? "system.mail_invitation" : "system.mail_member", ["name": name]],
            path: "/admin/accounts/\(member.account.id)")
    }

    private static func facts(_ c: Context<Member>, _ kept: KeptZones?) -> [Fact] {
        let texts = c.texts
        let settings = c.services.settings
        let bytes = (try? settings.database.size()) ?? 0
        let mail = settings.relay == nil ? "system.mail_files" : "system.mail_server"
        let factor = settings.secondFactor == .required ? "system.factor_required" : "system.factor_optional"
        return [
            Fact(label: texts["system.version"], value: Settings.version),
            Fact(label: texts["system.zones"], value: zones(c, kept)),
            Fact(label: texts["system.since"], value: c.dates.dayAndTime(c.services.startedAt)),
            Fact(label: texts["system.database"], value: size(bytes, texts)),
            Fact(label: texts["system.mail"], value: texts[mail]),
            Fact(label: texts["factor.own_title"], value: texts[factor]),
        ]
    }

    private static func zones(_ c: Context<Member>, _ kept: KeptZones?) -> String {
        let zones = Health.Zones.present
        let values = ["version": zones.version, "day": zones.madeAt.map { c.dates.day($0) } ?? "–"]
        let source = c.texts["system.zones_\(zones.source)", values]
        guard let kept, kept.moved > 0 else { return source }
        let moved = c.texts.count("system.zones_moved", kept.moved)
        return source + " · " + moved
    }

    private static func size(_ bytes: Int, _ texts: Texts) -> String {
        texts.number(Double(bytes) / 1_000_000) + " MB"
    }
}

extension AuditAction {
    static let pushResumed = AuditAction(name: "push.resumed")
}

extension StateView {
    /// How a part of the installation stands. Mail that is written to files works, and reaches no one.
    static func health(_ part: HealthReport.Part, isFailing: Bool, _ c: Context<Member>) -> StateView {
        if isFailing { return StateView(word: c.texts["system.failing"], tone: .warn) }
        let isToFiles = part == .mail && c.services.settings.relay == nil
        return StateView(
            word: c.texts[isToFiles ? "system.files_only" : "system.well"], tone: isToFiles ? .warn : .good)
    }
}
