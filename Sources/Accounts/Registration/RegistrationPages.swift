import Database
import HTTP
import Identity
import Records
import Web
import Wire
import Wording

/// Registering in the browser (IO-1): the form, and the page that waits for the confirmation.
package enum RegistrationPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/register", .anyone, new)
        routes.page(.post, "/register", .anyone, create)
        routes.page(.get, "/register/confirmation", .registrant, show)
        routes.page(.post, "/register/confirmation", .registrant, update)
        routes.page(.post, "/register/confirmation/mail", .registrant, resend)
    }

    package struct New: Page {
        package static let template = "accounts/register"
        package let fields: [FieldView]
        /// The clinic's first; a script chooses that of the device, and then it is not asked.
        package let zone: FieldView
        package let consents: [FieldView]
        /// Whether the form carries a pairing code.
        let hasCode: Bool
        /// The ticket of the errand that led here; nil without one that waits.
        let errand: String?
        package var carried: String? { errand }
        /// Where signing in instead leads.
        let wanted: String
        /// Of the privacy statement that is linked.
        let privacyVersion: String
        package let next: String
        package let errors: ErrorSummary?
    }

    package struct Show: Page {
        package static let template = "accounts/confirmation"
        package let address: String
        /// Whether invisible signs were taken out of the address.
        let isCleaned: Bool
        /// Says which zone counts because the device's is unknown; nil for a known one.
        let zone: String?
        let isDone: Bool
        package let email: FieldView
        package let errors: ErrorSummary?
    }

    @Sendable static func new(_ c: Context<Anyone>) throws -> Reply {
        if let person = c.actor.member { return .seeOther(NextPath.home(of: person.account)) }
        let ticket = try Errand.Ticket.handed(c.request, c.services)
        return .page(try Self.form(FormState(c.texts), ticket, next: c.request.query["next"], c))
    }

    /// The account starts with the zone of the form: people register from elsewhere (RP-15).
    @Sendable static func create(_ c: Context<Anyone>) throws -> Reply {
        let form = try c.form()
        let next = NextPath.safe(form["next"])
        let ticket = Errand.Ticket(form["errand"], c.request, c.services)
        return try c.submit(form, orShow: { try Self.form($0, ticket, next: next, c) }) { fields in
            let draft = try RegistrationDraft.read(
                fields, among: c.services.languages, language: c.language,
                timezone: c.services.timezone)
            do {
                let made = try RegistrationActions.create(
                    draft, bringing: ticket, to: next == "/" ? nil : next,
                    instead: c.actor.anybody?.credential, c)
                // No flash: it is kept for a session, which begins only now.
                let said = [
                    draft.isEmailCleaned ? "cleaned=email" : nil, draft.zone.word == nil ? nil : "zone=other",
                ].compactMap(\.self)
                let query = said.isEmpty ? "" : "?" + said.joined(separator: "&")
                return .seeOther("/register/confirmation" + query, cookies: [.session(made.token)])
            } catch let problem as Problem where PrivacyStore.isChange(problem) {
                // It is agreed to anew.
                let kept = Form(
                    form.fields.filter { !["privacy_version", "privacy_accepted"].contains($0.name) })
                let filled = FormState(kept, FieldErrors("privacy_accepted", problem.message), c.texts)
                return .page(try Self.form(filled, ticket, next: next, c), status: 409)
            }
        }
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        .page(try page(FormState(c.texts), c))
    }

    /// Corrects a mistyped address.
    @Sendable static func update(_ c: Context<Member>) throws -> Reply {
        try c.submit(orShow: { try page($0, c) }) { fields in
            let email = fields.email("email")
            try fields.finish()
            guard let email else { throw Problem.invalid(fields.errors) }
            _ = try RegistrationActions.change(to: email, c)
            return .seeOther("/register/confirmation")
        }
    }

    @Sendable static func resend(_ c: Context<Member>) throws -> Reply {
        try RegistrationActions.resend(c)
        return .seeOther("/register/confirmation", flash: Message("registration.sent_again"))
    }

    // MARK: Parts

    private static func page(_ filled: FormState, _ c: Context<Member>) throws -> Show {
        let account = try c.read { try c.ownAccount($0) }
        let address = try account.email(c.keys)
        let email = filled.field("email", .address, label: "registration.email_other", autocomplete: "email")
        return Show(
            address: address, isCleaned: c.request.query["cleaned"] != nil,
            zone: c.request.query["zone"].map { _ in
                c.texts["registration.other_zone", ["zone": account.timezone]]
            }, isDone: account.verifiedAt != nil, email: email, errors: filled.summary)
    }

    private static func form(
        _ filled: FormState, _ ticket: Errand.Ticket?, next: String?, _ c: Context<Anyone>
    ) throws -> New {
        let email = filled.field(
            "email", .address, label: "login.email", required: true, autocomplete: "username")
        let passwords = [
            ("password", "login.password"), ("password_confirmation", "registration.password_again"),
        ]
        let secrets = passwords.map { name, label in
            filled.field(name, .newPassword, label: label)
        }
        let consents = ["privacy_accepted", "research_consent"].map { name in
            filled.box(name, label: "registration.\(name)", hint: "registration.\(name)_hint", isOn: false)
        }
        var fields = [email] + secrets
        fields[1].hint = c.texts["registration.password_hint", ["n": String(PasswordRules.minimum)]]
        let version = try c.read { try InformationStore.version(of: .privacy, $0) }
        let errand = ticket?.errand(c.services)
        let carried = errand == nil ? nil : ticket?.text
        let wanted = errand?.code == nil ? next ?? "" : "/my/pairing"
        return New(
            fields: fields, zone: filled.zone(first: c.services.timezone), consents: consents,
            hasCode: errand?.code != nil, errand: carried, wanted: wanted,
            // Of a form that is drawn again, the one that was on it at first.
            privacyVersion: filled.form["privacy_version"] ?? String(version),
            next: next ?? "", errors: filled.summary)
    }
}
