import Clinic
import Contributions
import Database
import Delivery
import HTTP
import Identity
import Participants
import Records
import Research
import Staff
import Web
import Wire
import Wording

/// Administration at a glance: backup, mail, health and open invitations on one screen, and links to everything else.
enum AdminHome {
    static func routes(_ routes: inout Routes) { routes.page(.get, "/admin", .admin, show) }

    struct Show: Page {
        static let template = "admin/index"
        static let section: NavigationItem? = .admin
        /// The open first steps; nil once they are done or dismissed.
        let welcome: String?
        /// Notices that need an action.
        let notices: [Notice]
        let cards: [Card]
        let invitations: [Invitation]
        let hasInvitations: Bool
        let areas: [Area]

        struct Notice: Encodable, Sendable {
            let text: String
            let path: String
            let label: String
        }
        struct Card: Encodable, Sendable {
            let title: String
            let path: String
            let word: String
            let tone: String
            let lines: [String]
        }
        struct Invitation: Encodable, Sendable {
            let name: String
            let path: String
            let facts: String
            let isOver: Bool
            let state: String
        }
        struct Area: Encodable, Sendable {
            let title: String
            let path: String
            let facts: String
        }
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        let health = HealthReport(c.services)
        let page = try c.read { connection in
            let staff = try StaffStore.all(connection)
            let invitations = try invitations(staff, c, connection)
            return Show(
                welcome: try Welcome.banner(for: c.proof.account, c, connection),
                notices: try notices(staff, c, connection),
                cards: [system(health, c), backup(health, c), try mail(health, c, connection)],
                invitations: invitations, hasInvitations: !invitations.isEmpty,
                areas: try areas(staff, c, connection))
        }
        return .page(page)
    }

    private static func card(
        _ part: String, isFailing: Bool, _ lines: [String], _ texts: Texts
    ) -> Show.Card {
        Show.Card(
            title: texts["system.\(part)"], path: "/admin/system",
            word: texts[isFailing ? "system.failing" : "system.well"], tone: isFailing ? "warn" : "good",
            lines: lines)
    }

    private static func system(_ health: HealthReport, _ c: Context<Member>) -> Show.Card {
        let parts: [HealthReport.Part] = [.database, .writes, .disk, .clock]
        let lines = parts.map { part in
            let isFailing = health.failing.contains(part)
            return isFailing
                ? c.texts["system.advice_\(part.rawValue)"]
                : c.texts["system.part_\(part.rawValue)"] + ": " + c.texts["system.well"]
        }
        return card("health", isFailing: !health.failing.isDisjoint(with: parts), lines, c.texts)
    }

    private static func backup(_ health: HealthReport, _ c: Context<Member>) -> Show.Card {
        let texts = c.texts
        var lines: [String] = []
        if let last = c.services.backups.folder.files(at: c.now).first {
            lines.append(texts["admin.last_backup", ["when": c.dates.dayAndTime(last.madeAt)]])
        } else {
            lines.append(texts["system.none_yet"])
        }
        let days = c.services.settings.backupDays
        lines.append(
            days == 0 ? texts["system.no_backups"] : texts["admin.backup_days", ["days": String(days)]])
        if health.failing.contains(.backup) { lines.append(texts["system.advice_backup"]) }
        return card("part_backup", isFailing: health.failing.contains(.backup), lines, texts)
    }

    private static func mail(
        _ health: HealthReport, _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> Show.Card {
        let texts = c.texts
        let stuck = try MailStore.stuck(connection).count
        let waiting = try MailStore.waiting(connection)
        let kind = c.services.settings.relay == nil ? "system.mail_files" : "system.mail_server"
        var lines = [texts[kind], texts.count("admin.mail_waiting", waiting)]
        if stuck > 0 { lines.append(texts.count("admin.mail_stuck", stuck)) }
        return card("part_mail", isFailing: stuck > 0 || health.failing.contains(.mail), lines, texts)
    }

    private static func invitations(
        _ staff: [StaffMember], _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> [Show.Invitation] {
        try staff.filter { $0.state == .invited }.map { member in
            let ends = try StaffStore.invitationEnd(of: member.account.id, connection)
            let isOver = ends.map { $0 <= c.now } ?? true
            let roles = Role.allCases.filter(member.account.roles.contains).map {
                c.texts["profile.role_\($0.rawValue)"]
            }
            return Show.Invitation(
                name: try member.account.name(c.keys) ?? "", path: "/admin/accounts/\(member.account.id)",
                facts: try member.account.email(c.keys) + " · " + roles.joined(separator: ", "),
                isOver: isOver,
                state: isOver
                    ? c.texts["admin.link_over"]
                    : c.texts["admin.link_until", ["when": c.dates.dayAndTime(ends ?? c.now)]])
        }
    }

    private static func notices(
        _ staff: [StaffMember], _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> [Show.Notice] {
        var notices = try staff.filter { $0.state == .closed && $0.runningTherapies > 0 }.map { member in
            let name = try member.account.name(c.keys) ?? ""
            let text = c.texts.count("admin.left", member.runningTherapies)
            return Show.Notice(
                text: "\(name): \(text)", path: "/admin/accounts/\(member.account.id)/closure",
                label: c.texts["handover.title"])
        }
        if try StarterQuestionnaires.isDailyMissing(connection) {
            notices.append(
                Show.Notice(
                    text: c.texts["starter.daily_missing_admin"], path: "/welcome",
                    label: c.texts["welcome.title"]))
        }
        return notices
    }

    private static func areas(
        _ staff: [StaffMember], _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> [Show.Area] {
        let texts = c.texts
        let lines = try AuditLogStore.total(connection)
        let active = staff.count { $0.state == .active }
        let facts: [(String, String, String)] = [
            (texts["staff.title"], "accounts", texts.count("admin.accounts", active, of: staff.count)),
            (texts["clinic.title"], "settings", c.services.clinic.now.record.name ?? c.services.timezone),
            (texts["information.title"], "information", texts["admin.information"]),
            (texts["handover.title"], "hand-over", texts["admin.hand_over"]),
            (
                texts["feedback.list_title"], "feedback",
                texts.count("feedback.total", try FeedbackStore.count(connection))
            ),
            (texts["audit.title"], "audit-log", texts.count("audit.total", lines)),
            (texts["system.title"], "system", Settings.version),
        ]
        return facts.map { Show.Area(title: $0.0, path: "/admin/\($0.1)", facts: $0.2) } + [
            Show.Area(
                title: texts["protocols.title"], path: "/protocols", facts: texts["protocols.scope_clinic"])
        ]
    }
}
