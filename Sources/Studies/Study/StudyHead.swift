import Records
import Web
import Wire
import Wording

/// The head of every page of a study: its name, one line of facts, tabs.
package struct StudyHead: Encodable, Sendable {
    package enum Tab: String, CaseIterable, Sendable {
        case overview, questionnaires, groups, participants, compliance, results, export

        /// What is open to masked leads.
        static let masked: [Tab] = [.overview, .participants, .export]
    }

    package let id: ID<Study>
    package let title: String
    package let facts: [Fact]
    package let tabs: [PageLink]

    /// As masked leads see it.
    package static let example = StudyHead(
        id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", title: "Stress im Alltag",
        facts: [Fact(label: "Stand", value: "läuft")],
        tabs: [PageLink(label: "Überblick", path: "/studies", isCurrent: true)])

    package static func make(_ c: Context<some StudyProof>, tab: Tab) -> StudyHead {
        let study = c.proof.study
        let texts = c.texts
        var facts = [Fact(label: texts["studies.state"], value: texts[stateKey(study, at: c.now)])]
        if study.archivedAt == nil && !study.hasEnded(at: c.now) {
            facts.append(
                Fact(label: texts["studies.access"], value: texts["studies.access_\(study.access.rawValue)"]))
        }
        if let day = study.startsAt {
            facts.append(Fact(label: texts["studies.starts_at"], value: c.dates.day(day)))
        }
        if let end = study.endsAt {
            facts.append(Fact(label: texts["studies.ends_at"], value: c.dates.lastDay(until: end)))
        }
        if !c.proof.isMasked {
            let code = "\(study.code.prefix(4)) \(study.code.dropFirst(4))"
            facts.append(Fact(label: texts["studies.code"], value: code))
        }
        if !study.measurements.isEmpty {
            let names = study.measurements.map { texts["health.\($0.rawValue)"] }.joined(separator: ", ")
            facts.append(Fact(label: texts["studies.measures"], value: names))
        }
        let base = study.path
        let tabs = (c.proof.isMasked ? Tab.masked : Tab.allCases).map { entry in
            PageLink(
                label: texts["studies.tab_\(entry.rawValue)"],
                path: entry == .overview ? base : "\(base)/\(entry.rawValue)", isCurrent: entry == tab)
        }
        return StudyHead(
            id: study.id, title: study.title.text(in: c.languages) ?? study.name, facts: facts, tabs: tabs)
    }

    /// The key of the words for how a study stands.
    package static func stateKey(_ study: StudyRecord, at now: Instant) -> String {
        if study.archivedAt != nil { return "studies.state_archived" }
        if study.isRunning(at: now) { return "studies.state_running" }
        if !study.isStarted { return "studies.state_stopped" }
        return study.endsAt.map { $0 <= now } ?? false ? "studies.state_over" : "studies.state_coming"
    }
}
