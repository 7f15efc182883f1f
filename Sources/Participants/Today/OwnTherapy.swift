import Accounts
import Agenda
import Appointments
import Database
import Rules
import Scheduling
import Templates
import Therapies
import Web
import Wire
import Wording

/// A running therapy's part of the first page: new interventions, the next session, contacts.
struct OwnTherapy {
    let given: [OwnDayPages.Show.Entry]
    let visit: OwnDayPages.Show.Visit?
    let contact: OwnDayPages.Show.Contact?

    init(
        _ therapy: Therapy, _ items: [AgendaItem], dates: DateFormat, _ c: Context<Member>,
        _ connection: borrowing Connection
    ) throws {
        let card = try TherapistStore.card(of: therapy.therapistID, c.keys, connection)
        let name = card?.fullName ?? c.texts["my.your_therapist"]
        given = try items.compactMap(\.intervention).filter { $0.isFresh(c.now) }
            .map { record in
                OwnDayPages.Show.Entry(
                    title: WrittenText(
                        InterventionTitle(try record.words(try therapy.key(c.keys), c.languages)).line),
                    path: "/my/interventions/\(record.id)", when: dates.short(record.assignedAt),
                    study: nil, hurry: nil, percent: nil,
                    progress: record.kind == .commendation ? nil : c.texts["my.words_stay"])
            }
        let own = items.compactMap(\.appointment).filter { $0.endsAt > c.now }
            .min { $0.startsAt < $1.startsAt }
            .map { (startsAt: $0.startsAt, endsAt: $0.endsAt, isNoted: false) }
        let noted = try NotedSessionStore.shown(in: therapy.id, at: c.now, connection).first
            .map { (startsAt: $0.startsAt, endsAt: $0.endsAt, isNoted: true) }
        visit = [own, noted].compactMap(\.self).min { $0.startsAt < $1.startsAt }.map { next in
            let times = ["from": dates.time(next.startsAt), "to": dates.time(next.endsAt)]
            return OwnDayPages.Show.Visit(
                day: dates.weekday(next.startsAt), times: c.texts["my.times", times],
                distance: Self.distance(to: next.startsAt, dates, c.texts),
                source: next.isNoted ? c.texts["own_appointments.noted"] : nil)
        }
        contact = card.map { card in
            let phones = [
                ("my.phone", card.profile.phone), ("my.emergency_phone", card.profile.emergencyPhone),
            ]
            return OwnDayPages.Show.Contact(
                name: name,
                phones: phones.compactMap { key, number in
                    number.map { Layout.Phone(label: c.texts[key], number: $0, path: TelephoneLink.path($0)) }
                })
        }
    }
}

extension OwnTherapy {
    /// `heute`, `morgen`, `in 3 Tagen`.
    static func distance(to start: Instant, _ dates: DateFormat, _ texts: Texts) -> String {
        let days = Int(LocalTime(start, dates.zone).date.daysSince1970 - dates.today.daysSince1970)
        return switch days {
        case ...0: texts["my.in_today"]
        case 1: texts["my.in_tomorrow"]
        default: texts["my.in_days", ["n": String(days)]]
        }
    }
}
