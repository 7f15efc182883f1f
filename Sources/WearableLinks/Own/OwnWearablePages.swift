import HTTP
import Identity
import Scheduling
import Web
import Wire
import Wording

/// The own links to providers (FB-1): seeing, making and ending them.
package enum OwnWearablePages {
    static let path = "/my/wearables"

    static func routes(_ routes: inout Routes) {
        routes.page(.get, path, .patient, show)
        routes.page(.post, path + "/:provider/link", .patient, link)
        routes.page(.get, path + "/:provider/confirmation", .patient, ask)
        routes.page(.post, path + "/:provider/confirmation", .patient, confirm)
        routes.page(.post, path + "/:provider/removal", .patient, remove)
        routes.page(.get, "/wearables/callback", .anyone, LinkReturn.callback)
        routes.page(.get, "/wearables/returned", .anyone, returned)
    }

    package struct Show: Page {
        package static let template = "my/wearables"
        package static let section: NavigationItem? = .more

        let rows: [WearableRow]
        let hasRows: Bool
        let errors: ErrorSummary?

        package static let example = Show(rows: [.example, .unlinked], hasRows: true, errors: nil)
    }

    /// Shown before leaving for the provider: browsers restrict a form's target to our own addresses.
    package struct Leave: Page {
        package static let template = "my/wearable-leave"
        package static let section: NavigationItem? = .more

        let title: String
        let button: String
        let address: String

        package static let example = Leave(
            title: "Zum Anbieter", button: "Weiter zum Anbieter",
            address: "https://accounts.google.com/o/oauth2/v2/auth?client_id=clinic")
    }

    /// Shown after coming back: only this device can make the link valid.
    package struct Confirm: Page {
        package static let template = "my/wearable-confirm"
        package static let section: NavigationItem? = .more

        let title: String
        let action: String
        /// The remaining time, where it is short; nil where there is enough.
        let hurry: String?

        package static let example = Confirm(
            title: "Anbieter verbinden?", action: "/my/wearables/google_health/confirmation",
            hurry: "Bitte gleich: in 30 Sekunden verfällt die Zustimmung.")
    }

    /// In the browser that an app has opened.
    package struct Returned: Page {
        package static let template = "wearables/returned"

        let isDeclined: Bool
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        .page(try page(FormState(c.texts), c))
    }

    private static func page(_ filled: FormState, _ c: Context<Member>) throws -> Show {
        let dates = c.dates(in: Zone(c.proof.account.timezone))
        let rows = try LinkActions.all(c).filter { $0.state != "unavailable" }.map {
            WearableRow($0, c.texts, dates)
        }
        filled.name("data", c.texts["wearables.data"])
        return Show(rows: rows, hasRows: !rows.isEmpty, errors: filled.summary)
    }

    // MARK: Linking

    @Sendable static func link(_ c: Context<Member>) throws -> Reply {
        let table = try LinkActions.named(c)
        do {
            let address = try LinkActions.ask(c)
            let values = ["provider": table.title]
            return .page(
                Leave(
                    title: c.texts["wearables.leave_title", values],
                    button: c.texts["wearables.leave", values], address: address))
        } catch Problem.conflict(let message, _) {
            return .seeOther(path, flash: message)
        }
    }

    @Sendable static func ask(_ c: Context<Member>) throws -> Reply {
        let table = try LinkActions.named(c)
        guard try LinkActions.isToConfirm(c) else { return .seeOther(path) }
        let values = ["provider": table.title]
        let hurry = table.dialect.codeSeconds.map { c.texts["wearables.hurry", ["n": "\($0)"]] }
        return .page(
            Confirm(
                title: c.texts["wearables.confirm_title", values],
                action: "\(path)/\(table.name)/confirmation", hurry: hurry))
    }

    @Sendable static func confirm(_ c: Context<Member>) throws -> Reply {
        do {
            let wearable = try LinkActions.confirm(c)
            let sentence = wearable.missing.isEmpty ? "wearables.linked" : "wearables.linked_partly"
            return .seeOther(path, flash: Message(sentence))
        } catch Problem.conflict(let message, _) {
            return .seeOther(path, flash: message)
        }
    }

    // MARK: Unlinking

    @Sendable static func remove(_ c: Context<Member>) throws -> Reply {
        _ = try LinkActions.named(c)
        return try c.submit(orShow: { try page($0, c) }) { fields in
            let fate = fields.choice("data", from: WearableAPI.fates, required: true)
            try fields.finish()
            let isRevoked = try LinkActions.unlink(removingData: fate == "remove", c)
            return .seeOther(
                path, flash: Message(isRevoked ? "wearables.unlinked" : "wearables.unlinked_here"))
        }
    }

    @Sendable static func returned(_ c: Context<Anyone>) throws -> Reply {
        .page(Returned(isDeclined: c.request.query["declined"] == "true"))
    }
}
