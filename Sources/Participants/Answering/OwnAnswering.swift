import Contributions
import HTTP
import Instruments
import Questionnaires
import Web

/// Filling in while signed in: an assignment, a prompt of a study, or a study's questionnaire at will.
enum OwnAnswering {
    static func routes(_ routes: inout Routes) {
        let assignment = "/my/assignments/:assignment"
        routes.page(.get, assignment, .patient) { c in
            let target = try asked(c)
            return try profile(target, c, "assignment") ?? present(try AnswerFlow.show(target, c))
        }
        routes.page(.post, assignment, .patient) { c in
            let target = try asked(c)
            return try profile(target, c, "assignment") ?? present(try AnswerFlow.step(target, c))
        }
        routes.page(.get, assignment + "/sent", .patient) { c in present(try thanks(try asked(c), c)) }
        let item = "/my/questionnaires/:item"
        routes.page(.get, item, .patient) { c in
            let target = try atWill(c)
            return try profile(target, c, "item") ?? present(try AnswerFlow.show(target, c))
        }
        routes.page(.post, item, .patient) { c in
            let target = try atWill(c)
            return try profile(target, c, "item") ?? present(try AnswerFlow.step(target, c))
        }
        routes.page(.get, item + "/sent", .patient) { c in present(try thanks(try atWill(c), c)) }
        let event = "/my/events/:event"
        routes.page(.get, event, .patient) { c in present(try AnswerFlow.show(try noted(c), c)) }
        routes.page(.post, event, .patient) { c in present(try AnswerFlow.step(try noted(c), c)) }
        routes.page(.get, event + "/sent", .patient) { c in present(try thanks(try noted(c), c)) }
    }

    /// A continued profile has a page of its own (SN-4).
    @Sendable private static func profile(
        _ target: Fillable, _ c: Context<Member>, _ place: String
    ) throws -> Reply? {
        guard target.definition.mode == .living, let id = c.places[place] else { return nil }
        return .seeOther("/my/profiles/\(id)")
    }

    @Sendable private static func asked(_ c: Context<Member>) throws -> Fillable {
        try Fillables.assignment(try c.id("assignment"), c)
    }

    @Sendable private static func atWill(_ c: Context<Member>) throws -> Fillable {
        try Fillables.item(try c.id("item"), c)
    }

    @Sendable private static func noted(_ c: Context<Member>) throws -> Fillable {
        try Fillables.event(try c.id("event"), c)
    }

    @Sendable private static func thanks(
        _ target: Fillable, _ c: Context<Member>
    ) throws -> AnswerFlow.Screen {
        try AnswerFlow.thanks(target, c) { $0.questionnaireID == target.questionnaire.id }
    }

    private static func present(_ screen: AnswerFlow.Screen) -> Reply {
        switch screen {
        case .section(let page, let status): .page(page, status: status)
        case .review(let page, let status): .page(page, status: status)
        case .closed(let page, let status): .page(page, status: status)
        case .sent(let page): .page(page)
        case .leads(let path, let flash): .seeOther(path, flash: flash)
        }
    }
}
