import Accounts
import HTTP
import Identity
import Scheduling
import Web
import Wording

/// The settings of patients and participants at a glance, and their account data (IO-3).
package enum OwnSettingsPages {
    static let path = "/my/settings"

    static func routes(_ routes: inout Routes) {
        routes.page(.get, path, .patient, index)
        routes.page(.get, "/my/settings/profile", .patient, edit)
        routes.page(.post, "/my/settings/profile", .patient, update)
        routes.page(.post, "/my/settings/zone", .patient, moveZone)
    }

    /// The way back from a page of the settings.
    static func parent(_ texts: Texts) -> PageLink {
        PageLink(label: texts["own_settings.title"], path: path, isCurrent: false)
    }

    package struct Index: Page {
        package static let template = "my/settings"
        package static let section: NavigationItem? = .more

        package struct Entry: Encodable, Sendable {
            let label: String
            let path: String
            /// The present setting; where there is none, what stands behind the row.
            let now: String
        }
        package struct Group: Encodable, Sendable {
            let title: String
            let entries: [Entry]
        }
        let groups: [Group]
    }

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let account = try c.read { try c.ownAccount($0) }
        let devices = try DevicePages.rows(below: "/my/settings/devices", c).count
        let entry = { (name: String, now: String?) in
            Index.Entry(
                label: c.texts["own_settings.to_\(name)"], path: "\(path)/\(name.replacing("_", with: "-"))",
                now: now ?? c.texts["own_settings.about_\(name)"])
        }
        let group = { (name: String, entries: [Index.Entry]) in
            Index.Group(title: c.texts["own_settings.group_\(name)"], entries: entries)
        }
        let language = c.services.texts(account.language)["frame.language"]
        let choice = account.notifications
        let kinds = [choice.questionnaires, choice.interventions, choice.appointments]
        let sensors = [account.isGPSOn, account.isMicrophoneOn]
        return .page(
            Index(
                groups: [
                    group(
                        "person",
                        [
                            entry("profile", "\(language), \(account.timezone)"),
                            entry("notifications", state(kinds, c.texts)), entry("push", nil),
                            entry("sensors", state(sensors, c.texts)),
                        ]),
                    group(
                        "sign_in",
                        [
                            entry("email", try account.email(c.keys)), entry("password", nil),
                            entry("devices", c.texts.count("own_settings.devices", devices)),
                        ]),
                    group(
                        "data",
                        [
                            entry(
                                "privacy",
                                c.texts[
                                    account.researchConsent
                                        ? "own_settings.consent_given" : "own_settings.consent_none"]),
                            entry("sharing", nil),
                            entry("access_log", nil), entry("copy", nil), entry("deletion", nil),
                        ]),
                ]))
    }

    private static func state(_ switches: [Bool], _ texts: Texts) -> String {
        let on = switches.count { $0 }
        let key = on == switches.count ? "all_on" : on == 0 ? "all_off" : "some_on"
        return texts["own_settings.\(key)"]
    }

    // MARK: Account data

    @Sendable static func edit(_ c: Context<Member>) throws -> Reply {
        .page(try page(FormState(c.texts), c))
    }

    @Sendable static func update(_ c: Context<Member>) throws -> Reply {
        try c.revise(orShow: { try page($0, c) }) { fields in
            try OwnProfileChange.read(fields, among: c.services.languages).save(c)
            return .seeOther(path, flash: Message("own_settings.saved"))
        }
    }

    /// Takes the zone of the device, as Today offers it (RP-15).
    @Sendable static func moveZone(_ c: Context<Member>) throws -> Reply {
        let form = Form(try c.form().fields.filter { $0.name == "timezone" })
        return try c.submit(form, orShow: { try page($0, c) }) { fields in
            try OwnProfileChange.read(fields, among: c.services.languages).save(c)
            return .seeOther("/my", flash: Message("own_settings.saved"))
        }
    }

    private static func page(_ filled: FormState, _ c: Context<Member>) throws -> OwnForm {
        let account = try c.read { try c.ownAccount($0) }
        let name = filled.field(
            "name", label: "own_settings.name", first: try account.name(c.keys) ?? "",
            hint: "own_settings.name_hint", autocomplete: "name")
        let sex = filled.list(
            "sex", label: "own_settings.sex", first: account.sex.map { String($0) } ?? "",
            none: "own_settings.sex_none",
            [1, 2, 9, 0].map { (String($0), c.texts["own_settings.sex_\($0)"]) })
        let language = filled.list(
            "language", label: "own_settings.language", first: account.language.rawValue,
            c.services.languages.map { ($0.rawValue, c.services.texts($0)["frame.language"]) })
        return OwnForm(
            title: c.texts["own_settings.to_profile"], lead: nil, parent: parent(c.texts),
            action: "\(path)/profile", fields: [language, filled.zone(first: account.timezone), name, sex],
            submit: c.texts["own_settings.save"], errors: filled.summary)
    }
}
