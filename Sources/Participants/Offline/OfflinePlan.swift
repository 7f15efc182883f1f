import Agenda
import Contributions
import Database
import Delivery
import HTTP
import Identity
import Instruments
import JSON
import Push
import Questionnaires
import Records
import Rules
import Scheduling
import Studies
import Therapies
import Web
import Wire
import Wording

/// What a browser needs to go on without a network (PW-6): what is open or coming, what is half filled in, which pages to
/// keep, and whose they are.
struct OfflinePlan: Encodable, Sendable {
    /// How far it looks ahead.
    static let days: Int64 = 14

    /// Something that can be filled in.
    struct Entry: Encodable, Sendable {
        /// The same as long as it is the same thing; what is typed is kept under it.
        let key: String
        /// Where it is filled in.
        let path: String
        let title: String
        let version: ID<QuestionnaireVersion>
        /// In milliseconds since 1970.
        let from: Int
        /// Nil where nothing ends.
        let due: Int?
        /// Which of the two pages do not say: one that is random says no minute before it has come.
        let isFromRandom: Bool
        let isDueRandom: Bool
        /// What the form says of what it answers: `assignment`, `item`, `event`, or `daily` with its window
        /// and the zone that this was planned by.
        let target: [String: String]
        /// Whether it may ask for a reading of a sensor: then it is filled in with the server where it can be reached.
        let hasSensors: Bool
        /// Whether it waits among what is open; what is filled in at will does not.
        let isAsked: Bool
        let draft: Draft?
    }

    /// What is half filled in, on whatever device.
    struct Draft: Encodable, Sendable {
        let sheet: String?
        let startedAt: String?
        let answers: StoredJSON
        /// When each was answered or taken back.
        let at: StoredJSON
    }

    /// Tells one person's things on a device from another's, and nothing else about them.
    let account: String
    /// The server's clock, in milliseconds since 1970.
    let now: Int
    let zone: String
    /// What forms bring along in this browser.
    let formToken: String
    let entries: [Entry]
    let buttons: [Button]
    /// Pages to keep, with the forms of every questionnaire in `entries` and `buttons`.
    let pages: [String]
    /// What every page of today names: one that was kept with other style sheets and scripts is fetched anew.
    let shell: [String]
    /// What a push says that says nothing itself, as they have chosen it.
    let notice: Notice

    /// Reminders on this device, to be compared with what its browser has.
    let push: Push

    struct Push: Encodable, Sendable {
        /// `off` where none are wanted, `on`, `ended`.
        let state: String
        /// Of the subscription; nil without one.
        let mark: String?
        /// What a browser subscribes with.
        let key: String
    }

    /// Also in the worker itself, for accounts that have signed out.
    struct Notice: Encodable, Sendable {
        let title: String
        let body: String
    }
}

enum OfflinePlanning {
    static func plan(_ c: Context<Member>) throws -> OfflinePlan {
        let account = c.proof.account
        let agenda = try Agenda.ready(c)
        let key = try account.key(c.keys)
        let (entries, buttons, given) = try c.read { connection in
            let own = try OwnStudyItem.all(of: account.id, c.services.questionnaires, at: c.now, connection)
            let maker = EntryMaker(
                c: c, agenda: agenda, own: own, drafts: try AgendaDrafts(c, connection), key: key)
            let items = try agenda.items(
                [.assignments, .studies, .interventions], until: maker.until, connection)
            return (
                try maker.entries(items, connection), own.compactMap { OfflinePlan.Button($0, c) },
                items.compactMap(\.intervention)
            )
        }
        let told = entries.compactMap { entry in
            entry.isAsked ? entry.target["assignment"].flatMap { ID<Assignment>(uuid: $0) } : nil
        }
        try Fetching.note(told, c)
        let reminded = try PushActions.find(c.proof.credential.id, c)
        let title = try reminded?.title(key)
        let cookie = c.request.cookie(Identification(services: c.services).cookieName) ?? ""
        return OfflinePlan(
            account: c.keys.deviceTag(for: account.id), now: Int(c.now.milliseconds), zone: account.timezone,
            formToken: c.keys.formToken(for: cookie), entries: entries,
            buttons: buttons,
            pages: pages(given, isPaired: agenda.therapy != nil, hasButtons: !buttons.isEmpty),
            shell: [
                c.services.assets.stylesheet, c.services.assets.script, c.services.assets.own("main.js"),
            ],
            notice: .init(title: title ?? c.texts["push.title"], body: c.texts["push.body"]),
            push: .init(
                state: reminded?.state ?? "off", mark: try reminded?.mark(key),
                key: c.services.part(PushSignal.self).publicKey))
    }

    /// Pages that stay valid offline: today, exercises, appointments, contacts, and stored sheets.
    private static let mostGiven = 20

    private static func pages(
        _ given: [InterventionRecord], isPaired: Bool, hasButtons: Bool
    ) -> [String] {
        let own =
            ["/my", "/my/more", "/my/offline", "/my/words", "/my/results", "/my/sounds"]
            + (hasButtons ? [OwnEventPages.studies] : [])
        guard isPaired else { return own }
        let open = given.filter { $0.state != .completed }
        let done = given.filter { $0.state == .completed }
        return own + ["/my/interventions", "/my/appointments", "/my/therapist"]
            + (open + done).prefix(mostGiven).map { "/my/interventions/\($0.id)" }
    }
}

/// Draws the entries of a plan.
struct EntryMaker {
    let c: Context<Member>
    let agenda: Agenda
    let own: [OwnStudyItem]
    let drafts: AgendaDrafts
    let key: PersonKey

    fileprivate var until: Instant { c.now.adding(days: OfflinePlan.days) }

    fileprivate func entries(
        _ items: [AgendaItem], _ connection: borrowing Connection
    ) throws -> [OfflinePlan.Entry] {
        try items.compactMap { try entry($0, connection) } + later(connection) + atWill() + noted(connection)
    }

    private func entry(_ item: AgendaItem, _ connection: borrowing Connection) throws -> OfflinePlan.Entry? {
        // What goes on is filled in with what is there already.
        guard let form = item.form, form.questionnaire.definition.mode == .sheet, item.opens.at <= until
        else {
            return nil
        }
        return try entry(
            form.id.text, "/my/assignments/\(form.id)", form.questionnaire, from: item.opens,
            due: item.closes,
            ["assignment": form.id.text], asks: { try item.asks($0, connection) }, draft: form.draft)
    }

    /// Dailies of the days that are not planned yet.
    private func later(_ connection: borrowing Connection) throws -> [OfflinePlan.Entry] {
        guard let therapy = agenda.therapy, therapy.asksByApp,
            let (version, windows) = try DailyPlanning.beyond(
                therapy.id, days: Int(OfflinePlan.days), c.services, now: c.now, connection),
            let questionnaire = try QuestionnaireStore.find(version, c.services.questionnaires, connection)
        else { return [] }
        return try windows.map { window in
            let key = "daily-\(window.opens.seconds)"
            return try entry(
                key, "/my/offline?entry=\(key)", questionnaire, from: .random(window.opens),
                due: PromptTime(at: window.closes, kind: .random(until: window.opens)),
                [
                    "daily_from": window.opens.text, "daily_due": window.closes.text,
                    "daily_zone": c.proof.account.timezone,
                ], asks: { _ in false }, draft: nil)
        }
    }

    private func atWill() throws -> [OfflinePlan.Entry] {
        try own.filter { $0.state == .open && $0.item.event == nil }.compactMap { item in
            guard let questionnaire = item.questionnaire, questionnaire.definition.mode == .sheet else {
                return nil
            }
            return try entry(
                item.item.id.text, "/my/questionnaires/\(item.item.id)", questionnaire, from: .set(c.now),
                due: nil, ["item": item.item.id.text], asks: { item.asks($0) },
                draft: item.draft(of: questionnaire))
        }
    }

    func entry(
        _ key: String, _ path: String, _ questionnaire: QuestionnaireRecord, from: PromptTime,
        due: PromptTime?, _ target: [String: String], asks: (String) throws -> Bool, draft: ID<DraftSubject>?
    ) throws -> OfflinePlan.Entry {
        OfflinePlan.Entry(
            key: key, path: path, title: questionnaire.title(c.languages), version: questionnaire.id,
            from: Int(from.at.milliseconds), due: due.map { Int($0.at.milliseconds) },
            isFromRandom: !from.isTold(at: c.now),
            isDueRandom: due.map { !$0.isTold(at: from.at) } ?? false, target: target,
            hasSensors: try !c.proof.account.sensors(where: asks).isEmpty,
            isAsked: target["item"] == nil && target["event"] == nil,
            draft: try drafts[draft].map { try OfflinePlan.Draft(try $0.draft(self.key)) })
    }
}

extension OfflinePlan.Draft {
    init(_ draft: DraftAnswers) throws {
        sheet = draft.sheet?.text
        startedAt = draft.startedAt?.text
        answers = StoredJSON(written: try JSONWriter.bytes(of: draft.answersJSON(withNull: false)))
        at = StoredJSON(written: try JSONWriter.bytes(of: draft.times))
    }
}
