import Contributions
import Database
import Delivery
import Identity
import Instruments
import Pairing
import Psychometrics
import Questionnaires
import Records
import Rules
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// Gathers the list of patients by a fixed number of statements, from stored scores alone (PR-34).
enum CaseloadReader {
    /// For how many days the share of answers is counted, today included.
    static let askedDays = 14
    /// Sessions are planned for two years at most.
    private static let comingDays: Int64 = 731

    static func read(
        _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> [CaseloadEntry] {
        let therapist = c.proof.account.id
        let zone = c.dates.zone
        let therapies = try TherapyStore.caseload(of: therapist, connection)
        if therapies.isEmpty { return [] }
        let codes = try PairingStore.current(ofTherapist: therapist, connection)
        let sessions = try SessionStore.all(
            ofTherapist: therapist, from: c.now, until: c.now.adding(days: comingDays), connection)
        let series = try LeadScales.abridged(
            of: therapies, zone: zone, c.services.questionnaires, connection)
        let first = c.dates.today.adding(days: 1 - askedDays)
        let dailies = try AskedStore.dailies(
            ofTherapist: therapist, from: first, until: c.now, zone: zone, connection)
        let sheets = try AskedStore.questionnaires(
            ofTherapist: therapist, from: zone.instant(first, hour: 0, minute: 0), until: c.now, connection)
        let phoned = try PhoneContactStore.last(of: therapist, connection)
        let unseen = try AlertStore.unseen(ofTherapist: therapist, connection)
        return try therapies.map { therapy in
            let code = codes[therapy.id]
            let state = PatientState(therapy, code, now: c.now)
            var asked = sheets[therapy.id] ?? AskedStore.Count()
            for day in dailies[therapy.id]?.values.map(\.self) ?? [] {
                asked.answered += day.answered
                asked.asked += day.asked
            }
            let last = therapy.pairedAt.map { paired in
                max(therapy.lastActivityAt ?? paired, phoned[therapy.id] ?? paired)
            }
            let mayName = therapy.mayNameTo(c.proof.account)
            return CaseloadEntry(
                therapy: therapy, alias: try therapy.name(for: c.proof.account, c.keys).alias,
                note: mayName ? try therapy.note(c.keys) : nil, state: state,
                codeExpires: state == .codeOpen ? code?.expiresAt : nil,
                next: sessions[therapy.id]?.first { $0.isComing(at: c.now) }?.startsAt,
                lead: lead(series[therapy.id]?.first, of: therapy, zone), asked: asked, lastSign: last,
                silentDays: last.map { Int(max(0, c.now.seconds - $0.seconds) / 86_400) },
                unseen: unseen[therapy.id] ?? 0)
        }
    }

    private static func lead(
        _ series: ScaleSeries?, of therapy: Therapy, _ zone: Zone
    ) -> CaseloadEntry.Lead? {
        guard let series,
            let change = ScoreChange(series, startedOn: therapy.startedOn, since: nil, zone: zone)
        else { return nil }
        let verdict = change.begin?.score.value.flatMap { first in
            change.last.score.value.flatMap { ClinicalChange(series.scale, from: first, to: $0) }
        }
        return CaseloadEntry.Lead(series: series, change: change, verdict: verdict)
    }
}
