import HTTP
import Identity
import Pairing
import Therapies
import Web
import Wording

/// The switcher (PR-8): finds patients, pages and actions by a few letters. Without scripts it is this page; with
/// them a dialog uses the same address.
package enum SearchPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/search", .staff, show)
    }

    package struct Show: Page {
        package static let template = "search/show"
        package struct Entry: Encodable, Sendable {
            package let label: String
            package let path: String
            /// The kind of thing, or the state of a patient.
            package let detail: String?
            /// For patients whose therapy runs.
            package let briefing: String?
        }
        package let query: String
        package let entries: [Entry]
        package let hasEntries: Bool
        package let isMore: Bool
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

    /// Running therapies first; without a search text, those with the latest activity.
    private static func patients(_ needle: PatientNeedle, _ c: Context<Member>) throws -> [Show.Entry] {
        let account = c.proof.account
        guard account.roles.contains(.therapist) else { return [] }
        let (own, shared, codes) = try c.read { connection in
            (
                try TherapyStore.caseload(of: account.id, connection),
                try SharingStore.all(with: account.id, now: c.now, connection),
                try PairingStore.current(ofTherapist: account.id, connection)
            )
        }
        let standings = Dictionary(uniqueKeysWithValues: shared.map { ($0.therapy.id, $0.standing) })
        let all = own + shared.map(\.therapy)
        let alias = { (therapy: Therapy) throws -> String? in
            let standing = standings[therapy.id] ?? .owner
            return standing.knowsAlias && !account.hidesNames ? try therapy.alias(c.keys) : nil
        }
        // While names are hidden, they are not searched either.
        let found = try all.filter { therapy in
            let standing = standings[therapy.id] ?? .owner
            return needle.fits(
                codename: therapy.codename, alias: try alias(therapy),
                note: standing.knowsWords && !account.hidesNames ? try therapy.note(c.keys) : nil)
        }
        let sorted = found.sorted { first, second in
            let isFirstOver = first.endedAt != nil
            let isSecondOver = second.endedAt != nil
            if isFirstOver != isSecondOver { return isSecondOver }
            let last = (first.lastActivityAt ?? first.createdAt, second.lastActivityAt ?? second.createdAt)
            return last.0 == last.1 ? first.codename < second.codename : last.0 > last.1
        }
        return try sorted.map { therapy in
            let name = PatientName(codename: therapy.codename, alias: try alias(therapy))
            let state = PatientState(therapy, codes[therapy.id], now: c.now)
            return Show.Entry(
                label: [name.alias, name.codename].compactMap(\.self).joined(separator: " "),
                path: therapy.path, detail: c.texts["patients.state_\(state.rawValue)"],
                briefing: therapy.endedAt == nil ? "\(therapy.path)/briefing" : nil)
        }
    }

    /// The entries of the navigation, and actions.
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
        entries.append((c.texts["guide.title"], "/help"))
        entries.append((c.texts["welcome.title"], "/welcome"))
        return entries.filter { needle.isEmpty || needle.holds($0.label) }.map {
            Show.Entry(label: $0.label, path: $0.path, detail: nil, briefing: nil)
        }
    }
}
