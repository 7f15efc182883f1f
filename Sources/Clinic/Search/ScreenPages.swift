import HTTP
import Identity
import Records
import Web
import Wording

/// Preferences of staff for their pages: without names while others see the screen (PR-6), and with or without keys
/// (PR-8). Stored in the account, so that they apply in all its browsers.
package enum ScreenPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.post, "/screen", .staff, update)
    }

    @Sendable static func update(_ c: Context<Member>) throws -> Reply {
        let form = try c.form()
        let fields = InputReader(form: form)
        let names = fields.choice("names", from: ["hidden", "shown"])
        let keys = fields.choice("keys", from: ["on", "off"])
        try fields.finish()
        let id = c.proof.account.id
        try c.write(.screenChanged, about: id, object: names ?? keys) { connection in
            if let names { try AccountStore.setNamesHidden(names == "hidden", of: id, connection) }
            if let keys { try AccountStore.setKeysOff(keys == "off", of: id, connection) }
        }
        let words = names.map { "search.names_\($0)" } ?? keys.map { "search.keys_are_\($0)" }
        return .seeOther(NextPath.safe(form["back"]), flash: words.map { Message($0) })
    }
}

extension AuditAction {
    static let screenChanged = AuditAction(name: "account.screen_changed")
}
