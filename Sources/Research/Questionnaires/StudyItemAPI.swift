import Database
import HTTP
import Instruments
import Questionnaires
import Records
import Studies
import Web
import Wire
import Wording

/// The questionnaires of a study, for its leads (TYS-3, TYS-4).
enum StudyItemAPI {
    static func routes(_ routes: inout Routes) {
        let type = StudyQuestionnaire.self
        let path = "/studies/:study/questionnaires"
        routes.call(.get, path, .studyLead, .many("The questionnaires of a study", type), index)
        routes.call(
            .post, path, .studyLead,
            .one("Add a questionnaire", type, status: 201, takes: StudyQuestionnaire.sent), create)
        routes.call(
            .get, path + "/:item", .studyLead, .one("A questionnaire of the study", type), show)
        routes.call(
            .patch, path + "/:item", .studyLead,
            .one("Change how it is asked, from now on", type, takes: StudyQuestionnaire.sent).matching,
            update)
        routes.call(
            .delete, path + "/:item", .studyLead, .nothing("Take out a questionnaire that nobody answered"),
            destroy)
    }

    @Sendable static func index(_ c: Context<StudyLead>) throws -> Reply {
        let paging = try Paging(c.request)
        let study = c.proof.study.id
        let items = try c.read { connection in
            try StudyItemStore.all(in: study, connection).map { try item($0, c, connection) }
        }
        return try .data(paging.part(of: items))
    }

    private static func item(
        _ item: StudyItem, _ c: Context<StudyLead>, _ connection: borrowing Connection
    ) throws -> Item<StudyQuestionnaire> {
        let record = try QuestionnaireStore.newest(item.key, c.services.questionnaires, connection)
        var wire = item.wire(record, c.languages)
        // Participants are not told which other arms there are.
        wire.arms = item.arms.isEmpty ? nil : item.arms.map(\.rawValue)
        return Item(id: item.id, wire)
    }

    @Sendable static func show(_ c: Context<StudyLead>) throws -> Reply {
        try answer(try c.id("item"), c, status: 200)
    }

    @Sendable static func create(_ c: Context<StudyLead>) throws -> Reply {
        let fields = try c.body()
        let key = fields.text("questionnaire_key", required: true)
        let draft = try StudyItemDraft.read(json: fields, over: nil)
        let id = try StudyItems.add(key ?? "", draft, c)
        return try answer(id, c, status: 201)
    }

    @Sendable static func update(_ c: Context<StudyLead>) throws -> Reply {
        let item = try StudyItems.found(c)
        try StudyItems.change(item, to: try StudyItemDraft.read(json: try c.body(), over: item), c)
        return try answer(item.id, c, status: 200)
    }

    @Sendable static func destroy(_ c: Context<StudyLead>) throws -> Reply {
        try StudyItems.remove(try StudyItems.found(c), c)
        return .response(.noContent)
    }

    private static func answer(_ id: ID<StudyItem>, _ c: Context<StudyLead>, status: Int) throws -> Reply {
        let study = c.proof.study.id
        let found = try c.read { connection -> (item: Item<StudyQuestionnaire>, revision: Int)? in
            guard let stored = try StudyItemStore.find(id, in: study, connection) else { return nil }
            return (try item(stored, c, connection), stored.revision)
        }
        guard let found else { throw Problem.notFound }
        return Conditional.tagged(
            try .data(One(id: id, found.item.attributes), status: status), revision: found.revision,
            c.language)
    }
}

/// Changing the questionnaires of a study, for pages and calls alike.
enum StudyItems {
    /// The one in the path.
    static func found(_ c: Context<StudyLead>) throws -> StudyItem {
        let id: ID<StudyItem> = try c.id("item")
        let study = c.proof.study.id
        guard let item = try c.read({ try StudyItemStore.find(id, in: study, $0) }) else {
            throw Problem.notFound
        }
        return item
    }

    /// - Returns: its id.
    /// - Throws: `Problem.invalid` for a key without a version in use.
    static func add(_ key: String, _ draft: StudyItemDraft, _ c: Context<StudyLead>) throws -> ID<StudyItem> {
        let id: ID<StudyItem> = c.newID()
        let study = c.proof.study.id
        let record = try c.read { try QuestionnaireStore.newest(key, c.services.questionnaires, $0) }
        guard let record else { throw Problem.invalid("questionnaire_key", "errors.unknown_questionnaire") }
        try draft.check(fits: record)
        try c.write(.studyQuestionnaireChanged, object: id) { [now = c.now] connection in
            try CheckedChange.make(in: study, connection) {
                try StudyItemStore.insert(draft, id: id, key: key, in: study, at: now, connection)
            }
        }
        return id
    }

    /// - Throws: `Problem.preconditionFailed` when it was changed since it was read.
    static func change(_ item: StudyItem, to draft: StudyItemDraft, _ c: Context<StudyLead>) throws {
        let record = try c.read { try QuestionnaireStore.newest(item.key, c.services.questionnaires, $0) }
        try record.map { try draft.check(fits: $0) }
        try c.write(.studyQuestionnaireChanged, object: item.id) {
            [now = c.now, request = c.request] connection in
            try Conditional.requireRevision(
                request, current: try StudyItemStore.revision(of: item.id, connection), base: item.revision)
            try CheckedChange.make(in: item.studyID, connection) {
                try StudyItemStore.update(draft, item, at: now, connection)
            }
        }
    }

    /// - Throws: `Problem.conflict` when it has an answer.
    static func remove(_ item: StudyItem, _ c: Context<StudyLead>) throws {
        try c.write(.studyQuestionnaireChanged, object: item.id) { [request = c.request] connection in
            try Conditional.requireRevision(
                request, current: try StudyItemStore.revision(of: item.id, connection), isRequired: false)
            try CheckedChange.make(in: item.studyID, connection) {
                try StudyItemStore.remove(item, connection)
            }
        }
    }
}

extension StudyItemDraft {
    /// - Throws: `Problem.invalid` for times, once-only and a required baseline with a continued profile (SN-4).
    func check(fits record: QuestionnaireRecord) throws(Problem) {
        guard record.definition.mode == .living else { return }
        let field =
            event != nil
            ? "event"
            : schedules.isEmpty
                ? isOnetime ? "is_onetime" : baseline == .required ? "baseline" : nil : "schedules"
        if let field { throw Problem.invalid(field, "studies.profile_plain") }
    }
}
