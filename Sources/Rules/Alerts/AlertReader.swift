import Contributions
import Database
import Identity
import Instruments
import Questionnaires
import Records
import Therapies
import Web
import Wire
import Wording

/// Alerts in words, and acknowledging them, for page and call alike.
package struct AlertReader: Sendable {
    static let commentLimit = RiskActions.commentLimit
    private let words: RuleFormatter
    private let keys: Keyring
    private let cache: QuestionnaireCache

    package init(_ c: Context<Member>, _ connection: borrowing Connection) throws {
        words = try RuleFormatter(c, connection)
        keys = c.keys
        cache = c.services.questionnaires
    }

    /// The alerts a reader may acknowledge, the newest first: of their own patients, and of those shared with them
    /// except for supervision (PR-20).
    static func all(
        _ c: Context<Member>, isAcknowledged: Bool, limit: Int = 500, _ connection: borrowing Connection
    ) throws -> [AlertRecord] {
        let reader = c.proof.account.id
        let own = try AlertStore.all(
            of: reader, isAcknowledged: isAcknowledged, limit: limit, connection)
        let shared = try SharingStore.all(with: reader, now: c.now, connection).filter(\.standing.isWatching)
        if shared.isEmpty { return own }
        let theirs = try shared.flatMap { try AlertStore.all(in: $0.therapy.id, connection) }.filter {
            ($0.acknowledgedAt != nil) == isAcknowledged
        }
        return Array((own + theirs).sorted { ($1.raisedAt, $0.id) < ($0.raisedAt, $1.id) }.prefix(limit))
    }

    /// The number of rows that wait for a reader; those of one rule for one patient count as one.
    package static func rows(
        for reader: ID<Account>, now: Instant, _ connection: borrowing Connection
    ) throws -> Int {
        let shared = try SharingStore.all(with: reader, now: now, connection).filter(\.standing.isWatching)
        return try AlertStore.rows(of: reader, orIn: shared.map(\.therapy.id), connection)
    }

    /// The same without the reasons of answers that have to be seen, for the navigation: one danger is one entry (PR-27).
    package static func waiting(
        for reader: ID<Account>, now: Instant, _ connection: borrowing Connection
    ) throws -> Int {
        let shared = try SharingStore.all(with: reader, now: now, connection).filter(\.standing.isWatching)
        return try AlertStore.waiting(of: reader, connection)
            + shared.reduce(0) { try $0 + AlertStore.waiting(in: $1.therapy.id, connection) }
    }

    /// How urgent a rule's alerts are.
    func grade(_ rule: Rule, _ connection: borrowing Connection) throws -> AlertGrade {
        // A closure cannot borrow the connection: the marked questions are looked up first.
        var marked: Set<String> = []
        for key in rule.keys {
            let definition = try QuestionnaireStore.newest(key, cache, connection)?.definition
            for question in definition?.questions ?? [] where question.mustBeSeen != nil {
                marked.insert("\(key)/\(question.key)")
            }
        }
        return rule.grade { key, item in marked.contains("\(key)/\(item)") }
    }

    package func wire(_ record: AlertRecord, _ connection: borrowing Connection) throws -> Alert {
        guard let therapy = try TherapyStore.find(record.firing.therapyID, connection) else {
            throw Problem.notFound
        }
        let key = try therapy.key(keys)
        let written = try record.firing.record(key)
        return Alert(
            patientID: therapy.id.text, codename: therapy.codename, title: written.rule.actions.alert ?? "",
            grade: try grade(written.rule, connection).rawValue,
            reason: words.reason(written.rule, written.facts), advice: written.rule.actions.advice,
            raisedAt: record.raisedAt, acknowledgedAt: record.acknowledgedAt,
            comment: try record.comment(key))
    }

    /// Acknowledges an alert with the earlier waiting ones of the same rule and patient (PR-10).
    /// One that an answer which has to be seen has raised is settled with all that belongs to that answer (PR-27).
    /// - Throws: `Problem.notFound` for another therapist's; acknowledging twice is harmless, the first comment stays.
    static func acknowledge(
        _ id: ID<Alert>, _ comment: String?, withEarlier: Bool = false, _ c: Context<Member>
    ) throws {
        let therapist = c.proof.account.id
        let found = try c.read { connection -> (AlertRecord, Therapy)? in
            guard let record = try AlertStore.find(id, connection),
                let therapy = try mayAcknowledge(record, by: therapist, at: c.now, connection)
            else { return nil }
            return (record, therapy)
        }
        guard let (record, therapy) = found else { throw Problem.notFound }
        let key = try therapy.key(c.keys)
        // The first of two counts.
        if record.acknowledgedAt != nil { return }
        if let sheet = record.firing.contributionID, try isUnseen(sheet, of: therapy, c) {
            return try RiskActions.settle(
                sheet, of: therapy, comment, by: therapist,
                proves: { [now = c.now] connection in
                    guard try mayAcknowledge(record, by: therapist, at: now, connection) != nil else {
                        throw Problem.notFound
                    }
                }, c)
        }
        let earlier =
            withEarlier
            ? try c.read { try AlertStore.earlier(than: record, $0) } : []
        let sealed = ([id] + earlier).map { alert in
            (alert, comment.map { key.seal($0, for: FiringPlace.comment(alert)) })
        }
        let change = try c.change(of: key, to: ["comment": comment])
        try c.write(.alertAcknowledged, about: therapy.id, object: id, change: change) {
            [now = c.now] connection in
            // A cover may have ended meanwhile.
            guard try mayAcknowledge(record, by: therapist, at: now, connection) != nil else {
                throw Problem.notFound
            }
            for (alert, comment) in sealed {
                try AlertStore.acknowledge(alert, by: therapist, comment: comment, at: now, connection)
            }
        }
    }

    private static func isUnseen(
        _ sheet: ID<ContributionRecord>, of therapy: Therapy, _ c: Context<Member>
    ) throws -> Bool {
        let found = try c.read { try ContributionStore.find(sheet, inTherapy: therapy.id, $0) }
        return found.map { $0.mustBeSeen && $0.seenAt == nil } ?? false
    }

    /// The therapist of the patient, a second therapist, and a cover, also one that only reads (PR-20).
    private static func mayAcknowledge(
        _ record: AlertRecord, by reader: ID<Account>, at now: Instant, _ connection: borrowing Connection
    ) throws -> Therapy? {
        let id = record.firing.therapyID
        if let own = try TherapyStore.find(id, of: reader, connection) { return own }
        guard let shared = try SharingStore.find(id, with: reader, now: now, connection),
            shared.standing.isWatching
        else { return nil }
        return shared.therapy
    }
}
