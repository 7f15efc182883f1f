import Identity
import Records
import Wire
import Wording

/// The places that an account can go to from every page.
extension Pipeline {
    /// The navigation, and for staff what a phone keeps behind "More".
    func places(
        for person: SignedIn?, on page: any Page, at path: [String], _ texts: Texts, now: Instant
    ) throws -> (navigation: [Layout.Link], more: Layout.More?) {
        guard let account = person?.account else { return ([], nil) }
        let isStaff = account.kind == .staff
        let shown = NavigationItem.allCases.filter { $0.isShown(to: account) }
        let bar = isStaff ? NavigationItem.bar(of: account.roles) : Set(shown)
        let waiting = try waiting(for: account.id, in: shown, now: now)
        let current = type(of: page).section
        let inside = current == .admin ? NavigationItem.administration(at: path, in: bar) : nil
        let entries = NavigationItem.allCases.filter { shown.contains($0) || bar.contains($0) }
        let links = entries.map { entry in
            let label = texts["frame.\(entry.rawValue)"]
            return Layout.Link(
                label: label, shortLabel: short(entry, of: account, texts), path: entry.path,
                icon: entry.icon, isCurrent: entry == current || entry == inside,
                count: Self.number(waiting[entry]), isSideOnly: !bar.contains(entry),
                isBarOnly: !shown.contains(entry))
        }
        guard isStaff else { return (links, nil) }
        // The bar names the administration's own pages instead of the administration.
        let rest = zip(entries, links).filter { $0.1.isSideOnly && $0.0 != .admin }
        return (
            links,
            Layout.More(
                places: rest.map(\.1), holdsCurrent: rest.contains { $0.1.isCurrent },
                waiting: Self.number(rest.reduce(0) { $0 + (waiting[$1.0] ?? 0) }))
        )
    }

    /// The overview of an administration is the whole of it beside the places of other roles.
    private func short(_ entry: NavigationItem, of account: AccountRecord, _ texts: Texts) -> String? {
        switch entry {
        case .patients: texts["frame.patients_short"]
        case .overview where account.roles.count > 1: texts["frame.admin"]
        default: nil
        }
    }

    private static func number(_ count: Int?) -> String? { count.flatMap { $0 > 0 ? String($0) : nil } }

    /// The number of things that wait in each entry of the navigation.
    private func waiting(
        for account: ID<Account>, in entries: [NavigationItem], now: Instant
    ) throws -> [NavigationItem: Int] {
        let badges = routes.badges.filter { entries.contains($0.key) }
        guard !badges.isEmpty else { return [:] }
        return try services.records.read { connection in
            try badges.mapValues { try $0(account, now, connection) }
        }
    }
}
