import Contributions
import Delivery
import Identity
import Pairing
import Questionnaires
import Records
import Therapies
import Web
import Wire

/// One patient in the list of patients, with what the list is sorted and filtered by (PR-34).
package struct CaseloadEntry: Sendable {
    let therapy: Therapy
    /// Both nil while names are hidden.
    let alias: String?
    let note: String?
    let state: PatientState
    let codeExpires: Instant?
    let next: Instant?
    /// The latest answered lead scale; nil before the first value.
    let lead: Lead?
    let asked: AskedStore.Count
    /// The last sign of the patient, in the app or by phone; nil before pairing.
    let lastSign: Instant?
    /// Whole days since then.
    let silentDays: Int?
    /// What waits to be seen.
    let unseen: Int

    struct Lead: Sendable {
        let series: ScaleSeries
        let change: ScoreChange
        /// On the change since the begin; nil without figures or without a begin.
        let verdict: ClinicalChange?

        /// The change since the begin as a share of the range, above 0 for the worse; nil without range or direction.
        var worsening: Double? {
            guard let range = series.scale.range, let isWorse = series.scale.higherIsWorse,
                let first = change.begin?.score.value, let last = change.last.score.value,
                range.upperBound > range.lowerBound
            else { return nil }
            let share = (last - first) / (range.upperBound - range.lowerBound)
            return isWorse ? share : -share
        }

        /// The value as a share of the range, above for the worse.
        var burden: Double? {
            guard let range = series.scale.range, let isWorse = series.scale.higherIsWorse,
                let last = change.last.score.value, range.upperBound > range.lowerBound
            else { return nil }
            let share = (last - range.lowerBound) / (range.upperBound - range.lowerBound)
            return isWorse ? share : 1 - share
        }
    }

    var id: ID<Therapy> { therapy.id }
    var codename: String { therapy.codename }
    var isRunning: Bool { therapy.endedAt == nil }
    var isSilent: Bool { isRunning && (silentDays ?? 0) >= Int(TodayPages.silentDays) }
    var isWorse: Bool { isRunning && lead?.verdict == .deteriorated }
    var isWithoutAppointment: Bool { isRunning && next == nil }
}
