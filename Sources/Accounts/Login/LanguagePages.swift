import HTTP
import Identity
import Web
import Wording

/// The language switch of the portal: stored in the account, or for this one page without one.
enum LanguagePages {
    static func routes(_ routes: inout Routes) {
        routes.page(.post, "/language", .anyone, create)
    }

    @Sendable static func create(_ c: Context<Anyone>) throws -> Reply {
        let form = try c.form()
        let back = NextPath.safe(form["back"])
        guard let language = c.services.language(form["language"]) else {
            throw Problem.invalid("language", "errors.choice")
        }
        guard let person = c.actor.signedIn else {
            try Errand.Ticket(form["errand"], c.request, c.services)?.hand(c.request, c.services)
            return .seeOther("\(back)\(back.contains("?") ? "&" : "?")lang=\(language.rawValue)")
        }
        let id = person.account.id
        try c.write(.profileChanged, about: id) { connection in
            try AccountStore.setLanguage(language, of: id, connection)
        }
        return .seeOther(back)
    }
}
