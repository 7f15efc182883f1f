import Contributions
import Database
import HTTP
import Identity
import Instruments
import JSON
import Questionnaires
import Records
import Therapies
import Web
import Wire
import Wording

/// Sending answers, and reading sent answers.
enum SubmissionAPI {
    typealias Stored = Contribution<StoredJSON>
    typealias Read = Contribution<Ordered<Answer>>

    static func routes(_ routes: inout Routes) {
        let type = Read.self
        routes.call(
            .put, "/my/contributions/:contribution", .patient,
            .one(
                "Send an answer sheet; the same again is harmless. meta says cleaned: the answers that lost control characters",
                type, status: 201, takes: sheet), put)
        routes.call(.get, "/my/contributions", .patient, .many("All sheets sent", type), mine)
        routes.call(.get, "/my/contributions/:contribution", .patient, .one("One sheet sent", type), showMine)
        routes.call(
            .get, "/patients/:patient/contributions", .caseloadReader, .many("A patient's sheets", type),
            index)
        routes.call(
            .get, "/patients/:patient/contributions/:contribution", .caseloadReader,
            .one("One sheet of a patient", type), show)
    }

    private static let sheet = Schema.object([
        Schema.optional("assignment_id", .id.orNull), Schema.optional("study_id", .id.orNull),
        Schema.optional("item_id", .id.orNull), Schema.optional("event_id", .id.orNull),
        Schema.optional("questionnaire_id", .id.orNull),
        Schema.optional(
            "daily",
            Schema.object([
                Schema.property("questionnaire_id", .id), Schema.property("available_from", .time),
                Schema.property("due_at", .time), Schema.optional("timezone", .string.orNull),
            ]).orNull),
        Schema.property("started_at", .time), Schema.property("completed_at", .time),
        Schema.property("timezone", .string), Schema.property("answers", .map(Answer.schema.orNull)),
        Schema.optional("answered_at", Schema.map(.time.orNull).orNull),
        Schema.optional(
            "sensors",
            Schema.object([
                Schema.optional("gps", .list(SensorReading.gps)),
                Schema.optional("microphone", .list(SensorReading.microphone)),
            ]).orNull),
        Schema.optional("sensors_refused", Schema.list(.choice(["gps", "microphone"])).orNull),
    ])

    @Sendable static func put(_ c: Context<Member>) throws -> Reply {
        guard let id = ID<ContributionRecord>(uuid: c.places["contribution"]) else {
            throw Problem.invalid("id", "errors.id")
        }
        let json = try c.json()
        let account = c.proof.account
        let submission = try Submission.read(InputReader(json: json), zone: account.timezone)
        let taken = try Submitting.take(submission, json, id: id, of: account, c)
        return try answer(
            taken.id, account, c, status: taken.isNew ? 201 : 200,
            meta: CleanedAnswers.meta(submission.answers))
    }

    @Sendable static func mine(_ c: Context<Member>) throws -> Reply {
        let paging = try Paging(c.request)
        let account = c.proof.account
        let list = try c.read { connection in
            let records = try ContributionStore.page(of: account.id, paging, connection)
            let total = try ContributionStore.count(of: account.id, connection)
            let keys = try AnswerKeys(account, c.keys)
            return Many(try wire(records.part, keys, c, connection), total: total, next: records.next)
        }
        return try .data(list)
    }

    @Sendable static func showMine(_ c: Context<Member>) throws -> Reply {
        return try answer(try c.id("contribution"), c.proof.account, c, status: 200)
    }

    @Sendable static func index(_ c: Context<Caseload>) throws -> Reply {
        let paging = try Paging(c.request)
        let therapy = c.proof.patient
        let list = try c.read { connection in
            let records = try ContributionStore.page(inTherapy: therapy.id, paging, connection)
            let total = try ContributionStore.count(inTherapy: therapy.id, connection)
            let keys = try AnswerKeys(of: records.part, c.keys, connection)
            return Many(try wire(records.part, keys, c, connection), total: total, next: records.next)
        }
        return try .data(list)
    }

    @Sendable static func show(_ c: Context<Caseload>) throws -> Reply {
        let id: ID<ContributionRecord> = try c.id("contribution")
        let therapy = c.proof.patient
        let item = try c.read { connection -> Item<Stored>? in
            guard let record = try ContributionStore.find(id, inTherapy: therapy.id, connection) else {
                return nil
            }
            let keys = try AnswerKeys(of: [record], c.keys, connection)
            return try wire([record], keys, c, connection).first
        }
        guard let item else { throw Problem.notFound }
        return try .data(One(id: item.id, item.attributes))
    }

    /// - Throws: `Problem.notFound` for a sheet of another account.
    static func answer<P>(
        _ id: ID<ContributionRecord>, _ account: AccountRecord, _ c: Context<P>, status: Int,
        meta: [String: String]? = nil
    ) throws -> Reply {
        let item = try c.read { connection in
            try find(id, of: account, connection).flatMap {
                try wire([$0], AnswerKeys(account, c.keys), c, connection).first
            }
        }
        guard let item else { throw Problem.notFound }
        return try .data(One(id: id, item.attributes, meta: meta), status: status)
    }

    /// A device's sheet of a profile is answered with the present profile.
    private static func find(
        _ id: ID<ContributionRecord>, of account: AccountRecord, _ connection: borrowing Connection
    ) throws -> ContributionRecord? {
        if let sheet = try ContributionStore.find(id, of: account.id, connection) { return sheet }
        guard let change = try LivingSheetStore.change(id, of: account.id, connection) else { return nil }
        return try ContributionStore.find(change.sheet, of: account.id, connection)
    }

    private static func wire<P>(
        _ records: [ContributionRecord], _ keys: AnswerKeys, _ c: Context<P>,
        _ connection: borrowing Connection
    ) throws -> [Item<Stored>] {
        let scores = try ContributionStore.scores(of: records, connection)
        var items: [Item<Stored>] = []
        items.reserveCapacity(records.count)
        for record in records {
            let cache = c.services.questionnaires
            guard let key = keys[record],
                let questionnaire = try QuestionnaireStore.find(record.questionnaireID, cache, connection)
            else { continue }
            let values = (scores[record.id] ?? []).map { (key: $0.scale, value: $0.value) }
            var attributes = Stored(
                assignmentID: record.assignmentID?.text, studyID: record.studyID?.text,
                questionnaireKey: questionnaire.key,
                version: questionnaire.version, title: questionnaire.title(c.languages),
                startedAt: record.startedAt,
                completedAt: record.completedAt, receivedAt: record.receivedAt, timezone: record.timezone,
                answers: try record.answers(key), scores: Ordered(values))
            attributes.zoneWord = record.zone.word
            attributes.onSite = record.isOnSite
            attributes.sensorsDropped = record.sensorsDropped.isEmpty ? nil : record.sensorsDropped
            if record.isPaper {
                let staff = try record.enteredBy.flatMap { try AccountStore.find($0, connection) }
                attributes.enteredBy = try staff?.name(c.keys) ?? c.texts["contributions.staff"]
            }
            items.append(Item(id: record.id, attributes))
        }
        return items
    }
}
