import Records
import Therapies
import Web
import Wording

/// What stands above every page about a patient: codename, one line of facts, tabs.
package struct PatientHead: Encodable, Sendable {
    package enum Tab: String, CaseIterable, Sendable {
        case overview, timeline, contributions, deliveries, interventions, appointments
    }

    package let id: ID<Therapy>
    package let codename: String
    /// What the tab is called: the patient is named by the bar above.
    package let title: String
    package let facts: [Fact]
    package let tabs: [PageLink]
    /// The page below the tab, for the breadcrumb; nil on the tab itself.
    package let below: String?
    /// Nothing can be done to it: the therapy has ended, or the reader may only read.
    let isClosed: Bool
    /// Whether the reader may do more than read: what they may not do is not drawn.
    let canAct: Bool
    /// As whom somebody reads it whose patient it is not; nil for their own.
    let sharedAs: String?

    package static let example = PatientHead(
        id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", codename: "C020480",
        title: "Zeitachse", facts: [Fact(label: "Therapie seit", value: "25.08.2026")],
        tabs: [PageLink(label: "Zeitachse", path: "/patients", isCurrent: true)], below: nil,
        isClosed: false, canAct: true, sharedAs: nil)

    static func make(
        _ c: Context<Caseload>, tab: Tab, below: String? = nil, _ sessions: SessionList
    ) -> PatientHead {
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
        if let next = sessions.next(after: c.now) {
            facts.append(Fact(label: texts["patients.next"], value: dates.short(next.session.startsAt)))
        }
        if let at = therapy.lastActivityAt {
            facts.append(Fact(label: texts["patients.active"], value: dates.short(at)))
        }
        let base = "/patients/\(therapy.id)"
        let tabs = Tab.allCases.map { entry in
            PageLink(
                label: texts["patients.tab_\(entry.rawValue)"],
                path: entry == .overview ? base : "\(base)/\(entry.rawValue)",
                isCurrent: entry == tab)
        }
        return PatientHead(
            id: therapy.id, codename: therapy.codename, title: texts["patients.tab_\(tab.rawValue)"],
            facts: facts,
            tabs: tabs, below: below,
            isClosed: therapy.endedAt != nil || !c.proof.standing.mayAct,
            canAct: c.proof.standing.mayAct,
            sharedAs: c.proof.standing.isOwner
                ? nil : texts["sharing.as_\(c.proof.standing.name.rawValue)"])
    }
}
