import Agenda
import Contributions
import Database
import Delivery
import HTTP
import Identity
import Instruments
import JSON
import Questionnaires
import Records
import Scheduling
import Studies
import Web
import Wire
import Wording

/// A questionnaire as it is filled in in the browser, from a therapy or a study.
struct Fillable: Sendable {
    let account: AccountRecord
    let questionnaire: QuestionnaireRecord
    let reason: Submission.Reason
    var draft: ID<DraftSubject>
    /// Which of a study's questionnaires it is, filled in at will; nil for what has an id of its own.
    var item: ID<StudyItem>?
    /// What it is about, where that was noted with a button.
    var event: ID<StudyEvent>?
    /// Its page.
    var path: String
    /// Where one goes on from it.
    var home: String
    /// From and until when it is sent; nil where nothing begins or ends.
    let opens: PromptTime?
    let due: PromptTime?
    var state: AgendaItem.State
    /// Sensors that are asked for and that the person has switched on (TYS-7).
    var sensors: [String]
    /// The link that opened it without signing in; nil for a signed-in account.
    var link: LinkAccess?
    var isLink: Bool { link != nil }
    /// Why it cannot be filled in now.
    var closed: AgendaItem.State? { state == .open ? nil : state }

    /// What one says of the sheet beside its answers.
    var definition: QuestionnaireDefinition { questionnaire.definition }

    /// What a sheet of a study says of what it answers, as an app would.
    func named(_ version: ID<QuestionnaireVersion>, in study: ID<Study>) -> [JSON.Member] {
        [.init("study_id", .string(study.text)), .init("questionnaire_id", .string(version.text))]
            + (item.map { [.init("item_id", .string($0.text))] } ?? [])
            + (event.map { [.init("event_id", .string($0.text))] } ?? [])
    }

    /// Refuses, in the transaction of a write, what was answered or taken back meanwhile.
    @Sendable func prove(_ connection: borrowing Connection) throws {
        try link?.prove(connection)
        if let event {
            guard let noted = try StudyEventStore.find(event, of: account.id, connection) else {
                throw Problem.notFound
            }
            if noted.sheet != nil { throw Problem.conflict(Message("answers.already_answered")) }
        }
        guard case .assignment(let id) = reason,
            let assignment = try AssignmentStore.find(id, of: account.id, connection)
        else { return }
        if assignment.contributionID != nil { throw Problem.conflict(Message("answers.already_answered")) }
        if assignment.withdrawnAt != nil { throw Problem.conflict(Message("answers.withdrawn")) }
    }
}

extension Form {
    /// The zone that it was filled in in, by its device; the account's where it names none, as without scripts.
    func zone(of account: AccountRecord) -> DeviceZone {
        let told = self["timezone"].flatMap { $0.isEmpty ? nil : $0 }.flatMap { _ in
            InputReader(form: self).deviceZone("timezone", or: account.timezone)
        }
        return told ?? DeviceZone(name: account.timezone)
    }
}

/// Finds what an address names.
enum Fillables {
    /// An assignment of the therapy, or a prompt of a study.
    /// - Throws: `Problem.notFound` for what is not theirs.
    static func assignment(_ id: ID<Assignment>, _ c: Context<Member>) throws -> Fillable {
        let account = c.proof.account
        let agenda = Agenda(of: account.id, c.services, at: c.now)
        return try c.read { connection in
            guard let item = try agenda.questionnaire(id, connection) else { throw Problem.notFound }
            return try fillable(item, account, path: "/my/assignments/\(id)", c, connection)
        }
    }

    /// A questionnaire that is asked, for whomever.
    static func fillable(
        _ item: AgendaItem, _ account: AccountRecord, path: String, home: String = "/my",
        _ c: Context<some Sendable>, _ connection: borrowing Connection
    ) throws -> Fillable {
        guard let form = item.form else { throw Problem.notFound }
        return Fillable(
            account: account, questionnaire: form.questionnaire, reason: .assignment(form.id),
            draft: form.draft, path: path, home: home, opens: item.opens, due: item.closes, state: item.state,
            sensors: try account.sensors { try item.asks($0, connection) })
    }

    /// A questionnaire of a study, filled in at will.
    /// - Throws: `Problem.notFound` for one of a study that they do not take part in.
    static func item(_ id: ID<StudyItem>, _ c: Context<Member>) throws -> Fillable {
        let account = c.proof.account
        let cache = c.services.questionnaires
        return try c.read { connection in
            let own = try OwnStudyItem.all(of: account.id, cache, at: c.now, connection)
            guard let item = own.first(where: { $0.item.id == id }),
                let record = try item.questionnaire ?? lastVersion(of: item.item.key, cache, connection)
            else { throw Problem.notFound }
            var state = AgendaItem.State(item.state)
            if case .done = state {
                let sheet = try StudyContributionStore.first(
                    answering: nil, of: item.enrolment.id, item: item.item, questionnaire: record.id,
                    connection)
                state = .done(sheet?.id)
            }
            return Fillable(
                account: account, questionnaire: record,
                reason: .study(item.study.id, questionnaire: record.id), draft: item.draft(of: record),
                item: id,
                path: "/my/questionnaires/\(id)", home: "/my/questionnaires", opens: nil, due: nil,
                state: state, sensors: account.sensors { item.asks($0) }
            )
        }
    }

    /// The same about what its participant has noted. On what days is said by that.
    /// - Throws: `Problem.notFound` for another account's.
    static func event(_ id: ID<StudyEvent>, _ c: Context<Member>) throws -> Fillable {
        let noted = try c.read { try StudyEventStore.find(id, of: c.proof.account.id, $0) }
        guard let noted else { throw Problem.notFound }
        var target = try item(noted.itemID, c)
        target.event = id
        target.draft = ID(id.text)
        target.path = "/my/events/\(id)"
        target.home = "/my"
        if let sheet = noted.sheet {
            target.state = .done(sheet)
        } else if target.state == .outside {
            target.state = .open
        }
        return target
    }

    private static func lastVersion(
        of key: String, _ cache: QuestionnaireCache, _ connection: borrowing Connection
    ) throws -> QuestionnaireRecord? {
        try QuestionnaireStore.versions(key, connection).first.flatMap {
            try QuestionnaireStore.find($0.id, cache, connection)
        }
    }
}

extension AccountRecord {
    /// Sensors that are asked for and that the person has switched on.
    func sensors(where asks: (String) throws -> Bool) rethrows -> [String] {
        try ["gps", "microphone"].filter { try hasSwitchedOn($0) && asks($0) }
    }
}
