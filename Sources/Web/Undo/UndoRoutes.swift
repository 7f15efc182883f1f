import HTTP
import Identity
import Records
import Wire
import Wording

/// Undoing: the call runs as the account's own, with its access check, on the state that the change left.
package enum UndoRoutes {
    package static func routes(_ routes: inout Routes) {
        routes.call(
            .post, "/undo/:token", .staff,
            .other(
                "Undo a change, by the header `Undo` of its answer: 200 with the thing or 204; for ten minutes, once. "
                    + "410 later or again, 412 with the present state when it was changed since",
                "application/json"), call)
        routes.page(.post, "/undo/:token", .staff, page)
    }

    @Sendable static func call(_ c: Context<Member>) throws -> Reply {
        try run(try token(c), c)
    }

    /// For the button beside a line; a change that cannot be undone any more is reported on the page of the button.
    @Sendable static func page(_ c: Context<Member>) throws -> Reply {
        let token = try own(c)
        let next = token.next ?? "/"
        let words: String
        do {
            try check(token, c)
            _ = try run(token, c)
            words = "undo.done"
        } catch Problem.gone(let message) {
            return .seeOther(next, flash: message)
        } catch Problem.conflict(let message, _) {
            return .seeOther(next, flash: message)
        } catch is StaleState {
            words = "undo.changed_meanwhile"
        }
        return .seeOther(next, flash: Message(words))
    }

    private static func token(_ c: Context<Member>) throws -> UndoToken {
        let token = try own(c)
        try check(token, c)
        return token
    }

    /// Tokens of other accounts are not found.
    private static func own(_ c: Context<Member>) throws -> UndoToken {
        guard let token = UndoToken(c.places["token"] ?? "", c.keys),
            token.account == c.proof.account.id.text
        else { throw Problem.notFound }
        return token
    }

    private static func check(_ token: UndoToken, _ c: Context<Member>) throws {
        if try c.read({ try UndoStore.isSpent(token.id, $0) }) {
            throw Problem.gone(Message("undo.done_already"))
        }
        if token.until <= c.now.milliseconds { throw Problem.gone(Message("undo.too_late")) }
    }

    private static func run(_ token: UndoToken, _ c: Context<Member>) throws -> Reply {
        guard let target = Target("/api/v1" + token.path), let shown = Target("/api/v1" + token.shown),
            let match = try? c.services.routes.match(.post, target.path)
        else { throw Problem.notFound }
        let request = Request(
            method: .post, target: target, headers: ["Content-Type": "application/json"], peer: c.request.peer
        )
        do {
            return try UndoClaim.$current.withValue(UndoClaim(token)) {
                try match.route.run(request, match.places, c.actor, c.language, c.services, c.now)
            }
        } catch Problem.preconditionFailed {
            let id = target.path.dropLast().last ?? ""
            throw StaleState(target: shown, id: id)
        }
    }
}
