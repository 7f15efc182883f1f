import HTTP
import Identity
import Records
import Secrets
import Web
import Wording

/// Opens sessions of the portal.
package enum SignIn {
    /// A new session under a new cookie; the credential that was there before is dead.
    /// - Parameters:
    ///   - kind: `.halfway` while the second factor is still asked for.
    ///   - hasFactor: whether a code was given for it.
    ///   - stays: whether it lasts on a device of one's own (PW-5); only patients' do.
    package static func open<P>(
        _ account: AccountRecord, _ kind: Credential.Kind = .session, hasFactor: Bool, stays: Bool = false,
        instead old: Credential?, _ c: Context<P>
    ) throws -> (cookie: NewCookie, id: ID<Credential>) {
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
        let errand = Errand.of(c.request, c.services)
        try c.write(action, by: .account(account.id), about: account.id) {
            [credential, now = c.now] connection in
            if let old {
                let isThere = try CredentialStore.endCredential(old.id, of: old.account, connection)
                // Ended by somebody meanwhile: what it stood for stands no more.
                if old.kind == .halfway && kind == .session && !isThere { throw Problem.signInRequired }
            }
            try CredentialStore.insert(credential, connection)
            try errand?.keep(for: credential.token, now: now, connection)
        }
        let cookie = c.request.cookie(Identification(services: c.services).cookieName)
        if let cookie { c.services.interrupted.move(from: cookie, to: credential.token.text) }
        return (.session(credential.token, staysUntil: credential.staysUntil), credential.id)
    }

    /// Opens the session and goes on: to a form that the end of the last session interrupted, else to the page that was
    /// asked for.
    package static func finish<P>(
        _ account: AccountRecord, hasFactor: Bool, stays: Bool = false, instead old: Credential?,
        next: String, _ c: Context<P>
    ) throws -> Reply {
        let session = try open(account, hasFactor: hasFactor, stays: stays, instead: old, c).cookie
        let errand = next == "/" && account.kind == .patient ? Errand.of(c.request, c.services) : nil
        let wanted = errand?.code != nil ? "/my/pairing" : errand?.next ?? next
        let next = NextPath.destination(wanted, account, among: c.services.routes)
        guard
            let form = session.value.flatMap({
                c.services.interrupted.take($0.text, of: account.id, now: c.now)
            })
        else {
            return .seeOther(next, cookie: session)
        }
        return .page(Continue(form, next: next), cookie: session)
    }

    /// What was typed when the session ended, to be sent now.
    package struct Continue: Page {
        package static let template = "accounts/continue"
        package let action: String
        package let fields: [InterruptedForm.Field]
        /// What stands in the fields, to be read before it is sent.
        package let values: [String]
        package let next: String

        package init(_ form: InterruptedForm, next: String) {
            action = form.action
            fields = form.fields
            self.next = next
            values = form.fields.map(\.value).filter { !$0.isEmpty }
        }

        private init() {
            action = "/patients/new"
            next = "/"
            fields = [InterruptedForm.Field(name: "note", value: "Notiz")]
            values = ["Notiz"]
        }
        package static let example = Continue()
    }
}

extension AuditAction {
    /// The first of two factors.
    static let passwordAccepted = AuditAction(name: "account.password_accepted")
}
