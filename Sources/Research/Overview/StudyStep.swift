import Studies
import Web
import Wire
import Wording

/// What a study waits for.
enum StudyStep {
    /// Requests and refused sheets, which only a lead can decide about.
    static func waiting(_ study: StudyRecord, _ counts: [String: Int], held: Int, _ texts: Texts)
        -> [PageLink]
    {
        let pending = counts["pending"] ?? 0
        var all: [PageLink] = []
        if pending > 0 {
            all.append(link(texts.count("studies.asking", pending), "participants", study))
        }
        if held > 0 { all.append(link(texts.count("quarantine.waiting", held), "quarantine", study)) }
        return all
    }

    /// The next step of a lead; nil where there is nothing to do.
    static func next(
        _ study: StudyRecord, waiting: [PageLink], isEmpty: Bool, _ stored: GroupStore.Stored?,
        at now: Instant, _ texts: Texts
    ) -> PageLink? {
        if study.archivedAt != nil { return nil }
        if let first = waiting.first { return first }
        if study.hasEnded(at: now) { return afterEnd(study, texts).first }
        if !study.isStarted { return link(texts["studies.start"], nil, study) }
        if let stored, stored.closedAt == nil, stored.isComplete {
            return link(texts["studies.closure_submit"], "groups/closure", study)
        }
        return isEmpty ? link(texts["studies.invitations"], "invitations", study) : nil
    }

    /// What is left to do with a study that is over.
    static func afterEnd(_ study: StudyRecord, _ texts: Texts) -> [PageLink] {
        [
            link(texts["studies.see_results"], "results", study),
            link(texts["studies.export_data"], "export", study),
        ]
    }

    private static func link(_ label: String, _ end: String?, _ study: StudyRecord) -> PageLink {
        PageLink(label: label, path: end.map { "\(study.path)/\($0)" } ?? study.path, isCurrent: false)
    }
}
