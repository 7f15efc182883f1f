import HTTP
import Identity
import Records
import Secrets
import Web
import Wire
import Wording

/// Signing in a further device in the browser (PW-4): one shows the digits, the other enters them, the first approves.
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
        /// Two groups with one blank; nil without a code.
        package let code: String?
        package let until: String?
        /// The device that has entered the code and waits for approval.
        package let waiting: Waiting?

        package struct Waiting: Encodable, Sendable {
            /// The waiting device, as another may have taken its place.
            let claim: String
            package let name: String
            package let asked: String
            package let stays: Bool
        }
    }

    package struct Enter: Page {
        package static let template = "accounts/login-device"
        package let code: FieldView
        package let stays: FieldView
        package let errors: ErrorSummary?
    }

    /// Shown after the right digits, until the first device approves.
    package struct Wait: Page {
        package static let template = "accounts/login-waiting"
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
        _ claim: DeviceCodeRecord.Claim, _ key: PersonKey, _ c: Context<Member>
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
            // Valid once the first device approves, and then until the same moment.
            let end = stays ? c.now.adding(days: Credential.longestStayDays) : nil
            return .page(Wait(), cookies: [.session(made.token, staysUntil: end)])
        } catch let problem as Problem where [404, 410, 429].contains(problem.status) {
            let filled = FormState(form, FieldErrors("code", problem.message), c.texts)
            return .page(page(filled), status: problem.status == 429 ? 429 : 422)
        }
    }

    /// Polled by the waiting page: signs in once the first device approves, ends when none waits any more.
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
        let code = filled.field(
            "code", .digits, label: "device_codes.code", hint: "device_codes.code_hint", required: true,
            autocomplete: "one-time-code")
        let stays = filled.box(
            "stay_signed_in", label: "login.stay_signed_in", hint: "device_codes.stay_hint", isOn: false)
        return Enter(code: code, stays: stays, errors: filled.summary)
    }
}
