import Database
import Identity
import Instruments
import Questionnaires
import Records
import Responses
import Scheduling
import Studies
import Therapies
import Web
import Wire
import Wording

/// A questionnaire that somebody fills in in the browser, wherever it was asked.
struct Fillable: Sendable {
    /// Why it cannot be filled in now.
    enum Closed: Sendable {
        case sent(ID<ContributionRecord>?)
        case withdrawn
        case early(PromptTime)
        case late(Instant)
        case ended, onPaper, inactive, notRunning
        /// Titles and addresses of what comes first.
        case waits([PageLink])
    }

    let account: AccountRecord
    let questionnaire: QuestionnaireRecord
    let reason: Submission.Reason
    let draft: ID<DraftSubject>
    /// Its page.
    let path: String
    /// Where one goes on from it.
    let home: String
    /// Until when it has to be sent; nil where nothing ends.
    var due: PromptTime?
    var closed: Closed?
    /// Sensors that are asked for and that the person has switched on (TYS-7).
    var sensors: [String] = []
    /// What it was opened by, for somebody who is not signed in here; nil for who is.
    var link: LinkAccess?
    var isLink: Bool { link != nil }

    /// What one says of the sheet beside its answers.
    var definition: QuestionnaireDefinition { questionnaire.definition }

    /// Refuses, in the transaction of a write, what was answered or taken back meanwhile.
    @Sendable func prove(_ connection: borrowing Connection) throws {
        try link?.prove(connection)
        guard case .assignment(let id) = reason,
            let assignment = try AssignmentStore.find(id, of: account.id, connection)
        else { return }
        if assignment.contributionID != nil { throw Problem.conflict(Message("answers.already_answered")) }
        if assignment.withdrawnAt != nil { throw Problem.conflict(Message("answers.withdrawn")) }
    }
}

/// Finds what an address names.
enum Fillables {
    /// An assignment of the therapy, or a prompt of a study.
    /// - Throws: `Problem.notFound` for what is not theirs.
    static func assignment(_ id: ID<Assignment>, _ c: Context<Member>) throws -> Fillable {
        let account = c.proof.account
        let now = c.now
        return try c.read { connection in
            if let record = try AssignmentStore.find(id, of: account.id, connection) {
                return try assignment(record, account, path: "/my/assignments/\(id)", c, connection)
            }
            let all = StudyAssignments(account: account.id, cache: c.services.questionnaires, now: now)
            let open = try all.open(connection).first { $0.id == id }
            guard let asked = try open ?? all.find(id, at: now, connection) else { throw Problem.notFound }
            return try prompt(asked, isOpen: open != nil, account, c, connection)
        }
    }

    /// An assignment of a therapy, for whomever it is asked.
    static func assignment(
        _ record: AssignmentRecord, _ account: AccountRecord, path: String, home: String = "/my",
        _ c: Context<some Sendable>, _ connection: borrowing Connection
    ) throws -> Fillable {
        let cache = c.services.questionnaires
        guard let therapy = try TherapyStore.find(record.therapyID, connection),
            let questionnaire = try QuestionnaireStore.find(record.questionnaireID, cache, connection)
        else { throw Problem.notFound }
        var found = Fillable(
            account: account, questionnaire: questionnaire, reason: .assignment(record.id),
            draft: ID(record.id), path: path, home: home, due: record.closes)
        if let sheet = record.contributionID {
            found.closed = .sent(sheet)
        } else if record.withdrawnAt != nil {
            found.closed = .withdrawn
        } else if therapy.endedAt != nil {
            found.closed = .ended
        } else if therapy.arm == .noApp {
            found.closed = .onPaper
        } else {
            found.closed = window(record.opens, record.dueAt, c.now)
        }
        let card = try InstrumentStore.card(questionnaire.key, connection)
        found.sensors = allowed(account) { card.asks($0) }
        return found
    }

    private static func prompt(
        _ asked: StudyAssignment, isOpen: Bool, _ account: AccountRecord, _ c: Context<Member>,
        _ connection: borrowing Connection
    ) throws -> Fillable {
        var found = Fillable(
            account: account, questionnaire: asked.questionnaire, reason: .assignment(asked.id),
            draft: ID(asked.questionnaire.id), path: "/my/assignments/\(asked.id)", home: "/my",
            due: asked.closes)
        let own = try OwnStudyItem.all(
            of: account.id, c.services.questionnaires, at: c.now, connection)
        let item = own.first { $0.study.id == asked.study && $0.item.key == asked.questionnaire.key }
        if asked.isAnswered {
            let sheet = try item.flatMap {
                try StudyContributionStore.first(
                    answering: asked.promptedAt == nil ? nil : asked.id, of: $0.enrolment.id,
                    questionnaire: asked.questionnaire.id, connection)
            }
            found.closed = .sent(sheet?.id)
        } else {
            found.closed = window(asked.opens, asked.dueAt, c.now)
        }
        if found.closed == nil, let item { found.closed = closed(item, among: own, c) }
        if found.closed == nil, !isOpen, item == nil { found.closed = .inactive }
        found.sensors = allowed(account) { item?.asks($0) ?? false }
        return found
    }

    /// A questionnaire of a study, filled in at will.
    /// - Throws: `Problem.notFound` for one of a study that they do not take part in.
    static func item(_ id: ID<StudyItem>, _ c: Context<Member>) throws -> Fillable {
        let account = c.proof.account
        let cache = c.services.questionnaires
        return try c.read { connection in
            let own = try OwnStudyItem.all(of: account.id, cache, at: c.now, connection)
            guard let item = own.first(where: { $0.item.id == id }) else { throw Problem.notFound }
            let record = try item.questionnaire ?? lastVersion(of: item.item.key, cache, connection)
            guard let record else { throw Problem.notFound }
            var found = Fillable(
                account: account, questionnaire: record,
                reason: .study(item.study.id, questionnaire: record.id), draft: ID(record.id),
                path: "/my/questionnaires/\(id)", home: "/my/questionnaires", due: nil)
            found.closed = closed(item, among: own, c)
            if case .sent = found.closed {
                let sheet = try StudyContributionStore.first(
                    answering: nil, of: item.enrolment.id, questionnaire: record.id, connection)
                found.closed = .sent(sheet?.id)
            }
            found.sensors = allowed(account) { item.asks($0) }
            return found
        }
    }

    private static func lastVersion(
        of key: String, _ cache: QuestionnaireCache, _ connection: borrowing Connection
    ) throws -> QuestionnaireRecord? {
        try QuestionnaireStore.versions(key, connection).first.flatMap {
            try QuestionnaireStore.find($0.id, cache, connection)
        }
    }

    private static func closed(
        _ item: OwnStudyItem, among own: [OwnStudyItem], _ c: Context<Member>
    ) -> Fillable.Closed? {
        switch item.state {
        case .open: nil
        case .answered: .sent(nil)
        case .notRunning: .notRunning
        case .inactive: .inactive
        case .onPaper: .onPaper
        case .waits(let ids):
            .waits(
                own.filter { ids.contains($0.item.id) }.map { first in
                    PageLink(
                        label: first.questionnaire?.title(c.languages) ?? first.item.key,
                        path: "/my/questionnaires/\(first.item.id)", isCurrent: false)
                })
        }
    }

    /// Whole seconds count, as at the door.
    private static func window(_ from: PromptTime, _ due: Instant, _ now: Instant) -> Fillable.Closed? {
        if now.seconds < from.at.seconds { return .early(from) }
        return now.seconds > due.seconds ? .late(due) : nil
    }

    private static func allowed(_ account: AccountRecord, _ asks: (String) -> Bool) -> [String] {
        ["gps", "microphone"].filter { asks($0) && account.hasSwitchedOn($0) }
    }
}
