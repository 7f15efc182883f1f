import Accounts
import Database
import HTTP
import Identity
import Records
import Rules
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// Interventions in the browser (IO-12). The patient's own words stay with them (IO-13): no field is sent, and the
/// server learns only that it was opened and completed, each by a button.
package enum OwnPracticePages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/my/interventions", .patient, index)
        routes.page(.get, "/my/interventions/:intervention", .paired, show)
        routes.page(.post, "/my/interventions/:intervention/opening", .paired, open)
        routes.page(.post, "/my/interventions/:intervention/completion", .paired, complete)
    }

    /// One of the list.
    package struct Entry: Encodable, Sendable {
        package let id: ID<Intervention>
        /// Its first line.
        package let title: String
        /// Its kind, and its author.
        package let from: String
        package let when: String
    }

    package struct Index: Page {
        package static let template = "my/interventions"
        package static let section: NavigationItem? = .practice
        package let isPaired: Bool
        package let isEmpty: Bool
        package let fresh: [Entry]
        package let opened: [Entry]
        package let completed: [Entry]
        let hasFresh: Bool
        let hasOpened: Bool
        let hasCompleted: Bool
        let newer: String?
        let older: String?
    }

    package struct Show: Page {
        package static let template = "my/intervention"
        package static let section: NavigationItem? = .practice
        package let id: ID<Intervention>
        /// Its first line.
        package let title: String
        /// Its kind, and its author.
        package let from: String
        package let when: String
        /// The text beside the title, or nil. A script shows that of an unopened one, and reports it opened.
        package let text: String?
        /// A note that own words stay on the device; nil for interventions that ask for none.
        package let words: String?
        package let isNew: Bool
        /// Whether it has a switch that says done.
        let isTask: Bool
        /// When it was completed; nil before.
        package let done: String?
    }

    private static let listed = 20
    /// How many days it counts as new.
    static let newDays: Int64 = 7

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let account = c.proof.account
        guard let therapy = try c.read({ try TherapyStore.running(of: account.id, $0) }) else {
            return .page(
                Index(
                    isPaired: false, isEmpty: true, fresh: [], opened: [], completed: [], hasFresh: false,
                    hasOpened: false, hasCompleted: false, newer: nil, older: nil))
        }
        let (records, name) = try c.read { connection in
            (
                try InterventionStore.all(in: therapy.id, withWithdrawn: false, connection),
                try therapist(of: therapy, c, connection)
            )
        }
        let key = try therapy.key(c.keys)
        let dates = c.dates(in: Zone(account.timezone))
        let entry = { (record: InterventionRecord) in
            Entry(
                id: record.id, title: InterventionTitle(try record.words(key, c.languages)).line,
                from: from(record, name, c.texts), when: dates.short(record.assignedAt))
        }
        let fresh = records.filter { $0.isFresh(c.now) }
        let opened = records.filter { $0.state != .completed && !$0.isFresh(c.now) }
        let completed = records.filter { $0.state == .completed }
        let pages = max(1, (completed.count + listed - 1) / listed)
        let page = min(max(1, c.request.query["page"].flatMap { Int($0) } ?? 1), pages)
        let link = { (page: Int) in "/my/interventions?page=\(page)#completed" }
        return .page(
            Index(
                isPaired: true, isEmpty: records.isEmpty, fresh: try fresh.map(entry),
                opened: try opened.map(entry),
                completed: try completed.dropFirst((page - 1) * listed).prefix(listed).map(entry),
                hasFresh: !fresh.isEmpty, hasOpened: !opened.isEmpty, hasCompleted: !completed.isEmpty,
                newer: page > 1 ? link(page - 1) : nil, older: page < pages ? link(page + 1) : nil))
    }

    /// Looking does not open it: an unopened one has the button, and the text that a script shows in its place.
    @Sendable static func show(_ c: Context<PairedPatient>) throws -> Reply {
        let id: ID<Intervention> = try c.id("intervention")
        let therapy = c.proof.therapy
        let (record, name) = try c.read { connection in
            (
                try InterventionStore.find(id, in: therapy.id, connection),
                try therapist(of: therapy, c, connection)
            )
        }
        guard let record else { throw Problem.notFound }
        if record.withdrawnAt != nil { throw Problem.gone(Message("interventions.withdrawn")) }
        let dates = c.dates(in: Zone(c.proof.account.timezone))
        let title = InterventionTitle(try record.words(try therapy.key(c.keys), c.languages))
        return .page(
            Show(
                id: id, title: title.line, from: from(record, name, c.texts),
                when: dates.short(record.assignedAt), text: title.rest,
                words: record.kind == .commendation
                    ? nil : c.texts["practice.words_\(record.kind.rawValue)"],
                isNew: record.state == .new, isTask: record.kind == .task,
                done: record.completedAt.map { c.texts["practice.done", ["when": dates.short($0)]] }))
    }

    @Sendable static func open(_ c: Context<PairedPatient>) throws -> Reply {
        try tell(.opening, nil, c)
    }

    @Sendable static func complete(_ c: Context<PairedPatient>) throws -> Reply {
        try tell(.completion, Message("practice.completed_now"), c)
    }

    private static func tell(
        _ step: InterventionReporting.Step, _ flash: Message?, _ c: Context<PairedPatient>
    ) throws -> Reply {
        let id: ID<Intervention> = try c.id("intervention")
        // The patient's own words must not be sent: a form with any further field is refused, unread.
        guard try c.form().fields.allSatisfy({ $0.name == "form_token" }) else {
            throw Problem.invalid("body", "practice.stays_here")
        }
        try InterventionReporting.take(step, of: id, c)
        if c.wantsNoPage { return try .taken() }
        return .seeOther("/my/interventions/\(id)", flash: flash)
    }

    // MARK: Words

    private static func therapist<P>(
        of therapy: Therapy, _ c: Context<P>, _ connection: borrowing Connection
    ) throws -> String {
        try TherapistStore.card(of: therapy.therapistID, c.keys, connection)?.fullName
            ?? c.texts["my.your_therapist"]
    }

    private static func from(_ record: InterventionRecord, _ name: String, _ texts: Texts) -> String {
        texts["my.given_\(record.kind.rawValue)", ["name": name]]
    }
}
