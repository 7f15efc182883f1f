import Accounts
import Contributions
import Database
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// Safety counts of one therapist's running therapies, from one therapy on: no answers, no patients (PR-33).
struct TherapistFigures: Sendable {
    let therapist: ID<Account>
    let name: String
    var running = 0
    /// Answers that have to be seen and were not for longer than `unseenHours`.
    var unseen = 0
    /// The earliest absence with a day without cover.
    var gap: (absence: AbsenceRecord, day: LocalDate)?
    /// Therapies without a session for `sessionWeeks`.
    var withoutSession = 0

    /// As long as until a mail about them; a day where none is sent.
    static func unseenHours(_ services: Services) -> Int {
        services.clinic.now.record.unseenMailHours ?? 24
    }
    static let sessionWeeks: Int64 = 4

    /// By name, never by a count; therapists without a running therapy are left out.
    static func all(
        _ therapies: [Therapy], _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> [TherapistFigures] {
        let late = try ContributionStore.unseenCounts(
            receivedBefore: c.now.adding(seconds: -Int64(unseenHours(c.services)) * 3600), connection)
        return try Dictionary(grouping: therapies, by: \.therapistID).map { therapist, own in
            var sum = TherapistFigures(
                therapist: therapist, name: try TherapistStore.name(of: therapist, c.keys, connection))
            sum.running = own.count
            sum.unseen = late[therapist] ?? 0
            for absence in try AbsenceStore.all(of: therapist, notOverOn: c.dates.today, connection)
            where sum.gap == nil {
                let gap = try AbsenceStore.gap(in: absence, today: c.dates.today, connection)
                sum.gap = gap.map { (absence, $0.day) }
            }
            let edge = c.now.adding(days: -7 * sessionWeeks)
            let sessions = try SessionStore.all(
                ofTherapist: therapist, from: edge, until: c.now, connection)
            sum.withoutSession = own.count { therapy in
                therapy.createdAt < edge
                    && !(sessions[therapy.id] ?? []).contains {
                        $0.startsAt >= edge && $0.state(at: c.now) == .held
                    }
            }
            return sum
        }.sorted(byName: \.name, then: \.therapist)
    }
}
