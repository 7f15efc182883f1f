import Accounts
import Agenda
import HTTP
import Identity
import Web
import Wire
import Wording

/// The notifications of devices (IO-15), and the sensors that may be read while answering (TYS-7).
enum OwnSwitchPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, notifications, .patient, editNotifications)
        routes.page(.post, notifications, .patient, updateNotifications)
        routes.page(.get, sensors, .patient, editSensors)
        routes.page(.post, sensors, .patient, updateSensors)
    }

    private static let notifications = "/my/settings/notifications"
    private static let sensors = "/my/settings/sensors"

    // MARK: Notifications

    private static let kinds = ["questionnaires", "interventions", "appointments"]

    private static func isOn(_ kind: String, _ choice: AccountRecord.Notifications) -> Bool {
        switch kind {
        case "questionnaires": choice.questionnaires
        case "interventions": choice.interventions
        default: choice.appointments
        }
    }

    @Sendable static func editNotifications(_ c: Context<Member>) throws -> Reply {
        .page(page(try c.read { try c.ownAccount($0).notifications }, FormState(c.texts)))
    }

    /// Switching off asks first: a page names the consequences.
    @Sendable static func updateNotifications(_ c: Context<Member>) throws -> Reply {
        let before = try c.read { try c.ownAccount($0).notifications }
        return try c.revise(orShow: { page(before, $0) }) { fields in
            let wanted = AccountRecord.Notifications(
                questionnaires: fields.bool("questionnaires") ?? false,
                interventions: fields.bool("interventions") ?? false,
                appointments: fields.bool("appointments") ?? false)
            let isSure = fields.bool(Confirmation.field) ?? false
            try fields.finish()
            let muted = kinds.filter { isOn($0, before) && !isOn($0, wanted) }
            if !muted.isEmpty, !isSure { return .page(asking(muted, wanted, over: before, c.texts)) }
            try NotificationAPI.save(wanted, c)
            return .seeOther(OwnSettingsPages.path, flash: Message("own_settings.saved"))
        }
    }

    private static func page(_ choice: AccountRecord.Notifications, _ filled: FormState) -> OwnForm {
        OwnForm(
            title: filled.texts["own_settings.to_notifications"],
            lead: filled.texts["own_settings.notifications_lead"],
            parent: OwnSettingsPages.parent(filled.texts), action: notifications,
            fields: kinds.map {
                filled.box(
                    $0, label: "own_settings.notify_\($0)", hint: "own_settings.notify_hint_\($0)",
                    isOn: isOn($0, choice))
            }, submit: filled.texts["own_settings.save"], errors: filled.summary)
    }

    private static func asking(
        _ muted: [String], _ wanted: AccountRecord.Notifications, over before: AccountRecord.Notifications,
        _ texts: Texts
    ) -> OwnForm {
        OwnForm(
            title: texts["own_settings.mute_title"], lead: texts["own_settings.mute_lead"],
            points: muted.map { texts["own_settings.mute_\($0)"] },
            parent: PageLink(
                label: texts["own_settings.to_notifications"], path: notifications, isCurrent: false),
            action: notifications,
            kept: kinds.map { OwnForm.Kept(name: $0, value: isOn($0, wanted) ? "true" : "") }
                + kinds.map { kind in
                    let shown = ShownFields.field(kind, showing: isOn(kind, before) ? "true" : "")
                    return OwnForm.Kept(name: shown.name, value: shown.value)
                } + [OwnForm.Kept(name: Confirmation.field, value: "true")],
            submit: texts["own_settings.mute_submit"], asks: true)
    }

    // MARK: Sensors

    @Sendable static func editSensors(_ c: Context<Member>) throws -> Reply {
        .page(try sensorPage(FormState(c.texts), c))
    }

    @Sendable static func updateSensors(_ c: Context<Member>) throws -> Reply {
        try c.revise(orShow: { try sensorPage($0, c) }) { fields in
            let settings = SensorSettings(
                gps: fields.bool("gps") ?? false, microphone: fields.bool("microphone") ?? false)
            try fields.finish()
            try SensorAPI.save(settings, c)
            return .seeOther(OwnSettingsPages.path, flash: Message("own_settings.saved"))
        }
    }

    private static func sensorPage(_ filled: FormState, _ c: Context<Member>) throws -> OwnForm {
        let account = try c.read { try c.ownAccount($0) }
        return OwnForm(
            title: c.texts["own_settings.to_sensors"], lead: c.texts["own_settings.sensors_lead"],
            parent: OwnSettingsPages.parent(c.texts), action: sensors,
            fields: [
                filled.box(
                    "gps", label: "own_settings.gps", hint: "own_settings.gps_hint", isOn: account.isGPSOn),
                filled.box(
                    "microphone", label: "own_settings.microphone", hint: "own_settings.microphone_hint",
                    isOn: account.isMicrophoneOn),
            ], submit: c.texts["own_settings.save"], errors: filled.summary)
    }
}
