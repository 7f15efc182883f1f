import Delivery
import HTTP
import Identity
import Push
import Records
import Studies
import Web
import Wire
import Wording

/// Push messages on this device (PW-8, IO-25): off by default, the same text for everyone.
package enum OwnPushPages {
    private static let path = "/my/settings/push"

    static func routes(_ routes: inout Routes) {
        routes.page(.get, path, .patient, show)
        routes.page(.post, path, .patient, subscribe)
        routes.page(.post, path + "/renewal", .patient, renew)
        routes.page(.post, path + "/removal", .patient, unsubscribe)
        routes.page(.post, path + "/test", .patient, test)
        routes.page(.post, "/my/offline/shown", .patient, noteShown)
    }

    package struct Show: Page {
        package static let template = "my/push"
        package static let section: NavigationItem? = .more

        let key: String
        /// Whether it is on here: `on`, `off`, `ended`.
        let state: String
        let wantsPrompts: Bool
        let wantsChanges: Bool
        let title: String
        /// An example of a message.
        let sample: String
        /// What is wrong with it; nil while it works.
        let trouble: String?
        let last: String?
        /// Whether this is an own device.
        let stays: Bool
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        let record = try PushActions.find(c.proof.credential.id, c)
        let wire = try record.map { try PushActions.wire($0, c) }
        let key = try c.proof.account.key(c.keys)
        let title = try record?.title(key) ?? c.texts["push.title"]
        let trouble = wire.flatMap {
            ["ended", "stopped"].contains($0.state) ? "push.state_\($0.state)" : nil
        }
        return .page(
            Show(
                key: c.services.part(PushSignal.self).publicKey,
                state: record?.state ?? "off",
                wantsPrompts: record?.wantsPrompts ?? true, wantsChanges: record?.wantsChanges ?? true,
                title: title, sample: c.texts["push.sample", ["title": title]],
                trouble: trouble.map { c.texts[$0] },
                last: wire?.lastAcceptedAt.map { c.texts["push.last", ["when": c.dates.short($0)]] },
                stays: c.proof.credential.staysUntil != nil))
    }

    /// Sent by a script, because only scripts know the browser's keys.
    @Sendable static func subscribe(_ c: Context<Member>) throws -> Reply {
        let draft = try PushDraft.read(form: InputReader(form: try c.form()), c.services.settings)
        _ = try PushActions.subscribe(c.proof.credential.id, draft, c)
        return try done(c)
    }

    /// What the browser has now: another subscription in the place of the one that is known, with the same wishes, or none any
    /// more. Reminders that were turned off stay so (404).
    @Sendable static func renew(_ c: Context<Member>) throws -> Reply {
        guard let known = try PushActions.find(c.proof.credential.id, c) else { throw Problem.notFound }
        let form = try c.form()
        if form["endpoint"] == nil {
            try PushActions.end(known, c)
        } else {
            let draft = try PushDraft.read(
                form: InputReader(form: form), c.services.settings, wants: known.wants,
                title: try known.title(c.proof.account.key(c.keys)))
            _ = try PushActions.subscribe(c.proof.credential.id, draft, renewing: known, c)
        }
        return try done(c)
    }

    @Sendable static func unsubscribe(_ c: Context<Member>) throws -> Reply {
        try PushActions.unsubscribe(c.proof.credential.id, c)
        return try done(c)
    }

    @Sendable static func test(_ c: Context<Member>) throws -> Reply {
        try PushActions.test(c.proof.credential.id, c)
        return try done(c)
    }

    private static func done(_ c: Context<Member>) throws -> Reply {
        c.wantsNoPage ? try .taken() : .seeOther(path, flash: Message("own_settings.saved"))
    }

    /// No device shows more between two synchronisations.
    private static let mostShown = 200

    /// Messages that the worker has shown, each with its moment: `ID TIME`. Other accounts' ids are ignored.
    @Sendable static func noteShown(_ c: Context<Member>) throws -> Reply {
        let account = c.proof.account.id
        let shown = try c.form().all("shown").prefix(mostShown).compactMap { text -> (String, Instant)? in
            let parts = text.split(separator: " ").map(String.init)
            guard parts.count == 2, ID<Assignment>(uuid: parts[0]) != nil, let at = Instant(parts[1]) else {
                return nil
            }
            return (parts[0], min(at, c.now))
        }
        if !shown.isEmpty {
            try c.writeUnaudited(.push) { connection in
                for (id, at) in shown {
                    try LedgerStore.noteShown(id, of: account, at: at, connection)
                    try StudyReminderStore.noteShown(id, of: account, at: at, connection)
                }
            }
        }
        return try .taken()
    }
}
