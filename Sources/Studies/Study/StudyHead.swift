import Records
import Web
import Wire
import Wording

/// The head of every page of a study: its name, one line of facts, tabs.
package struct StudyHead: Encodable, Sendable {
    package enum Tab: String, CaseIterable, Sendable {
        case overview, questionnaires, groups, participants, compliance, results, export
    }

    package let id: ID<Study>
    package let title: String
    package let facts: [Fact]
    package let tabs: [PageLink]

    package static func make(_ c: Context<StudyLead>, tab: Tab) -> StudyHead {
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
        facts.append(
            Fact(
                label: texts["studies.code"], value: "\(study.code.prefix(4)) \(study.code.dropFirst(4))"))
        if !study.measurements.isEmpty {
            let names = study.measurements.map { texts["health.\($0.rawValue)"] }.joined(separator: ", ")
            facts.append(Fact(label: texts["studies.measures"], value: names))
        }
        let base = study.path
        let tabs = Tab.allCases.map { entry in
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
