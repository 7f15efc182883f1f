import Web
import Wording

/// The form before a copy of all own data. What is in it is gathered above, where everybody's stores are known.
package enum OwnCopy {
    package static func page(_ filled: FormState) -> OwnForm {
        OwnForm(
            title: filled.texts["own_settings.to_copy"], lead: filled.texts["own_settings.copy_lead"],
            points: (1...2).map { filled.texts["own_settings.copy_point_\($0)"] },
            parent: OwnSettingsPages.parent(filled.texts), action: "/my/settings/copy",
            fields: [filled.password("password", label: "own_settings.current_password")],
            submit: filled.texts["own_settings.copy_submit"], errors: filled.summary)
    }
}
