import Delivery
import HTTP
import Web
import Wire
import Wording

/// Adding the starter set, by a call and by a button.
enum StarterSetAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .get, "/starter-set", .author, .one("What of the starter set is there", StarterSet.self),
            show)
        routes.call(
            .post, "/starter-set", .author,
            .one(
                "Take what is missing of the starter set; the same again changes nothing",
                StarterSet.self,
                takes: StarterSet.sent
            ).withOptionalBody, create)
        routes.page(.post, "/questionnaires/starter-set", .author, take)
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply { try .data(One(try wire(c))) }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        var only: String?
        if !c.request.body.isEmpty {
            let fields = try c.body()
            let known = StarterQuestionnaires.keys + StarterQuestionnaires.tinnitusKeys
            only = fields.choice("only", from: known + [StarterQuestionnaires.tinnitus])
            try fields.finish()
        }
        try take(only: only, c)
        return try .data(One(try wire(c)))
    }

    private static func take(only: String?, _ c: Context<Member>) throws {
        let isMoreOpen = try c.read { try StarterPractice.standing(c, $0).isOpen }
        try StarterQuestionnaires.take(
            only: only, isMoreOpen: isMoreOpen, c, also: try StarterPractice.taking(c))
    }

    private static func wire(_ c: Context<Member>) throws -> StarterSet {
        let (standing, practice, tinnitus) = try c.read { connection in
            (
                try StarterQuestionnaires.standing(c, connection),
                try StarterPractice.standing(c, connection),
                try StarterQuestionnaires.pieces(StarterQuestionnaires.tinnitusKeys, c, connection)
            )
        }
        let pieces = { (pieces: [StarterQuestionnaires.Piece]) in
            pieces.map { StarterSet.Piece(key: $0.key, title: $0.title, state: $0.state.rawValue) }
        }
        return StarterSet(
            questionnaires: pieces(standing.pieces), tinnitus: pieces(tinnitus),
            battery: standing.hasBattery, interventionsMissing: practice.missingInterventions,
            reactionsMissing: practice.reactions.count, protocolsMissing: practice.others.count)
    }

    /// Leads back to the page of the button.
    @Sendable static func take(_ c: Context<Member>) throws -> Reply {
        let form = try c.form()
        let only = form["only"].flatMap { $0.isEmpty ? nil : $0 }
        try take(only: only, c)
        let flash =
            switch only {
            case nil: "starter.taken"
            case StarterQuestionnaires.tinnitus: "starter.tinnitus_taken"
            case _: "starter.daily_taken"
            }
        return .seeOther(
            NextPath.destination(
                NextPath.safe(form["next"]), c.proof.account, among: c.services.routes), flash: Message(flash)
        )
    }
}
