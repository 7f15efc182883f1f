import Accounts
import Database
import HTTP
import Identity
import Instruments
import Records
import Responses
import Rules
import Scheduling
import Studies
import Therapies
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
        let account = c.proof.account
        let therapy = try c.read { try TherapyStore.running(of: account.id, $0) }
        if let therapy, therapy.arm != .noApp { try DailyPlanning.ensure(therapy.id, c) }
        let plan = Reminders(account: account, therapy: therapy, c)
        let all = try c.read { try plan.all($0) }
        let (part, next) = paging.part(of: all, .earliestFirst) { Position($0.attributes.firesAt, $0.id) }
        return try .data(Many(Array(part), total: all.count, next: next))
    }
}

/// Gathers what is to be notified of.
private struct Reminders {
    package let account: AccountRecord
    /// Nil for somebody who takes part in studies alone.
    package let therapy: Therapy?
    let now: Instant
    let texts: Texts
    /// The patient's languages, the best first.
    let languages: [Language]
    let keys: Keyring
    let cache: QuestionnaireCache

    init(account: AccountRecord, therapy: Therapy?, _ c: Context<Member>) {
        self.account = account
        self.therapy = therapy
        now = c.now
        texts = c.texts
        languages = c.languages
        keys = c.keys
        cache = c.services.questionnaires
    }

    /// In order of time.
    func all(_ connection: borrowing Connection) throws -> [Item<Wire.Notification>] {
        let choice = account.notifications
        var items: [Item<Wire.Notification>] = []
        if choice.questionnaires { items += try studies(connection) }
        if let therapy {
            // Who is to have no app fills in paper (IO-21).
            if choice.questionnaires, therapy.arm != .noApp {
                items += try questionnaires(therapy, connection)
            }
            if choice.interventions { items += try interventions(therapy, connection) }
            if choice.appointments { items += try appointments(therapy, connection) }
        }
        items.sort { ($0.attributes.firesAt, $0.id) < ($1.attributes.firesAt, $1.id) }
        // What nobody has opened for long must not push out what is still to come.
        let split = items.firstIndex { $0.attributes.firesAt > now } ?? items.count
        return Array((items[..<split].suffix(Self.mostPast) + items[split...]).prefix(NotificationAPI.most))
    }

    private static let mostPast = 16

    private func item(_ kind: String, _ subject: ID<some Any>, _ at: Instant, _ title: String)
        -> Item<Wire.Notification>
    {
        let notification = Wire.Notification(kind: kind, subjectID: subject.text, firesAt: at, title: title)
        return Item(id: DerivedID.of("notification", kind, subject), notification)
    }

    private static let studyDays: Int64 = 14

    /// The prompts of the studies in the next two weeks, but for those that would be refused; what is answered once only
    /// is not asked again. A baseline that is open without a prompt is announced from when it opened.
    private func studies(_ connection: borrowing Connection) throws -> [Item<Wire.Notification>] {
        let until = now.adding(days: Self.studyDays)
        return try StudyStore.all(ofParticipant: account.id, connection).flatMap {
            study -> [Item<Wire.Notification>] in
            guard study.isRunning(at: now),
                let enrolment = try EnrolmentStore.find(in: study.id, of: account.id, connection)
            else { return [] }
            let prompts = try StudyPrompts(study, connection).of(enrolment, connection)
            return try prompts.all.items.flatMap { entry -> [Item<Wire.Notification>] in
                let isAnswered = prompts.firsts[entry.key] != nil
                guard !(entry.isOnetime && isAnswered),
                    let record = try QuestionnaireStore.newest(entry.key, cache, connection)
                else { return [] }
                let coming = prompts.prompts(of: entry, since: now.adding(seconds: 1), until: until)
                let open = prompts.opening(ofBaseline: entry, at: now)
                let moments = [open].compactMap(\.self) + coming.map(\.at).prefix(NotificationAPI.most)
                return moments.map { at in
                    let notification = Wire.Notification(
                        kind: "questionnaire", subjectID: entry.id.text, firesAt: at,
                        title: record.title(languages))
                    let id = DerivedID.of("notification", "study", entry.id, String(at.milliseconds))
                    return Item(id: id, notification)
                }
            }
        }
    }

    /// When each becomes available. One that is open already is listed until a device says that it has notified of
    /// it, or that it was opened.
    private func questionnaires(_ therapy: Therapy, _ connection: borrowing Connection) throws -> [Item<
        Wire.Notification
    >] {
        try AssignmentStore.toNotify(
            in: therapy.id, at: now, limit: NotificationAPI.most, connection
        ).compactMap { record in
            try QuestionnaireStore.find(record.questionnaireID, cache, connection).map {
                item("questionnaire", record.id, record.availableFrom, $0.title(languages))
            }
        }
    }

    /// What is new, at the moment it was given. The title says only of which kind it is: it shows on locked screens.
    private func interventions(_ therapy: Therapy, _ connection: borrowing Connection) throws -> [Item<
        Wire.Notification
    >] {
        try InterventionStore.all(in: therapy.id, withWithdrawn: false, connection)
            .filter { $0.state == .new }
            .map {
                item(
                    "intervention", $0.id, $0.assignedAt,
                    texts["notifications.\($0.kind.rawValue)"])
            }
    }

    private static let hour: Int64 = 3600

    /// An hour before each that is to come; at once where less than that is left.
    private func appointments(_ therapy: Therapy, _ connection: borrowing Connection) throws -> [Item<
        Wire.Notification
    >] {
        let key = try account.key(keys)
        return try AppointmentStore.all(inTherapy: therapy.id, connection).filter { $0.startsAt > now }
            .map { record in
                item(
                    "appointment", record.id, record.startsAt.adding(seconds: -Self.hour),
                    try record.wire(key).title)
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
