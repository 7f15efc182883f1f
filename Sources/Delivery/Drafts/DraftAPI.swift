import Contributions
import Database
import HTTP
import Identity
import Instruments
import JSON
import Questionnaires
import Records
import Web
import Wire
import Wording

/// Half-filled answers kept on the server and continued elsewhere. Never shown to staff, never scored.
enum DraftAPI {
    typealias Stored = Draft<StoredJSON>

    static func routes(_ routes: inout Routes) {
        let type = Draft<Ordered<Answer>>.self
        routes.call(
            .get, "/my/drafts/:subject", .patient,
            .one("Half-filled answers of an assignment or a questionnaire", type), show)
        routes.call(
            .put, "/my/drafts/:subject", .patient,
            .one(
                "Keep half-filled answers, brought together item by item; to change them say with If-Match which ones you have seen",
                type,
                status: 201, takes: body
            ).matching, put)
    }

    private static let body = Schema.object([
        Schema.property("answers", .map(Answer.schema.orNull)),
        Schema.optional("answered_at", Schema.map(.time.orNull).orNull),
        Schema.optional("updated_at", .time.orNull),
    ])

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        let named: ID<DraftSubject> = try c.id("subject")
        let account = c.proof.account
        let record = try c.read { connection -> DraftRecord? in
            if let record = try DraftStore.find(named, of: account.id, connection) { return record }
            let asked = try c.services.prompted(named.assignment, of: account.id, at: c.now, connection)
            guard let asked, !asked.isAnswered else { return nil }
            return try DraftStore.find(ID(asked.draft), of: account.id, connection)
        }
        guard let record else { throw Problem.notFound }
        return try tagged(record, as: named, try account.key(c.keys), c)
    }

    @Sendable static func put(_ c: Context<Member>) throws -> Reply {
        let named: ID<DraftSubject> = try c.id("subject")
        let account = c.proof.account
        let fields = try c.body()
        let json = fields.value("answers")
        if json == nil { fields.refuse("answers", "errors.required") }
        let times = fields.value("answered_at")
        if let times { SubmissionDetails.check(times: times, fields) }
        // A client may send back the old time; the time of arrival counts.
        _ = fields.time("updated_at")
        try fields.finish()
        let (subject, definition) = try c.read { connection in
            try draftable(named, of: account.id, c.services, at: c.now, connection)
        }
        let changes = try changes(json, times, definition)
        let key = try account.key(c.keys)
        // A repeated draft changes nothing, and needs no line in the audit log.
        if let same = try c.read({ try DraftStore.find(subject, of: account.id, $0) }),
            try merged(same, changes, key, c.now) == nil
        {
            return try tagged(same, as: named, key, c)
        }
        let (record, isNew) = try c.write(.draftKept, about: account.id, object: subject) {
            [request = c.request, now = c.now, services = c.services] connection in
            let again = try draftable(named, of: account.id, services, at: now, connection)
            guard again.subject == subject else { throw Problem.notFound }
            let existing = try DraftStore.find(subject, of: account.id, connection)
            guard let draft = try merged(existing, changes, key, now) else {
                guard let existing else { throw Problem.notFound }
                return (existing, false)
            }
            try Conditional.requireRevision(request, current: existing?.revision)
            try DraftStore.save(draft, for: subject, of: account.id, key, at: now, connection)
            guard let saved = try DraftStore.find(subject, of: account.id, connection) else {
                throw Problem.notFound
            }
            return (saved, existing == nil)
        }
        return try tagged(record, as: named, key, c, status: isNew ? 201 : 200)
    }

    /// - Returns: nil where nothing changes.
    private static func merged(
        _ existing: DraftRecord?, _ changes: [String: DraftAnswers.Change], _ key: PersonKey, _ now: Instant
    ) throws -> DraftAnswers? {
        let before = try existing?.draft(key)
        var draft = before ?? DraftAnswers()
        draft.merge(changes, at: now)
        return draft == before ? nil : draft
    }

    /// A device's changes by question; null takes an answer back, unnamed questions keep theirs.
    /// - Throws: `FieldErrors` for values that cannot be answers, `Problem.invalid` for the time of an answer that
    ///   was not sent.
    private static func changes(
        _ json: JSON?, _ times: JSON?, _ definition: QuestionnaireDefinition
    ) throws -> [String: DraftAnswers.Change] {
        let answers = try definition.readAnswers(json, isHalf: true)
        guard case .object(let members)? = json else { return [:] }
        let named = Set(members.map(\.key))
        if case .object(let members)? = times {
            var errors = FieldErrors()
            for key in members.map(\.key) where !named.contains(key) {
                errors.add("answered_at." + key.prefix(60), "answers.unknown")
            }
            if !errors.isEmpty { throw Problem.invalid(errors) }
        }
        return Dictionary(
            uniqueKeysWithValues: named.map { key in
                (key, .init(answers[key], at: times?[key]?.string.flatMap { Instant($0) }))
            })
    }

    /// The questionnaire that a draft may be kept for: of an assignment that can still be answered, or one that was
    /// ever assigned; and the draft's subject. An assignment of a study has its questionnaire as subject, as pages
    /// have, or what stands at its time point.
    private static func draftable(
        _ named: ID<DraftSubject>, of account: ID<Account>, _ services: Services, at now: Instant,
        _ connection: borrowing Connection
    ) throws -> (subject: ID<DraftSubject>, definition: QuestionnaireDefinition) {
        if let assignment = try AssignmentStore.find(named.assignment, of: account, connection) {
            if assignment.contributionID != nil {
                throw Problem.conflict(Message("answers.already_answered"))
            }
            if assignment.withdrawnAt != nil { throw Problem.conflict(Message("answers.withdrawn")) }
            if let record = try QuestionnaireStore.find(
                assignment.questionnaireID, services.questionnaires, connection)
            {
                return (named, record.definition)
            }
        }
        if let asked = try services.prompted(named.assignment, of: account, at: now, connection) {
            if asked.isAnswered { throw Problem.conflict(Message("answers.already_answered")) }
            let record = try QuestionnaireStore.find(asked.version, services.questionnaires, connection)
            guard let record else { throw Problem.notFound }
            return (ID(asked.draft), record.definition)
        }
        guard try services.isAsked(named.questionnaire, of: account, connection),
            let record = try QuestionnaireStore.find(named.questionnaire, services.questionnaires, connection)
        else { throw Problem.notFound }
        return (named, record.definition)
    }

    private static func tagged(
        _ record: DraftRecord, as named: ID<DraftSubject>, _ key: PersonKey, _ c: Context<Member>,
        status: Int = 200
    ) throws -> Reply {
        let kept = try record.draft(key)
        let answers = StoredJSON(written: try JSONWriter.bytes(of: kept.answersJSON(withNull: true)))
        let times = kept.items.sorted { $0.key < $1.key }.map { (key: $0.key, value: Optional($0.value.at)) }
        let draft = One(
            id: named,
            Stored(answers: answers, answeredAt: Ordered(times), updatedAt: record.updatedAt))
        return Conditional.tagged(
            try .data(draft, status: status), revision: record.revision, c.language)
    }
}

extension AuditAction {
    package static let draftKept = AuditAction(name: "draft.kept")
}
