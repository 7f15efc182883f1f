import Database
import Pairing
import Records
import Therapies
import Web
import Wire
import Wording

/// The head of every page about a patient: the person as its title, one line of facts, actions and tabs.
package struct PatientHead: Encodable, Sendable {
    package enum Tab: String, CaseIterable, Sendable {
        case overview, timeline, contributions, deliveries, interventions, appointments
    }

    package let id: ID<Therapy>
    package let codename: String
    /// The name of the tab, for the title of the window.
    package let title: String
    package let facts: [Fact]
    /// The first tabs; on a phone a button opens the others.
    package let tabs: [PageLink]
    package let further: [PageLink]
    /// The button's label: the present tab, where it is one of the others.
    let furtherLabel: String
    let isFurther: Bool
    /// The present tab, for the breadcrumb.
    let here: PageLink
    /// The page below the tab, for the breadcrumb; nil on the tab itself.
    package let below: String?
    /// The filled button: the sheet with the code, a new code, or the preparation of the next session.
    let hasCode: Bool
    let needsCode: Bool
    let isPaired: Bool
    /// What is done less often.
    package let menu: Menu
    /// Whether changes are impossible: the therapy has ended, or the reader may only read.
    let isClosed: Bool
    /// Whether the reader may do more than read: forbidden actions are not drawn.
    let canAct: Bool
    /// The reader's standing in a shared file; nil for their own.
    let sharedAs: String?

    static func make(
        _ c: Context<Caseload>, tab: Tab, below: String? = nil, _ sessions: SessionList,
        _ connection: borrowing Connection
    ) throws -> PatientHead {
        let therapy = c.proof.patient
        let texts = c.texts
        let dates = c.dates
        var facts: [Fact] = []
        if let day = therapy.startedOn {
            facts.append(Fact(label: texts["patients.since"], value: dates.day(day)))
        }
        if let day = therapy.endedOn {
            facts.append(Fact(label: texts["patients.until"], value: dates.day(day)))
        }
        facts.append(Fact(label: texts["patients.sessions"], value: String(sessions.count)))
        if let at = therapy.lastActivityAt {
            facts.append(Fact(label: texts["patients.active"], value: dates.short(at)))
        }
        let base = therapy.path
        let link = { (entry: Tab) in
            PageLink(
                label: texts["patients.tab_\(entry.rawValue)"],
                path: entry == .overview ? base : "\(base)/\(entry.rawValue)",
                isCurrent: entry == tab)
        }
        let tabs = Tab.allCases.map(link)
        let here = link(tab)
        let further = tabs.dropFirst(tabsInSight)
        let isFurther = further.contains(where: \.isCurrent)
        let state = try PatientState(of: therapy, now: c.now, connection)
        return PatientHead(
            id: therapy.id, codename: therapy.codename, title: here.label, facts: facts,
            tabs: Array(tabs.prefix(tabsInSight)), further: Array(further),
            furtherLabel: isFurther ? here.label : texts["frame.my_more"], isFurther: isFurther,
            here: here, below: below,
            hasCode: state == .codeOpen, needsCode: state == .codeExpired, isPaired: state == .paired,
            menu: menu(of: therapy, state, c),
            isClosed: therapy.endedAt != nil || !c.proof.standing.mayAct,
            canAct: c.proof.standing.mayAct,
            sharedAs: c.proof.standing.isOwner
                ? nil : texts["sharing.as_\(c.proof.standing.name.rawValue)"])
    }

    /// How many tabs a phone has room for.
    private static let tabsInSight = 3

    private static func menu(of therapy: Therapy, _ state: PatientState, _ c: Context<Caseload>) -> Menu {
        var ways = [
            ("sessions/new", "sessions.note"), ("phone-contacts", "phone.link"), ("pauses", "pauses.title"),
        ]
        if state != .paired { ways.insert(("briefing", "briefing.link"), at: 0) }
        if c.proof.standing.isOwner, state == .paired, !isNewlyPaired(therapy, now: c.now) {
            ways.append(("pairing-undo", "ending.undo_title"))
        }
        return Menu(
            id: "person-menu", label: c.texts["patients.more_actions"],
            entries: ways.map { PageLink(label: c.texts[$0.1], path: "\(therapy.path)/\($0.0)") })
    }

    /// Whether undoing the pairing stays in sight: a wrong one is noticed within the first two weeks.
    static func isNewlyPaired(_ therapy: Therapy, now: Instant) -> Bool {
        therapy.pairedAt.map { now < $0.adding(days: 14) } ?? false
    }
}
