import Agenda
import Database
import Delivery
import HTTP
import Identity
import Instruments
import Questionnaires
import Records
import Secrets
import Therapies
import Web
import Wire
import Wording

/// Making and ending links, for page and call alike; and finding the assignment of a link.
enum AssignmentLinks {
    struct Made: Sendable {
        let token: Token
        let expiresAt: Instant

        var path: String { "/q/\(token.text)" }
    }

    /// The assignment in the path.
    /// - Throws: `Problem.notFound`.
    static func assignment(_ c: Context<Caseload>) throws -> AssignmentRecord {
        let id: ID<Assignment> = try c.id("assignment")
        let therapy = c.proof.patient
        guard let record = try c.read({ try AssignmentStore.find(id, inTherapy: therapy.id, $0) }) else {
            throw Problem.notFound
        }
        return record
    }

    /// - Throws: `Problem.conflict` when there is nothing left to answer.
    private static func check(_ record: AssignmentRecord, _ therapy: Therapy, now: Instant) throws(Problem) {
        let isOver =
            record.contributionID != nil || record.withdrawnAt != nil || therapy.endedAt != nil
            || record.dueAt.seconds < now.seconds
        if isOver { throw Problem.conflict(Message("link.closed")) }
    }

    /// Why there can be no link; nil when there can.
    static func obstacle(_ record: AssignmentRecord, _ c: Context<Caseload>) throws -> Message? {
        do {
            try check(record, c.proof.patient, now: c.now)
            return try isProfile(record, c) ? Message("link.profile") : nil
        } catch let problem as Problem {
            return problem.message
        }
    }

    /// A continued profile (SN-4) is filled in while signed in: a link is used up by the first answer.
    private static func isProfile(_ record: AssignmentRecord, _ c: Context<Caseload>) throws -> Bool {
        let cache = c.services.questionnaires
        let found = try c.read { try QuestionnaireStore.find(record.questionnaireID, cache, $0) }
        return found?.definition.mode == .living
    }

    static func make(_ c: Context<Caseload>) throws -> Made {
        let record = try assignment(c)
        let therapy = c.proof.patient
        try check(record, therapy, now: c.now)
        if try isProfile(record, c) { throw Problem.conflict(Message("link.profile")) }
        let made = Made(token: Token(), expiresAt: c.now.adding(seconds: AssignmentLinkRecord.hours * 3600))
        let holder = TherapyHolder.new(c)
        try c.write(.assignmentLinkMade, about: therapy.id, object: record.id) { [now = c.now] connection in
            // Read again: it may have been answered or withdrawn meanwhile.
            guard let record = try AssignmentStore.find(record.id, inTherapy: therapy.id, connection) else {
                throw Problem.notFound
            }
            try check(record, therapy, now: now)
            let account = try TherapyHolder.ensure(holder, for: therapy.id, connection)
            try AssignmentLinkStore.make(
                made.token.hash, for: record.id, as: account.id, until: made.expiresAt, at: now, connection)
        }
        return made
    }

    /// Ending twice is harmless.
    static func end(_ c: Context<Caseload>) throws {
        let record = try assignment(c)
        let live = try c.read { try AssignmentLinkStore.live(of: record.id, at: c.now, $0) }
        if live == nil { return }
        try c.write(.assignmentLinkEnded, about: c.proof.patient.id, object: record.id) {
            [now = c.now] connection in
            _ = try AssignmentLinkStore.end(record.id, at: now, connection)
        }
    }

    // MARK: Opening

    enum Opened: Sendable {
        case open(AssignmentLinkRecord, Fillable)
        /// It opens nothing, for this reason.
        case dead(Dead)
    }

    /// Why a link opens nothing.
    enum Dead: String, Sendable {
        case unknown, ended, expired, sent
        case handedBack = "handed_back"
    }

    /// Wrong tokens of one address in an hour: 256 bits cannot be guessed, but the limit spares the database.
    private static let wrongTokens = 30

    /// The content of the link in the path.
    /// - Throws: `Problem.tooManyRequests` after too many unknown tokens.
    static func open(_ c: Context<Anyone>) throws -> Opened {
        let text = c.places["token"] ?? ""
        guard let token = Token(text),
            let link = try c.read({ try AssignmentLinkStore.find(token.hash, $0) })
        else {
            // A waiting room behind one address has good links, too: only unknown ones are counted.
            let address = "assignment link \(ClientAddress.of(c.request, c.services.settings))"
            try c.services.limiter.count(address, limit: wrongTokens, seconds: 3600, now: c.now)
            return .dead(.unknown)
        }
        let browser = LinkAccess.browser(c)
        return try c.read { connection in
            guard let record = try assignment(of: link, connection), let holder = record.holder else {
                return .dead(.ended)
            }
            let path = "/q/\(token.text)/form"
            let agenda = Agenda(of: holder.id, c.services, at: c.now)
            guard let item = try agenda.item(record.assignment, connection) else { throw Problem.notFound }
            var target = try Fillables.fillable(
                item, holder, path: path, home: "/q/\(token.text)", c, connection)
            target.link = LinkAccess(
                hash: token.hash, browser: browser, therapy: record.assignment.therapyID, now: c.now,
                records: c.services.records)
            target.sensors = []
            if record.assignment.contributionID != nil { return .open(link, target) }
            if link.handedBackAt != nil { return .dead(.handedBack) }
            if link.endedAt != nil { return .dead(.ended) }
            if link.expiresAt <= c.now { return .dead(.expired) }
            return .open(link, target)
        }
    }

    /// A link writes for the account it was made for, also when a patient pairs meanwhile, so that no half sheet is
    /// left behind. After an undone pairing it no longer works.
    private static func assignment(
        of link: AssignmentLinkRecord, _ connection: borrowing Connection
    ) throws -> (assignment: AssignmentRecord, holder: AccountRecord?)? {
        guard let id = try AssignmentStore.therapy(of: link.assignment, connection),
            let record = try AssignmentStore.find(link.assignment, inTherapy: id, connection),
            let therapy = try TherapyStore.find(id, connection),
            let account = link.account ?? therapy.accountID, therapy.takesSheets(of: account)
        else { return nil }
        return (record, try AccountStore.find(account, connection))
    }
}
