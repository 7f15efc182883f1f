import Contributions
import HTTP
import Instruments
import JSON
import Questionnaires
import Records
import Web
import Wire
import Wording

/// Continued profiles (SN-4): every answer can be given, changed and taken back at any time.
enum LivingProfileAPI {
    typealias Stored = ProfileAnswers<StoredJSON>

    static func routes(_ routes: inout Routes) {
        let type = ProfileAnswers<Ordered<Answer>>.self
        routes.call(
            .get, "/my/profiles", .patient, .many("The own profiles, as they are by now", type), index)
        routes.call(.get, "/my/profiles/:item", .patient, .one("A profile as it is by now", type), show)
        routes.call(
            .patch, "/my/profiles/:item", .patient,
            .one(
                "Give, change or take back any answers of a profile; of each question the later one counts",
                type, takes: body), update)
    }

    private static let body = Schema.object([
        Schema.property("answers", .map(Answer.schema.orNull)),
        Schema.optional("answered_at", Schema.map(.time.orNull).orNull),
    ])

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let paging = try Paging(c.request)
        let items = try c.read { connection in
            try ProfileTarget.all(of: c.proof.account, c.services.questionnaires, at: c.now, connection).map {
                Item(id: $0.id, try wire($0, try $0.state(c.keys, connection)))
            }
        }
        return try .data(paging.part(of: items))
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply { try answer(try target(c), c) }

    @Sendable static func update(_ c: Context<Member>) throws -> Reply {
        let fields = try c.body()
        let json = fields.value("answers")
        if json == nil { fields.refuse("answers", "errors.required") }
        let times = fields.value("answered_at")
        try fields.finish()
        let target = try target(c)
        try ProfileKeeping.keep(try ProfileKeeping.changes(json, times, target.definition), in: target, c)
        return try answer(target, c)
    }

    private static func target(_ c: Context<Member>) throws -> ProfileTarget {
        let id: ID<ProfileTarget> = try c.id("item")
        let found = try c.read { connection in
            try ProfileTarget.find(
                id.text, of: c.proof.account, c.services.questionnaires, at: c.now, connection)
        }
        guard let found else { throw Problem.notFound }
        return found
    }

    // MARK: Changes

    private static func answer(_ target: ProfileTarget, _ c: Context<Member>) throws -> Reply {
        let (profile, revision) = try c.read { connection in
            (
                try wire(target, try target.state(c.keys, connection)),
                try target.sheet(connection).flatMap { try LivingSheetStore.revision(of: $0, connection) }
                    ?? 0
            )
        }
        return Conditional.tagged(
            try .data(One(id: target.id, profile)), revision: revision, c.language)
    }

    private static func wire(_ target: ProfileTarget, _ state: DraftAnswers) throws -> Stored {
        let asked = target.definition.visibleSections(state.answers).flatMap(\.questions)
        let times = state.items.sorted { $0.key < $1.key }.map { (key: $0.key, value: Optional($0.value.at)) }
        return Stored(
            questionnaireID: target.questionnaire.id.text,
            answers: StoredJSON(written: try JSONWriter.bytes(of: state.answersJSON(withNull: true))),
            changedAt: Ordered(times),
            progress: .init(
                answered: asked.count { state.answers[$0.key] != nil }, total: asked.count))
    }
}
