import Database
import HTTP
import Identity
import Instruments
import Intake
import JSON
import Push
import Questionnaires
import Records
import Responses
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
        /// What the form says of what it answers: `assignment`, `item`, or `daily` with its window.
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
    /// Pages to keep, with the forms of every questionnaire in `entries`.
    let pages: [String]
    /// What every page of today names: one that was kept with other style sheets and scripts is fetched anew.
    let shell: [String]
    /// What a push says that says nothing itself, as they have chosen it.
    let notice: Notice

    /// Also in the worker itself, for whoever is signed in no more.
    struct Notice: Encodable, Sendable {
        let title: String
        let body: String
    }
}

enum OfflinePlanning {
    static func plan(_ c: Context<Member>) throws -> OfflinePlan {
        let account = c.proof.account
        let therapy = try c.read { try TherapyStore.running(of: account.id, $0) }
        let hasApp = therapy.map { $0.arm != .noApp } ?? false
        if let therapy, hasApp { try DailyPlanning.ensure(therapy.id, c) }
        let key = try account.key(c.keys)
        let until = c.now.adding(days: OfflinePlan.days)
        let (entries, given) = try c.read { connection in
            let drafts = try DraftStore.all(of: account.id, connection)
            let maker = EntryMaker(
                c: c, drafts: Dictionary(uniqueKeysWithValues: drafts.map { ($0.subjectID, $0) }), key: key)
            var all: [OfflinePlan.Entry] = []
            if let therapy, hasApp { all += try maker.therapy(therapy, until: until, connection) }
            all += try maker.studies(until: until, connection)
            let given = try therapy.map {
                try InterventionStore.all(in: $0.id, withWithdrawn: false, connection)
            }
            return (all, given ?? [])
        }
        let told = entries.compactMap { entry in
            entry.isAsked ? entry.target["assignment"].flatMap { ID<Assignment>(uuid: $0) } : nil
        }
        try Fetching.note(told, c)
        let title = try PushActions.find(c.proof.credential.id, c)?.title(key)
        let cookie = c.request.cookie(Identification(services: c.services).cookieName) ?? ""
        return OfflinePlan(
            account: c.keys.deviceTag(for: account.id), now: Int(c.now.milliseconds), zone: account.timezone,
            formToken: c.keys.formToken(for: cookie), entries: entries,
            pages: pages(given, isPaired: therapy != nil),
            shell: [
                c.services.assets.stylesheet, c.services.assets.script, c.services.assets.own("main.js"),
            ],
            notice: .init(title: title ?? c.texts["push.title"], body: c.texts["push.body"]))
    }

    /// What stands still while nobody can ask: today, exercises, appointments, whom to reach, and what lies here.
    private static let mostGiven = 20

    private static func pages(_ given: [InterventionRecord], isPaired: Bool) -> [String] {
        let own = ["/my", "/my/more", "/my/offline", "/my/words", "/my/results", "/my/sounds"]
        guard isPaired else { return own }
        let open = given.filter { $0.state != .completed }
        let done = given.filter { $0.state == .completed }
        return own + ["/my/interventions", "/my/appointments", "/my/therapist"]
            + (open + done).prefix(mostGiven).map { "/my/interventions/\($0.id)" }
    }
}

/// Draws the entries of a plan.
private struct EntryMaker {
    let c: Context<Member>
    let drafts: [ID<DraftSubject>: DraftRecord]
    let key: PersonKey

    func therapy(
        _ therapy: Therapy, until: Instant, _ connection: borrowing Connection
    ) throws -> [OfflinePlan.Entry] {
        let account = c.proof.account
        let cache = c.services.questionnaires
        let last = LocalTime(until, Zone(account.timezone)).date
        var open = try AssignmentStore.open(in: therapy.id, at: c.now, connection)
        let dailies = try DailyStore.plan(in: therapy.id, from: c.now, through: last, connection)
        for daily in dailies where !open.contains(where: { $0.id == daily.id }) {
            if let record = try AssignmentStore.find(daily.id, of: account.id, connection) {
                open.append(record)
            }
        }
        var entries: [OfflinePlan.Entry] = []
        for record in open where record.availableFrom <= until {
            // What goes on is filled in with what is there already.
            guard let questionnaire = try QuestionnaireStore.find(record.questionnaireID, cache, connection),
                questionnaire.definition.mode == .sheet
            else { continue }
            let card = try InstrumentStore.card(questionnaire.key, connection)
            entries.append(
                try entry(
                    record.id.text, "/my/assignments/\(record.id)", questionnaire,
                    from: record.opens, due: record.closes, ["assignment": record.id.text],
                    asks: { card.asks($0) }, draft: ID(record.id)))
        }
        return entries + (try later(therapy, connection))
    }

    /// Dailies of the days that are not planned yet.
    private func later(
        _ therapy: Therapy, _ connection: borrowing Connection
    ) throws -> [OfflinePlan.Entry] {
        let found = try DailyPlanning.beyond(
            therapy.id, days: Int(OfflinePlan.days), c.services, now: c.now, connection)
        guard let (version, windows) = found,
            let questionnaire = try QuestionnaireStore.find(version, c.services.questionnaires, connection)
        else { return [] }
        return try windows.map { window in
            let key = "daily-\(window.opens.seconds)"
            return try entry(
                key, "/my/offline?entry=\(key)", questionnaire, from: .random(window.opens),
                due: PromptTime(at: window.closes, kind: .random(until: window.opens)),
                ["daily_from": window.opens.text, "daily_due": window.closes.text], asks: { _ in false },
                draft: nil)
        }
    }

    func studies(until: Instant, _ connection: borrowing Connection) throws -> [OfflinePlan.Entry] {
        let account = c.proof.account
        let cache = c.services.questionnaires
        let own = try OwnStudyItem.all(of: account.id, cache, at: c.now, connection)
        let asked = try StudyAssignments(account: account.id, cache: cache, now: c.now).coming(
            until: until, connection)
        var entries = try asked.filter { $0.questionnaire.definition.mode == .sheet }.map { one in
            let item = own.first { $0.study.id == one.study && $0.item.key == one.questionnaire.key }
            return try entry(
                one.id.text, "/my/assignments/\(one.id)", one.questionnaire, from: one.opens,
                due: one.closes, ["assignment": one.id.text], asks: { item?.asks($0) ?? false },
                draft: ID(one.questionnaire.id))
        }
        for item in own where item.state == .open {
            guard let questionnaire = item.questionnaire, questionnaire.definition.mode == .sheet else {
                continue
            }
            let path = "/my/questionnaires/\(item.item.id)"
            entries.append(
                try entry(
                    item.item.id.text, path, questionnaire, from: .set(c.now), due: nil,
                    ["item": item.item.id.text], asks: { item.asks($0) }, draft: ID(questionnaire.id)))
        }
        return entries
    }

    private func entry(
        _ key: String, _ path: String, _ questionnaire: QuestionnaireRecord, from: PromptTime,
        due: PromptTime?, _ target: [String: String], asks: (String) -> Bool, draft: ID<DraftSubject>?
    ) throws -> OfflinePlan.Entry {
        let account = c.proof.account
        return OfflinePlan.Entry(
            key: key, path: path, title: questionnaire.title(c.languages), version: questionnaire.id,
            from: Int(from.at.milliseconds), due: due.map { Int($0.at.milliseconds) },
            isFromRandom: !from.isTold(at: c.now),
            isDueRandom: due.map { !$0.isTold(at: from.at) } ?? false, target: target,
            hasSensors: ["gps", "microphone"].contains { asks($0) && account.hasSwitchedOn($0) },
            isAsked: target["item"] == nil,
            draft: try draft.flatMap { drafts[$0] }.map { try OfflinePlan.Draft(try $0.draft(self.key)) })
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
