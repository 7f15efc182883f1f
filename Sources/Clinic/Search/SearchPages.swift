import Database
import HTTP
import Identity
import Records
import Therapies
import Web
import Wire
import Wording

/// The switcher (PR-8): patients, pages and actions by a few letters. Without scripts it is this page; with them a dialog
/// asks the same address.
package enum SearchPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/search", .staff, show)
    }

    package struct Show: Page {
        package static let template = "search/show"
        package struct Entry: Encodable, Sendable {
            package let label: String
            package let path: String
            /// What kind of thing it is, or how a patient stands.
            package let detail: String?
            /// Of patients that are not over.
            package let briefing: String?
        }
        package let query: String
        package let entries: [Entry]
        package let hasEntries: Bool
        package let isMore: Bool

        package static let example = Show(
            query: "win",
            entries: [
                Entry(
                    label: "Frau Winter C020480", path: "/patients/7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11",
                    detail: "verbunden",
                    briefing: "/patients/7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11/briefing")
            ], hasEntries: true, isMore: false)
    }

    private static let most = 20

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        let fields = InputReader(form: c.request.query)
        let words = fields.text("q", limit: 100) ?? ""
        try fields.finish()
        let needle = PatientNeedle(words)
        let found = try patients(needle, c) + pages(needle, c)
        let shown = Array(found.prefix(most))
        if c.wantsNoPage { return try .plain(["entries": shown]) }
        return .page(
            Show(
                query: words, entries: shown, hasEntries: !shown.isEmpty, isMore: found.count > shown.count))
    }

    /// Running therapies first; while nothing is typed, those of whom something was heard last.
    private static func patients(_ needle: PatientNeedle, _ c: Context<Member>) throws -> [Show.Entry] {
        let account = c.proof.account
        guard account.roles.contains(.therapist) else { return [] }
        let (all, codes) = try c.read { connection in
            (
                try TherapyStore.caseload(of: account.id, connection)
                    + SharingStore.all(with: account.id, now: c.now, connection).map(\.therapy),
                try PairingStore.current(ofTherapist: account.id, connection)
            )
        }
        // Whoever hides names does not look for them either.
        let found = try all.filter { therapy in
            try therapy.mayNameTo(account)
                ? needle.fits(therapy, c.keys)
                : needle.fits(codename: therapy.codename, alias: nil, note: nil)
        }
        let sorted = found.sorted { first, second in
            let (isFirstOver, isSecondOver) = (first.endedAt != nil, second.endedAt != nil)
            if isFirstOver != isSecondOver { return isSecondOver }
            let last = (first.lastActivityAt ?? first.createdAt, second.lastActivityAt ?? second.createdAt)
            return last.0 == last.1 ? first.codename < second.codename : last.0 > last.1
        }
        return try sorted.map { therapy in
            let name = try therapy.name(for: account, c.keys)
            let state = PatientState(therapy, codes[therapy.id], now: c.now)
            return Show.Entry(
                label: [name.alias, name.codename].compactMap(\.self).joined(separator: " "),
                path: "/patients/\(therapy.id)", detail: c.texts["patients.state_\(state.rawValue)"],
                briefing: therapy.endedAt == nil ? "/patients/\(therapy.id)/briefing" : nil)
        }
    }

    /// What the navigation has, and what one begins from it.
    private static func pages(_ needle: PatientNeedle, _ c: Context<Member>) -> [Show.Entry] {
        let account = c.proof.account
        let sections = NavigationItem.allCases.filter { $0.isShown(to: account) }
        var entries = sections.map { item in
            (label: c.texts["frame.\(item.rawValue)"], path: item.path)
        }
        if account.roles.contains(.therapist) {
            entries.append((c.texts["patients.new"], "/patients/new"))
            entries.append((c.texts["rules.new"], "/rules/new"))
            entries.append((c.texts["pauses.title"], "/pauses"))
            entries.append((c.texts["batteries.title"], "/batteries"))
        }
        entries.append((c.texts["welcome.title"], "/welcome"))
        return entries.filter { needle.isEmpty || needle.holds($0.label) }.map {
            Show.Entry(label: $0.label, path: $0.path, detail: nil, briefing: nil)
        }
    }
}
