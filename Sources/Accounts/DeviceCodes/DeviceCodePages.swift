import HTTP
import Identity
import Records
import Secrets
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
        package let waiting: Waiting?

        package struct Waiting: Encodable, Sendable {
            /// Which one is meant: another may have come in its place.
            let claim: String
            package let name: String
            package let asked: String
            package let stays: Bool
        }

        package static let example = Show(
            code: "3942 0603", until: "09:10",
            waiting: Waiting(claim: "x", name: "Firefox auf Android", asked: "heute, 09:04", stays: true))
    }

    package struct Enter: Page {
        package static let template = "accounts/login-device"
        package let code: FieldView
        package let stays: FieldView
        package let errors: ErrorSummary?

        package static let example = Enter(
            code: FieldView(name: "code", label: "Code"),
            stays: FieldView(name: "stay_signed_in", label: "Angemeldet bleiben", isCheck: true), errors: nil)
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
        return .page(
            Show(
                code: "\(code.prefix(4)) \(code.suffix(4))", until: c.dates.time(record.expiresAt),
                waiting: try record.claim.map { try waiting($0, key, c) }))
    }

    private static func waiting(
        _ claim: DeviceCode.Claim, _ key: PersonKey, _ c: Context<Member>
    ) throws -> Show.Waiting {
        let own = try claim.ownName(key)
        let asked = claim.at.map(c.dates.dayAndTime)
        let isKnown = own != nil || DeviceNames.text(claim.traits, c.texts) != nil
        return Show.Waiting(
            claim: claim.id.text,
            name: isKnown
                ? DeviceNames.text(own: own, kind: claim.kind, claim.traits, c.texts)
                : c.texts["device_codes.some_device"],
            asked: asked.map { c.texts["device_codes.asked", ["when": $0]] } ?? "", stays: claim.stays)
    }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        _ = try DeviceCodeActions.make(c)
        return .seeOther("/my/device-code")
    }

    @Sendable static func approve(_ c: Context<Member>) throws -> Reply {
        try DeviceCodeActions.approve(shown: try c.form()["claim"] ?? "", c)
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
        let stays = form.all("stay_signed_in").contains("true")
        let device = DeviceCodeActions.Device(
            kind: .session, platform: "web", traits: DeviceTraits(c.request), stays: stays)
        do {
            let made = try DeviceCodeActions.claim(form["code"] ?? "", as: device, c)
            // It counts only once the first device has said yes, and then ends at the same time.
            let end = stays ? c.now.adding(days: Credential.longestStayDays) : nil
            return .page(Wait(), cookie: .session(made.token, staysUntil: end))
        } catch let problem as Problem where [404, 410, 429].contains(problem.status) {
            let filled = FormState(form, FieldErrors("code", problem.message), c.texts)
            return .page(page(filled), status: problem.status == 429 ? 429 : 422)
        }
    }

    /// Asked again by the page that waits: signed in as soon as the first device has said yes, and over once nothing waits any more.
    @Sendable static func wait(_ c: Context<Anyone>) throws -> Reply {
        if let person = c.actor.member { return .seeOther(NextPath.home(of: person.account)) }
        let token = c.request.cookie(Identification(services: c.services).cookieName).flatMap { Token($0) }
        let isWaiting = try c.read { connection in
            try token.map { try DeviceCodeStore.isWaiting($0.hash, now: c.now, connection) } ?? false
        }
        if isWaiting { return .page(Wait()) }
        return .page(page(FormState(Form(), FieldErrors("code", Message("device_codes.over")), c.texts)))
    }

    private static func page(_ filled: FormState) -> Enter {
        var code = filled.field("code", label: "device_codes.code")
        code.hint = filled.texts["device_codes.code_hint"]
        code.inputMode = "numeric"
        code.autocomplete = "one-time-code"
        code.isRequired = true
        let stays = filled.box(
            "stay_signed_in", label: "login.stay_signed_in", hint: "device_codes.stay_hint", isOn: false)
        return Enter(code: code, stays: stays, errors: filled.summary)
    }
}
