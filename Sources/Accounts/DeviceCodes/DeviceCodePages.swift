import HTTP
import Identity
import Records
import Web
import Wire
import Wording

/// Letting a further device in, in the browser (PW-4): one shows the digits, the other enters them, the first says yes.
package enum DeviceCodePages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/my/device-code", .patient, show)
        routes.page(.post, "/my/device-code", .patient, create)
        routes.page(.post, "/my/device-code/approval", .patient, approve)
        routes.page(.post, "/my/device-code/removal", .patient, destroy)
        routes.page(.get, "/login/device", .anyone, new)
        routes.page(.post, "/login/device", .anyone, claim)
        routes.page(.get, "/login/device/waiting", .anyone, wait)
    }

    package struct Show: Page {
        package static let template = "accounts/device-code"
        package static let section: NavigationItem? = .more
        /// Two groups with one blank; nil while there is none.
        package let code: String?
        package let until: String?
        /// What has entered the code and waits for a yes.
        package let waiting: String?

        package static let example = Show(code: "3942 0603", until: "09:10", waiting: "Firefox")
    }

    package struct Enter: Page {
        package static let template = "accounts/login-device"
        package let code: FieldView
        package let errors: ErrorSummary?

        package static let example = Enter(code: FieldView(name: "code", label: "Code"), errors: nil)
    }

    /// The digits were right, the first device has yet to say yes.
    package struct Wait: Page {
        package static let template = "accounts/login-waiting"
        package static let example = Wait()
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        let account = c.proof.account
        let record = try c.read { try DeviceCodeStore.find(of: account.id, now: c.now, $0) }
        guard let record else { return .page(Show(code: nil, until: nil, waiting: nil)) }
        let key = try account.key(c.keys)
        let code = try record.code(key)
        let name = try record.claimName(key) ?? c.texts["device_codes.some_device"]
        return .page(
            Show(
                code: "\(code.prefix(4)) \(code.suffix(4))", until: c.dates.time(record.expiresAt),
                waiting: record.claim == nil ? nil : name))
    }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        _ = try DeviceCodeActions.make(c)
        return .seeOther("/my/device-code")
    }

    @Sendable static func approve(_ c: Context<Member>) throws -> Reply {
        try DeviceCodeActions.approve(c)
        return .seeOther("/my/more", flash: Message("device_codes.approved"))
    }

    @Sendable static func destroy(_ c: Context<Member>) throws -> Reply {
        try DeviceCodeActions.refuse(c)
        return .seeOther("/my/more", flash: Message("device_codes.refused"))
    }

    @Sendable static func new(_ c: Context<Anyone>) throws -> Reply {
        if let person = c.actor.member { return .seeOther(NextPath.home(of: person.account)) }
        return .page(page(FormState(c.texts)))
    }

    @Sendable static func claim(_ c: Context<Anyone>) throws -> Reply {
        let form = try c.form()
        let device = DeviceCodeActions.Device(kind: .session, platform: "web")
        do {
            let made = try DeviceCodeActions.claim(form["code"] ?? "", as: device, c)
            return .page(Wait(), cookie: .session(made.token))
        } catch let problem as Problem where [404, 410, 429].contains(problem.status) {
            let filled = FormState(form, FieldErrors("code", problem.message), c.texts)
            return .page(page(filled), status: problem.status == 429 ? 429 : 422)
        }
    }

    /// Asked again by who waits: signed in as soon as the first device has said yes.
    @Sendable static func wait(_ c: Context<Anyone>) throws -> Reply {
        if let person = c.actor.member { return .seeOther(NextPath.home(of: person.account)) }
        return .page(Wait())
    }

    private static func page(_ filled: FormState) -> Enter {
        var code = filled.field("code", label: "device_codes.code")
        code.hint = filled.texts["device_codes.code_hint"]
        code.inputMode = "numeric"
        code.autocomplete = "one-time-code"
        code.isRequired = true
        return Enter(code: code, errors: filled.summary)
    }
}
