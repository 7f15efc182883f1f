import Accounts
import HTTP
import Identity
import Records
import Web
import Wording

/// The password, and where one is signed in (IO-2).
package enum OwnSecurityPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/my/settings/password", .patient, edit)
        routes.page(.post, "/my/settings/password", .patient, update)
        routes.page(.get, devices, .patient, index)
        routes.page(.post, "/my/settings/devices/:device/removal", .patient, end)
        routes.page(.post, "/my/settings/devices/removal", .patient, endOthers)
    }

    private static let devices = "/my/settings/devices"

    // MARK: Password

    @Sendable static func edit(_ c: Context<Member>) throws -> Reply { .page(page(FormState(c.texts))) }

    @Sendable static func update(_ c: Context<Member>) throws -> Reply {
        let form = try c.form()
        do {
            try Password.change(InputReader(form: form), c)
            return .seeOther(OwnSettingsPages.path, flash: Message("password.changed"))
        } catch Problem.invalid(let errors) {
            return .page(page(FormState(form, errors, c.texts)), status: 422)
        }
    }

    private static func page(_ filled: FormState) -> OwnForm {
        OwnForm(
            title: filled.texts["own_settings.to_password"],
            lead: filled.texts["own_settings.password_lead"],
            parent: OwnSettingsPages.parent(filled.texts), action: "/my/settings/password",
            fields: [
                filled.password("current_password", label: "own_settings.current_password"),
                filled.password("password", label: "password.password", isNew: true),
                filled.password(
                    "password_confirmation", label: "own_settings.password_confirmation", isNew: true),
            ], submit: filled.texts["own_settings.password_submit"], errors: filled.summary)
    }

    // MARK: Devices

    package struct Devices: Page {
        package static let template = "my/devices"
        package static let section: NavigationItem? = .more
        let rows: [DevicePages.Index.Row]
        let hasOthers: Bool

        package static let example = Devices(rows: DevicePages.Index.example.rows, hasOthers: true)
    }

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let rows = try DevicePages.rows(below: devices, c)
        return .page(Devices(rows: rows, hasOthers: rows.count > 1))
    }

    /// Ending the session that asks is signing out.
    @Sendable static func end(_ c: Context<Member>) throws -> Reply {
        try DevicePages.end(c)
        let isOwn = c.places["device"] == c.proof.credential.id.text
        if isOwn { return try LoginPages.ownOut(to: "/login", c) }
        return .seeOther(devices, flash: Message("devices.ended"))
    }

    @Sendable static func endOthers(_ c: Context<Member>) throws -> Reply {
        try DevicePages.endOthers(c)
        return .seeOther(devices, flash: Message("devices.ended"))
    }
}
