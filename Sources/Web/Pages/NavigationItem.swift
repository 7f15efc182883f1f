import Identity

/// The entries of the navigation: those of staff, the administration's own, which only phones name, then the five of
/// patients and participants.
package enum NavigationItem: String, CaseIterable, Sendable {
    case today, patients, appointments, alerts, studies, questionnaires, interventions, rules, sounds, clinic,
        admin
    case overview, accounts, log, system
    case profile
    case my
    case course = "my_course"
    case practice = "my_practice"
    case dates = "my_dates"
    case more = "my_more"

    package var path: String {
        switch self {
        case .today: "/"
        case .my: "/my"
        case .course: "/my/results"
        case .practice: "/my/interventions"
        case .dates: "/my/appointments"
        case .more: "/my/more"
        case .overview: "/admin"
        case .accounts: "/admin/accounts"
        case .log: "/admin/audit-log"
        case .system: "/admin/system"
        default: "/\(rawValue)"
        }
    }

    /// The icon's name in `icons.svg`.
    package var icon: String {
        switch self {
        case .my: "today"
        case .clinic: "studies"
        case .course: "course"
        case .practice: "practice"
        case .dates: "appointments"
        case .more: "more"
        case .overview: "admin"
        case .accounts: "patients"
        case .log: "questionnaires"
        case .system: "course"
        default: rawValue
        }
    }

    /// Whether an account has this entry in its navigation. Staff and patients never mix, and the administration is one
    /// entry, whose pages only the bar of a phone names.
    package func isShown(to account: AccountRecord) -> Bool {
        let roles = account.roles
        return switch self {
        case .today, .patients, .appointments, .alerts, .rules: roles.contains(.therapist)
        case .studies, .sounds: roles.contains(.lead)
        case .questionnaires, .interventions: !roles.isDisjoint(with: [.therapist, .lead])
        case .clinic: roles.contains(.clinicLead)
        case .admin: roles.contains(.admin)
        case .overview, .accounts, .log, .system: false
        case .profile: account.kind == .staff
        case .my, .course, .practice, .dates, .more: account.kind == .patient
        }
    }

    /// The four entries that stand in the bar of a phone, where the rest waits behind "More".
    ///
    /// Each role begins with its first place; what is still free goes to the next ones in the order of roles.
    package static func bar(of roles: Set<Role>) -> Set<NavigationItem> {
        let places = Role.allCases.filter(roles.contains).map(\.places)
        return Set((places.compactMap(\.first) + places.flatMap { $0.dropFirst() }).prefix(4))
    }

    /// The entry that a page of the administration belongs to in a bar.
    package static func administration(at path: [String], in bar: Set<NavigationItem>) -> NavigationItem {
        let address = "/" + path.prefix(2).joined(separator: "/")
        return bar.first { $0.path == address } ?? .overview
    }
}

extension Role {
    /// What a role needs at hand on a phone, the most urgent first.
    fileprivate var places: [NavigationItem] {
        switch self {
        case .therapist: [.today, .alerts, .patients, .appointments]
        case .lead: [.studies, .questionnaires, .sounds]
        case .admin: [.overview, .accounts, .log, .system]
        case .clinicLead: [.clinic]
        }
    }
}
