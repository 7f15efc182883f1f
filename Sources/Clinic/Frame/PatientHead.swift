import Records
import Therapies
import Web
import Wording

/// The head of every page about a patient: codename, one line of facts, tabs.
package struct PatientHead: Encodable, Sendable {
    package enum Tab: String, CaseIterable, Sendable {
        case overview, timeline, contributions, deliveries, interventions, appointments
    }

    package let id: ID<Therapy>
    package let codename: String
    /// The title of the tab: the bar above names the patient.
    package let title: String
    package let facts: [Fact]
    package let tabs: [PageLink]
    /// The page below the tab, for the breadcrumb; nil on the tab itself.
    package let below: String?
    /// Whether changes are impossible: the therapy has ended, or the reader may only read.
    let isClosed: Bool
    /// Whether the reader may do more than read: forbidden actions are not drawn.
    let canAct: Bool
    /// The reader's standing in a shared file; nil for their own.
    let sharedAs: String?

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
        let base = therapy.path
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
