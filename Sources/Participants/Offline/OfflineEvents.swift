import Contributions
import Database
import HTTP
import Identity
import Instruments
import Intake
import JSON
import Questionnaires
import Records
import Scheduling
import Studies
import Web
import Wire
import Wording

/// Takes what was pressed on the device itself without a network, by its clock; sending the same again is harmless (ST-2, PW-6).
enum OfflineEvents {
    static func routes(_ routes: inout Routes) {
        routes.page(.post, "/my/offline/events", .patient, take)
    }

    /// The result, for the script that sent it.
    private struct Taken: Encodable {
        let state = "taken"
        /// The page to continue with; nil where nothing is to be filled in now.
        let path: String?
    }

    @Sendable static func take(_ c: Context<Member>) throws -> Reply {
        let form = try c.form()
        guard let id = ID<StudyEvent>(uuid: form["id"]) else { throw Problem.invalid("id", "errors.id") }
        let account = c.proof.account
        let known = try c.read { try StudyEventStore.find(id, of: account.id, $0) }
        if form["action"] == "end" {
            guard let known else { throw Problem.invalid("event_id", "answers.unknown_event") }
            // Its end was told on another device: that it is over is known, and stays as it was told.
            guard let moment = form["ended_at"].flatMap({ Instant($0) }) else {
                throw Problem.invalid("ended_at", "errors.required")
            }
            try EventNoting.end(id, at: moment, c)
            return try .plain(Taken(path: known.sheet == nil ? OwnEventPages.path(of: id) : nil))
        }
        let event = try read(["item_id", "started_at", "timezone"], of: form, as: id, c)
        try EventNoting.note(event, c)
        let kind = try c.read { connection in
            try StudyItemStore.all(of: account.id, connection).first { $0.id == event.item }?.event
        }
        let hasQuestions = kind == .moment && known?.sheet == nil
        return try .plain(Taken(path: hasQuestions ? OwnEventPages.path(of: id) : nil))
    }

    private static func read(
        _ names: [String], of form: Form, as id: ID<StudyEvent>,
        _ c: Context<Member>
    ) throws -> NewStudyEvent {
        let said = names.compactMap { name in form[name].map { JSON.Member(name, .string($0)) } }
        return try EventNoting.read(
            InputReader(json: .object(said)), as: id, of: c.proof.account, at: c.now)
    }
}

extension OfflinePlan {
    /// A questionnaire whose button can be pressed now, with or without a network (ST-2).
    struct Button: Encodable, Sendable {
        let item: String
        let title: String
        /// What its button says.
        let press: String
        /// Whether it has a begin and an end.
        let isSpan: Bool
        /// Of its questions; nil where they are not asked without a network.
        let version: ID<QuestionnaireVersion>?
        let hasSensors: Bool

        init?(_ own: OwnStudyItem, _ c: Context<Member>) {
            guard let event = own.item.event, own.state == .open else { return nil }
            let sheet = own.questionnaire.flatMap { $0.definition.mode == .sheet ? $0 : nil }
            item = own.item.id.text
            title = own.questionnaire?.title(c.languages) ?? own.item.key
            press = c.texts[event.press]
            isSpan = event == .span
            version = sheet?.id
            hasSensors = !c.proof.account.sensors { own.asks($0) }.isEmpty
        }
    }
}

extension EntryMaker {
    /// What was noted, with its questions that wait.
    func noted(_ connection: borrowing Connection) throws -> [OfflinePlan.Entry] {
        let items = own.map(\.item).filter { $0.event != nil }
        let recent = try OwnEvents.recent(of: c.proof.account.id, among: items, at: c.now, connection)
        return try recent.compactMap { event in
            guard event.record.sheet == nil, let own = own.first(where: { $0.item.id == event.item.id }),
                // On what days is said by the event.
                own.state == .open || own.state == .outside,
                let questionnaire = own.questionnaire, questionnaire.definition.mode == .sheet
            else { return nil }
            let id = event.record.id
            return try entry(
                id.text, OwnEventPages.path(of: id), questionnaire, from: .set(event.record.startedAt),
                due: nil, ["event": id.text], asks: { own.asks($0) }, draft: ID(id.text))
        }
    }
}
