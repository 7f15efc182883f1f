import HTTP
import Identity
import Records
import Secrets
import Wire

extension Pipeline {
    /// Sends an own device its cookies anew whenever its use is noted: browsers expire them by their own count.
    func renew(_ response: inout Response, _ request: Request, _ actor: Actor, _ now: Instant) {
        guard let person = actor.signedIn, let end = person.credential.staysUntil,
            person.isUseDue(at: now), response.headers["Set-Cookie"] == nil,
            let held = request.cookie(identification.cookieName).flatMap({ Token($0) })
        else { return }
        response.set(.session(held, staysUntil: end), services, at: now)
        let known = request.cookie(CookieKind.known.name(isSecure: services.settings.isSecure))
        if let id = known.flatMap({ Token($0) }) { response.set(NewCookie(.known, id), services, at: now) }
    }
}
