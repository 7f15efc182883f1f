import Accounts
import Appointments
import Database
import Delivery
import HTTP
import Identity
import Instruments
import Records
import Rules
import Studies
import Web
import Wire
import Wording

/// What devices notify of (IO-15): settings, and the list of what is due when, so that all devices agree.
package enum NotificationAPI {
    package static func routes(_ routes: inout Routes) {
        let settings = NotificationSettings.self
        let revision = AccountRevisionStore.notifications
        routes.call(
            .get, "/my/notification-settings", .patient,
            .one("Of what devices notify", settings).revised(revision),
            show)
        routes.call(
            .put, "/my/notification-settings", .patient,
            .one("Say of what devices notify", settings, takes: settings.schema).revised(revision), put)
        routes.call(
            .get, "/my/notifications", .patient,
            .many("What is to be notified of, in order of time, at most 64", Wire.Notification.self), index)
    }

    /// What iOS keeps pending for one app at most.
    static let most = 64

    @Sendable package static func show(_ c: Context<Member>) throws -> Reply {
        try .data(One(try c.read { try c.ownAccount($0).notifications.wire }))
    }

    @Sendable package static func put(_ c: Context<Member>) throws -> Reply {
        let fields = try c.body()
        let read = { (name: String) -> Bool in
            if fields.value(name) == nil { fields.refuse(name, "errors.required") }
            return fields.bool(name) ?? false
        }
        let choice = AccountRecord.Notifications(
            questionnaires: read("questionnaires"), interventions: read("interventions"),
            appointments: read("appointments"))
        try fields.finish()
        try save(choice, c)
        return try .data(One(choice.wire))
    }

    package static func save(_ choice: AccountRecord.Notifications, _ c: Context<Member>) throws {
        let account = c.proof.account
        if try c.read({ try c.ownAccount($0).notifications }) != choice {
            try c.write(.notificationsSwitched, about: account.id) { connection in
                try AccountStore.setNotifications(choice, of: account.id, connection)
            }
        }
    }

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let paging = try Paging(c.request)
        let agenda = try Agenda.ready(c)
        let all = try c.read { try items(agenda, c, $0) }
        let (part, next) = paging.part(of: all, .earliestFirst) { Position($0.attributes.firesAt, $0.id) }
        return try .data(Many(Array(part), total: all.count, next: next))
    }

    private static let daysAhead: Int64 = 14
    private static let mostPast = 16

    /// In order of time.
    private static func items(
        _ agenda: Agenda, _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> [Item<Wire.Notification>] {
        let choice = c.proof.account.notifications
        let parts: [Agenda.Part] =
            (choice.questionnaires ? [.assignments, .studies] : [])
            + (choice.interventions ? [.interventions] : []) + (choice.appointments ? [.appointments] : [])
        let found = try agenda.items(
            parts, since: c.now.adding(seconds: 1), until: c.now.adding(days: daysAhead), connection)
        let items = try found.flatMap { try notifications($0, c) }.sorted {
            ($0.attributes.firesAt, $0.id) < ($1.attributes.firesAt, $1.id)
        }
        // Old unopened items must not push out coming ones.
        let split = items.firstIndex { $0.attributes.firesAt > c.now } ?? items.count
        return Wire.Notification.fitting(items[..<split].suffix(mostPast) + items[split...], most: most) {
            $0.attributes
        }
    }

    /// None for what devices do not tell of, or not any more. The title of an intervention says only of which kind it is: it
    /// shows on locked screens.
    private static func notifications(
        _ item: AgendaItem, _ c: Context<Member>
    ) throws -> [Item<Wire.Notification>] {
        guard let at = item.announcedAt else { return [] }
        func told(_ kind: String, _ subject: ID<some Any>, _ title: String) -> Item<Wire.Notification> {
            Item(
                id: DerivedID.of("notification", kind, subject),
                Wire.Notification(kind: kind, subjectID: subject.text, firesAt: at, title: title))
        }
        let title = item.form?.questionnaire.title(c.languages) ?? ""
        switch item.content {
        case .assignment(let record), .daily(let record): return [told("questionnaire", record.id, title)]
        case .prompt(let asked), .once(let asked): return calls(asked, title, after: c.now)
        case .intervention(let record):
            return [told("intervention", record.id, c.texts["notifications.\(record.kind.rawValue)"])]
        case .appointment(let record):
            return [told("appointment", record.id, try record.wire(try c.proof.account.key(c.keys)).title)]
        }
    }

    /// An entry for each call. Of a prompt that is called again only those to come: where it is open the first one is over.
    private static func calls(
        _ asked: StudyAssignment, _ title: String, after now: Instant
    ) -> [Item<Wire.Notification>] {
        asked.allCalls.enumerated().filter { asked.calls.isEmpty || $0.element > now }.map { index, at in
            var call = Wire.Notification(
                kind: "questionnaire", subjectID: asked.item.id.text, firesAt: at, title: title)
            call.assignmentID = asked.id.text
            call.call = index == 0 ? nil : index + 1
            let first = DerivedID.of("notification", "study", asked.item.id, String(at.milliseconds))
            let later = DerivedID.of("notification", "study", asked.id, String(index + 1))
            return Item(id: index == 0 ? first : later, call)
        }
    }
}

extension AccountRecord.Notifications {
    package var wire: NotificationSettings {
        NotificationSettings(
            questionnaires: questionnaires, interventions: interventions, appointments: appointments)
    }
}

extension AuditAction {
    static let notificationsSwitched = AuditAction(name: "notifications.switched")
}
