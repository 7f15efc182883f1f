import HTTP
import JSON
import Outbound
import Records
import Web
import WebPush
import Wording

/// A subscription as sent by a device, checked. Made only by reading.
package struct PushDraft: Sendable {
    let endpoint: PushEndpoint
    let wantsPrompts: Bool
    let wantsChanges: Bool
    let title: String?

    /// The most characters of the heading on a locked screen.
    private static let longestTitle = 40

    /// From the API.
    /// - Throws: `Problem.invalid`.
    static func read(_ fields: InputReader, _ settings: Settings) throws(Problem) -> PushDraft {
        let url = fields.text("endpoint", required: true, limit: 2048)
        let keys = fields.object("keys")
        if keys == nil, fields.value("keys") == nil { fields.refuse("keys", "errors.required") }
        let p256dh = keys?.text("p256dh", required: true, limit: 120)
        let auth = keys?.text("auth", required: true, limit: 60)
        fields.adopt(keys)
        var wants: [String] = []
        if case .array(let values)? = fields.value("wants") { wants = values.map { $0.string ?? "" } }
        let title = fields.text("title", limit: longestTitle)
        return try make(
            url, p256dh, auth, wants, title, names: ("keys.p256dh", "keys.auth"), fields, settings)
    }

    /// From a page's script.
    /// - Throws: `Problem.invalid`.
    package static func read(form fields: InputReader, _ settings: Settings) throws(Problem) -> PushDraft {
        let wants = (fields.text("wants", limit: 100) ?? "").split(separator: " ").map(String.init)
        let title = fields.text("title", limit: longestTitle)
        return try read(form: fields, settings, wants: wants, title: title)
    }

    /// From a page's script, with wishes that are known.
    /// - Throws: `Problem.invalid`.
    package static func read(
        form fields: InputReader, _ settings: Settings, wants: [String], title: String?
    ) throws(Problem) -> PushDraft {
        let url = fields.text("endpoint", required: true, limit: 2048)
        let p256dh = fields.text("p256dh", required: true, limit: 120)
        let auth = fields.text("auth", required: true, limit: 60)
        return try make(url, p256dh, auth, wants, title, names: ("p256dh", "auth"), fields, settings)
    }

    private static func make(
        _ url: String?, _ p256dh: String?, _ auth: String?, _ wants: [String], _ title: String?,
        names: (String, String), _ fields: InputReader, _ settings: Settings
    ) throws(Problem) -> PushDraft {
        if wants.isEmpty || !wants.allSatisfy({ ["prompts", "changes"].contains($0) }) {
            fields.refuse("wants", "push.wants")
        }
        let endpoint = PushEndpoint(url: url ?? "", p256dh: p256dh ?? "", auth: auth ?? "")
        if p256dh != nil, auth != nil, endpoint.receiver == nil { fields.refuse(names.0, "push.keys") }
        if url != nil {
            switch settings.pushPolicy.refusalNow(of: endpoint.url) {
            case nil: break
            case .privateAddress?: fields.refuse("endpoint", "push.private")
            default: fields.refuse("endpoint", "push.not_https")
            }
        }
        try fields.finish()
        return PushDraft(
            endpoint: endpoint, wantsPrompts: wants.contains("prompts"),
            wantsChanges: wants.contains("changes"),
            title: title)
    }
}
