import Accounts
import HTTP
import Identity
import Records
import Web
import Wording

/// The password, and the account's sessions (IO-2).
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
        try c.submit(orShow: page) { fields in
            try Password.change(fields, c)
            return .seeOther(OwnSettingsPages.path, flash: Message("password.changed"))
        }
    }

    private static func page(_ filled: FormState) -> OwnForm {
        OwnForm(
            title: filled.texts["own_settings.to_password"],
            lead: filled.texts["own_settings.password_lead"],
            parent: OwnSettingsPages.parent(filled.texts), action: "/my/settings/password",
            fields: [
                filled.field("current_password", .password, label: "own_settings.current_password"),
                filled.field("password", .newPassword, label: "password.password"),
                filled.field(
                    "password_confirmation", .newPassword, label: "own_settings.password_confirmation"),
            ], submit: filled.texts["own_settings.password_submit"], errors: filled.summary)
    }

    // MARK: Devices

    package struct Devices: Page {
        package static let template = "my/devices"
        package static let section: NavigationItem? = .more
        let rows: [DevicePages.Index.Row]
        let hasOthers: Bool
    }

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let rows = try DevicePages.rows(below: devices, c)
        return .page(Devices(rows: rows, hasOthers: rows.count > 1))
    }

    /// Ending the present session is signing out.
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
