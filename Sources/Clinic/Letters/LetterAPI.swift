import HTTP
import Identity
import Records
import Therapies
import Web
import Wire
import Wording

/// A letter about a patient. Its text is Markdown, in which `{{courses}}` and `{{course key/scale}}`, alone on a line,
/// draw what the scales show.
struct Letter: Documented, Decodable {
    static let type = "letter"
    /// `referral`, `insurer`, `gp`.
    var kind: String
    var title: String
    var text: String
    var madeAt: Instant
    var changedAt: Instant

    static let narrowed: [String: Schema] = ["kind": .choice(LetterDraft.Kind.allCases.map(\.rawValue))]
    static let example = Letter(
        kind: "gp", title: "Report to the general practitioner", text: "Dear colleague,\n\n{{courses}}",
        madeAt: .example, changedAt: .example)

    init(kind: String, title: String, text: String, madeAt: Instant, changedAt: Instant) {
        self.kind = kind
        self.title = title
        self.text = text
        self.madeAt = madeAt
        self.changedAt = changedAt
    }

    init(_ record: LetterRecord, _ draft: LetterDraft) {
        self.init(
            kind: draft.kind.rawValue, title: draft.title, text: draft.text, madeAt: record.madeAt,
            changedAt: record.changedAt)
    }
}

/// Letters as calls; each author's own.
enum LetterAPI {
    static func routes(_ routes: inout Routes) {
        let path = "/patients/:patient/letters"
        routes.call(
            .get, path, .caseload, .many("Letters that the caller wrote, the newest first", Letter.self),
            index)
        routes.call(
            .post, path, .caseload,
            .one(
                "Write a letter: without a text from the template of the house. Facts such as {{sessions_held}} are filled in; a field that is not there is an error with its line",
                Letter.self, status: 201, takes: making), create)
        routes.call(
            .get, path + "/:letter", .caseload,
            .one("A letter", Letter.self).revised(LetterStore.revision), show)
        routes.call(
            .put, path + "/:letter", .caseload,
            .one("Change a letter", Letter.self, takes: changing).revised(LetterStore.revision), update)
        routes.call(
            .delete, path + "/:letter", .caseload,
            .nothing("Delete a letter").revised(LetterStore.revision), destroy)
    }

    private static let making = Schema.object([
        Schema.property("kind", .choice(LetterDraft.Kind.allCases.map(\.rawValue))),
        Schema.optional("title", .string.orNull), Schema.optional("text", .string.orNull),
    ])
    private static let changing = Schema.object([
        Schema.property("title", .string), Schema.property("text", .string),
    ])

    @Sendable static func index(_ c: Context<Caseload>) throws -> Reply {
        let paging = try Paging(c.request)
        let therapy = c.proof.patient
        let all = try c.read { try LetterStore.all(in: therapy.id, by: c.proof.therapist.id, $0) }
        let key = try therapy.key(c.keys)
        let (part, next) = paging.part(of: all) { Position($0.madeAt, $0.id) }
        let items = try part.map { Item(id: $0.id, Letter($0, try $0.draft(key))) }
        return try .data(Many(items, total: all.count, next: next))
    }

    @Sendable static func create(_ c: Context<Caseload>) throws -> Reply {
        let id = try LetterActions.make(try c.body(), c)
        return try answer(id, c, status: 201)
    }

    @Sendable static func show(_ c: Context<Caseload>) throws -> Reply {
        try answer(try c.id("letter"), c)
    }

    @Sendable static func update(_ c: Context<Caseload>) throws -> Reply {
        try LetterActions.change(try c.body(), c, isForm: false)
        return try answer(try c.id("letter"), c)
    }

    @Sendable static func destroy(_ c: Context<Caseload>) throws -> Reply {
        try LetterActions.remove(c)
        return .response(.noContent)
    }

    private static func answer(_ id: ID<LetterRecord>, _ c: Context<Caseload>, status: Int = 200) throws
        -> Reply
    {
        let therapy = c.proof.patient
        let record = try c.read { try LetterStore.find(id, in: therapy.id, by: c.proof.therapist.id, $0) }
        guard let record else { throw Problem.notFound }
        let letter = Letter(record, try record.draft(try therapy.key(c.keys)))
        return try .data(One(id: id, letter), status: status)
    }
}
