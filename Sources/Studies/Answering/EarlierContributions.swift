import Contributions
import Database
import Records
import Scheduling
import Wire

/// Sheets from before prompts were stored with them: decided once, at a start, by the rule of their time, in which a sheet that named no
/// prompt answered the last one of its day that had come, else the first that was still to come.
package enum EarlierContributions {
    private static let peopleATime = 50

    package static func decide(_ records: Records) throws {
        while true {
            let part = try records.read { try EarlierContributionStore.undecided(limit: peopleATime, $0) }
            if part.isEmpty { return }
            try records.writeUnaudited(.plan) { connection in
                for id in part { try decide(id, connection) }
            }
        }
    }

    private static func decide(_ id: ID<Enrolment>, _ connection: borrowing Connection) throws {
        try EarlierContributionStore.noteDecided(id, connection)
        guard let enrolment = try EnrolmentStore.find(id: id, connection),
            let study = try StudyStore.find(enrolment.studyID, connection)
        else { return }
        let prompts = try StudyPrompts(study, connection).of(enrolment, connection)
        let byKey = Dictionary(
            grouping: try EarlierContributionStore.sheets(as: id, connection), by: \.key)
        // At a time point nothing was asked then.
        for item in prompts.all.items where item.timePoint == nil {
            for (sheet, prompt) in decisions(byKey[item.key] ?? [], item, prompts) {
                let answered = AnsweredPrompt(id: PromptMatch.id(prompt, of: item, as: enrolment), at: prompt)
                try ContributionUpkeepStore.set(answered, of: sheet, by: enrolment.accountID, connection)
            }
        }
    }

    /// The prompt of each sheet: the one it named, else by that rule, in the order in which they came in.
    private static func decisions(
        _ sheets: [EarlierContributionStore.Contribution], _ item: StudyItem, _ prompts: ParticipantPrompts
    ) -> [(sheet: ID<ContributionRecord>, prompt: Instant)] {
        guard let last = sheets.map(\.completedAt).max() else { return [] }
        let asked = prompts.planned(item, until: last.adding(days: 2))
        let named = Dictionary(
            asked.map { (PromptMatch.id($0.at, of: item, as: prompts.enrolment), $0.at) },
            uniquingKeysWith: { first, _ in first })
        var decided = sheets.compactMap { sheet in
            sheet.prompt.flatMap { named[$0] }.map { (sheet: sheet.id, prompt: $0) }
        }
        var answered = Set(decided.map(\.prompt))
        let byDay = Dictionary(grouping: asked, by: \.day)
        for sheet in sheets where sheet.prompt == nil {
            let free = (byDay[prompts.zones.day(of: sheet.completedAt)] ?? []).filter {
                !answered.contains($0.at)
            }
            let come = free.last { $0.at.seconds <= sheet.completedAt.seconds }
            guard let chosen = come ?? free.first else { continue }
            answered.insert(chosen.at)
            decided.append((sheet.id, chosen.at))
        }
        return decided
    }
}
