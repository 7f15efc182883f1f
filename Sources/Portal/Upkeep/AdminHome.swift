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

/// Administration at a glance: health by part, backup, mail and open invitations as states, and links to everything else.
enum AdminHome {
    static func routes(_ routes: inout Routes) { routes.page(.get, "/admin", .admin, show) }

    struct Show: Page {
        static let template = "admin/index"
        static let section: NavigationItem? = .admin
        /// The open first steps; nil once they are done or dismissed.
        let welcome: String?
        /// Notices that need an action.
        let notices: [Notice]
        /// Every part of the installation, those that need attention first.
        let parts: [ListRow]
        let invitations: [Invitation]
        let hasInvitations: Bool
        let areas: [ListRow]

        struct Notice: Encodable, Sendable {
            let text: String
            let path: String
            let label: String
        }
        struct Invitation: Encodable, Sendable {
            let name: String
            let path: String
            let facts: String
            let state: StateView
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
                parts: try parts(health, c, connection),
                invitations: invitations, hasInvitations: !invitations.isEmpty,
                areas: try areas(staff, c, connection))
        }
        return .page(page)
    }

    private static func parts(
        _ health: HealthReport, _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> [ListRow] {
        let stuck = try MailStore.stuck(connection).count
        let mail = try self.mail(stuck, c, connection)
        let failing = stuck > 0 ? health.failing.union([.mail]) : health.failing
        let ordered =
            HealthReport.Part.allCases.filter(failing.contains)
            + HealthReport.Part.allCases.filter { !failing.contains($0) }
        return ordered.map { part in
            var facts = part == .backup ? backup(c) : part == .mail ? mail : nil
            if health.failing.contains(part) {
                let advice = c.texts["system.advice_\(part.rawValue)"]
                facts = facts.map { "\($0). \(advice)" } ?? advice
            }
            return ListRow(
                title: c.texts["system.part_\(part.rawValue)"], path: facts == nil ? nil : "/admin/system",
                facts: facts,
                state: .health(part, isFailing: failing.contains(part), c))
        }
    }

    private static func backup(_ c: Context<Member>) -> String {
        let texts = c.texts
        let last = c.services.backups.folder.files(at: c.now).first.map {
            texts["admin.last_backup", ["when": c.dates.dayAndTime($0.madeAt)]]
        }
        let days = c.services.settings.backupDays
        let rhythm =
            days == 0 ? texts["system.no_backups"] : texts["admin.backup_days", ["days": String(days)]]
        return "\(last ?? texts["admin.no_backup"]) · \(rhythm)"
    }

    private static func mail(
        _ stuck: Int, _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> String {
        let texts = c.texts
        let kind = c.services.settings.relay == nil ? "admin.mail_files" : "system.mail_server"
        var parts = [texts[kind], texts.count("admin.mail_waiting", try MailStore.waiting(connection))]
        if stuck > 0 { parts.append(texts.count("admin.mail_stuck", stuck)) }
        return parts.joined(separator: " · ")
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
                state: StateView(
                    word: isOver
                        ? c.texts["admin.link_over"]
                        : c.texts["admin.link_until", ["when": c.dates.dayAndTime(ends ?? c.now)]],
                    tone: isOver ? .warn : .plain))
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
    ) throws -> [ListRow] {
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
        return facts.map { ListRow(title: $0.0, path: "/admin/\($0.1)", facts: $0.2) } + [
            ListRow(
                title: texts["admin.protocols"], path: "/protocols", facts: texts["protocols.scope_clinic"])
        ]
    }
}
