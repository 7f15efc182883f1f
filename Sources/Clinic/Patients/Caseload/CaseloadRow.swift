import Contributions
import Delivery
import Identity
import Instruments
import Questionnaires
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// A patient's row of the list as the template draws it (PR-34).
package struct CaseloadRow: Encodable, Sendable {
    /// The headings of the columns, in front of their cells on narrow screens.
    struct Labels: Encodable, Sendable {
        let next: String
        let lead: String
        let change: String
        let rate: String
        let activity: String
        let unseen: String

        init(_ texts: Texts) {
            next = texts["caseload.column_next"]
            lead = texts["caseload.column_lead"]
            change = texts["caseload.column_change"]
            rate = texts["caseload.column_rate"]
            activity = texts["caseload.column_activity"]
            unseen = texts["caseload.column_unseen"]
        }
    }
    struct Lead: Encodable, Sendable {
        let name: String
        /// The whole name of the scale with its questionnaire.
        let title: String
        let link: String
        let value: String
        /// `von 28`; nil for a scale that does not start at 0.
        let range: String?
    }
    struct Change: Encodable, Sendable {
        /// `11 → 21`.
        let course: String
        /// The verdict with its colour, or why there is none.
        let verdict: String?
        let tone: String
        let isJudged: Bool
    }
    package let id: ID<Therapy>
    package let codename: String
    package let alias: String?
    package let note: String?
    /// What is not a paired running therapy; nil for one.
    package let state: String?
    let next: String
    let isWithoutNext: Bool
    let lead: Lead?
    let change: Change?
    let rate: String
    let activity: String
    let isSilent: Bool
    let unseen: String?
}

/// Puts the entries of the list of patients into words.
struct CaseloadFormatter {
    let texts: Texts
    let dates: DateFormat

    func row(_ entry: CaseloadEntry) -> CaseloadRow {
        let state = entry.state == .paired ? nil : state(entry)
        return CaseloadRow(
            id: entry.id, codename: entry.codename, alias: entry.alias, note: entry.note, state: state,
            next: next(entry), isWithoutNext: entry.isWithoutAppointment,
            lead: entry.lead.flatMap { lead($0, of: entry) },
            change: entry.lead.flatMap(change),
            rate: texts.share(entry.asked.answered, of: entry.asked.asked),
            activity: activity(entry), isSilent: entry.isSilent,
            unseen: entry.unseen == 0 ? nil : texts.count("caseload.unseen", entry.unseen))
    }

    private func state(_ entry: CaseloadEntry) -> String {
        let words = texts["patients.state_\(entry.state.rawValue)"]
        guard let expires = entry.codeExpires else { return words }
        return words + " " + texts["patients.code_until", ["day": dates.day(expires)]]
    }

    /// `heute 16:00`, `morgen 9:00`, then with the day.
    private func next(_ entry: CaseloadEntry) -> String {
        guard let next = entry.next else {
            return entry.isRunning ? texts["caseload.no_session"] : texts["contributions.none"]
        }
        let day = LocalTime(next, dates.zone).date
        if day == dates.today.adding(days: 1) {
            return texts["caseload.tomorrow", ["time": dates.time(next)]]
        }
        return dates.short(next)
    }

    /// By calendar days: `heute`, `gestern`, `vor 8 Tagen`.
    private func activity(_ entry: CaseloadEntry) -> String {
        guard let last = entry.lastSign else { return texts["contributions.none"] }
        let day = LocalTime(last, dates.zone).date
        let days = Int(dates.today.daysSince1970 - day.daysSince1970)
        switch days {
        case ...0: return texts["caseload.seen_today"]
        case 1: return texts["caseload.seen_yesterday"]
        default: return texts["caseload.seen_days", ["n": String(days)]]
        }
    }

    private func lead(_ lead: CaseloadEntry.Lead, of entry: CaseloadEntry) -> CaseloadRow.Lead? {
        guard let value = lead.change.last.score.value else { return nil }
        let range = lead.series.scale.range.flatMap { range in
            range.lowerBound == 0 ? texts["caseload.of", ["max": texts.number(range.upperBound)]] : nil
        }
        return CaseloadRow.Lead(
            name: lead.series.title(texts.language), title: lead.series.name(texts.language),
            link: lead.series.path(of: entry.id), value: texts.number(value), range: range)
    }

    private func change(_ lead: CaseloadEntry.Lead) -> CaseloadRow.Change? {
        guard let last = lead.change.last.score.value else { return nil }
        guard let first = lead.change.begin?.score.value else {
            return CaseloadRow.Change(
                course: texts["charts.first_value"], verdict: nil, tone: "plain", isJudged: false)
        }
        let course = "\(texts.number(first)) → \(texts.number(last))"
        guard let verdict = lead.verdict else {
            return CaseloadRow.Change(
                course: course, verdict: texts["caseload.not_judged"], tone: "plain", isJudged: false)
        }
        return CaseloadRow.Change(
            course: course, verdict: texts["charts.class_\(verdict.rawValue)"],
            tone: ScoreFormatter.tone(verdict), isJudged: verdict != .unchanged)
    }
}
