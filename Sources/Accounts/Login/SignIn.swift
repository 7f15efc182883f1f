import HTTP
import Identity
import Records
import Secrets
import Web
import Wording

/// Opens sessions of the portal.
package enum SignIn {
    /// A session, and the cookies that the browser gets.
    package struct Opened: Sendable {
        package let id: ID<Credential>
        package let token: Token
        package let cookies: [NewCookie]
    }

    /// A new session under a new cookie; the former credential ends. From then on the browser is known to the account.
    /// - Parameters:
    ///   - kind: `.halfway` before the second factor.
    ///   - hasFactor: whether a code was given for it.
    ///   - stays: whether an own device stays signed in (PW-5); only for patients.
    ///   - ticket: of the errand that the form carried, which becomes the account's; only for patients.
    package static func open<P>(
        _ account: AccountRecord, _ kind: Credential.Kind = .session, hasFactor: Bool, stays: Bool = false,
        bringing ticket: Errand.Ticket? = nil, instead old: Credential?, _ c: Context<P>
    ) throws -> Opened {
        var credential = NewCredential(kind, of: account, id: c.newID(), now: c.now)
        credential.isBySecondFactor = hasFactor
        credential.traits = DeviceTraits(c.request)
        if stays { credential.stay() }
        let action: AuditAction =
            switch kind {
            case .halfway: .passwordAccepted
            case .registration: .unverifiedSignIn
            case .session, .token: .signedIn
            }
        let key = try account.key(c.keys)
        // Before the second factor nothing is known yet.
        let known = kind == .session ? c.knownBrowser ?? Token() : nil
        let address = c.keys.lookup(address: c.clientAddress, of: account.id)
        try c.write(action, by: .account(account.id), about: account.id) {
            [credential, now = c.now, keys = c.keys] connection in
            if let old {
                let isThere = try CredentialStore.endCredential(old.id, of: old.account, connection)
                // Ended meanwhile: the password it proved may no longer be valid.
                if old.kind == .halfway && kind == .session && !isThere { throw Problem.signInRequired }
            }
            try CredentialStore.insert(credential, connection)
            if let known {
                try KnownOriginStore.note(known, of: credential, address: address, connection)
            }
            guard account.kind == .patient else { return }
            try ticket?.take(now: now, connection)?.give(
                to: account.id, under: key, keys, now: now, connection)
        }
        let cookie = c.request.cookie(Identification(services: c.services).cookieName)
        if let cookie {
            try c.services.interrupted.move(from: cookie, to: credential.token.text, now: c.now)
        }
        let session = NewCookie.session(credential.token, staysUntil: credential.staysUntil)
        return Opened(
            id: credential.id, token: credential.token,
            cookies: [session] + (known.map { [NewCookie(.known, $0)] } ?? []))
    }

    /// Opens the session, then the form that the last session's end interrupted, or the requested page.
    package static func finish<P>(
        _ account: AccountRecord, hasFactor: Bool, stays: Bool = false, bringing ticket: Errand.Ticket? = nil,
        instead old: Credential?, next: String, _ c: Context<P>
    ) throws -> Reply {
        let session = try open(
            account, hasFactor: hasFactor, stays: stays, bringing: ticket, instead: old, c)
        let errand = next == "/" && account.kind == .patient ? Errand.of(account, c.services) : nil
        let wanted = errand?.code != nil ? "/my/pairing" : errand?.next ?? next
        let next = NextPath.destination(wanted, account, among: c.services.routes)
        guard
            let form = try c.services.interrupted.take(session.token.text, of: account.id, now: c.now)
        else {
            return .seeOther(next, cookies: session.cookies)
        }
        return .page(Continue(form, next: next), cookies: session.cookies)
    }

    /// The form that the session's end interrupted, to be sent now.
    package struct Continue: Page {
        package static let template = "accounts/continue"
        package let action: String
        package let fields: [InterruptedForm.Field]
        /// The values of its fields, to be checked before sending.
        package let values: [String]
        package let next: String

        package init(_ form: InterruptedForm, next: String) {
            action = form.action
            fields = form.fields
            self.next = next
            values = form.values
        }

        /// As an example.
        init() {
            action = "/patients/new"
            next = "/"
            fields = [InterruptedForm.Field(name: "note", value: "Notiz")]
            values = ["Notiz"]
        }
    }
}

extension AuditAction {
    /// The first of two factors.
    static let passwordAccepted = AuditAction(name: "account.password_accepted")
}
