import Appointments
import Database
import HTTP
import Identity
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// The sessions of all patients: a week first, with today on top, and the month behind a link (PR-14).
package enum WeekPages {
    /// A day of the week that is shown.
    struct Day: Encodable, Sendable {
        let label: String
        let isToday: Bool
        let isPast: Bool
        /// Whether the therapist is away.
        let isPaused: Bool
        let rows: [SessionRow]
    }
    struct Week: Encodable, Sendable {
        let title: String
        let grid: WeekGrid
        let days: [Day]
        let previous: String
        let next: String
        let current: String?
    }
    /// The month with the lists below it.
    struct Month: Encodable, Sendable {
        let month: MonthGrid
        let coming: [SessionRow]
        let past: AppointmentPages.Past
    }
    package struct All: Page {
        package static let template = "appointments/index"
        package static let section: NavigationItem? = .appointments
        /// Exactly one of week and month is shown.
        let week: Week?
        let inMonth: Month?
        /// The address of the other view.
        let weekPath: String
        let monthPath: String
    }

    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/appointments", .therapist, show)
    }

    private static let path = "/appointments"

    /// The week that holds a day.
    static func address(_ day: LocalDate) -> String {
        "\(path)?week=\(day.adding(days: 1 - day.weekday).text)"
    }

    /// How far away a week may be: as far as a session may be planned, and the years before.
    private static let mostWeeks: Int64 = 1040

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        let query = c.request.query
        let today = c.dates.today
        let monday = { (day: LocalDate) in day.adding(days: 1 - day.weekday) }
        let asked = query["week"].flatMap { LocalDate($0) }.flatMap { day in
            abs(day.daysSince1970 - today.daysSince1970) <= mostWeeks * 7 ? day : nil
        }
        let first = monday(asked ?? today)
        let inMonth = query["month"] != nil || query["page"] != nil
        let page = try c.read { connection -> All in
            let desk = try Desk(c, connection)
            return All(
                week: inMonth ? nil : try desk.week(first), inMonth: inMonth ? try desk.month() : nil,
                weekPath: path, monthPath: "\(path)?month=\((asked ?? today).text.prefix(7))")
        }
        return .page(page)
    }

    /// All sessions of a therapist with their patients.
    private struct Desk {
        let c: Context<Member>
        /// The earliest first.
        let entries: [AppointmentPages.Listed]
        let names: PatientNames
        let pauses: PauseSpans
        let away: AwayDays
        let words: SessionFormatter
        /// The sessions at the same time as another one.
        let atOnce: Set<ID<Session>>

        init(_ c: Context<Member>, _ connection: borrowing Connection) throws {
            self.c = c
            let therapist = c.proof.account.id
            let therapies = try TherapyStore.caseload(of: therapist, connection)
            let sessions = try SessionStore.all(ofTherapist: therapist, connection)
            entries = therapies.flatMap { therapy in
                let list = SessionList(
                    sessions[therapy.id] ?? [], startedOn: therapy.startedOn, zone: c.dates.zone, now: c.now)
                return AppointmentPages.entries(list, of: therapy, c)
            }.sorted { $0.session.session.startsAt < $1.session.session.startsAt }
            atOnce = entries.atOnce()
            pauses = PauseSpans(try PauseStore.own(of: therapist, connection), c.dates.zone)
            // The days of the absences (PR-30) take the place of this line.
            away = try AwayDays(of: therapist, connection)
            words = SessionFormatter(c.texts, c.dates, c.now)
            names = PatientNames(therapies, c)
        }

        private func rows(_ part: [AppointmentPages.Listed], back: String? = nil) throws -> [SessionRow] {
            try part.map { entry in
                let alias = try names[entry.therapy.id]?.alias
                var row = words.row(
                    entry.session, of: entry.therapy, alias: alias, entry.name, nil,
                    canMark: entry.therapy.endedAt == nil, back: back)
                row.isAtOnce = atOnce.contains(entry.session.session.id)
                return row
            }
        }

        /// In the present week past sessions are listed below coming ones.
        func week(_ first: LocalDate) throws -> Week {
            let dates = c.dates
            let today = dates.today
            let isCurrent = first <= today && today < first.adding(days: 7)
            var byDay: [LocalDate: [AppointmentPages.Listed]] = [:]
            for entry in entries {
                byDay[LocalTime(entry.session.session.startsAt, dates.zone).date, default: []].append(entry)
            }
            let days = try (0..<7).map { offset in
                let day = first.adding(days: offset)
                return Day(
                    label: dates.weekday(dates.zone.instant(day, hour: 12, minute: 0)), isToday: day == today,
                    isPast: day < today,
                    isPaused: away.contains(day),
                    rows: try rows(byDay[day] ?? [], back: isCurrent ? path : address(first)))
            }
            let ordered = isCurrent ? days.filter { !$0.isPast } + days.filter(\.isPast) : days
            return Week(
                title: c.texts[
                    "appointments.week_of",
                    ["from": dates.numericDay(first), "until": dates.numericDate(first.adding(days: 6))]],
                grid: try grid((0..<7).map { first.adding(days: $0) }, byDay), days: ordered,
                previous: address(first.adding(days: -7)),
                next: address(first.adding(days: 7)), current: isCurrent ? nil : path)
        }

        private func grid(
            _ days: [LocalDate], _ byDay: [LocalDate: [AppointmentPages.Listed]]
        ) throws -> WeekGrid {
            var places: [LocalDate: [WeekGrid.Place]] = [:]
            for day in days {
                places[day] = try (byDay[day] ?? []).map { entry in
                    words.place(
                        entry, alias: try names[entry.therapy.id]?.alias,
                        isAtOnce: atOnce.contains(entry.session.session.id))
                }
            }
            return WeekGrid(days, places: places, away: away, c.texts, c.dates)
        }

        func month() throws -> Month {
            let coming = entries.filter { $0.session.session.endsAt > c.now }.prefix(AppointmentPages.listed)
            return Month(
                month: try AppointmentPages.month(entries, path: path, pauses, c) { entry in
                    let name = try names[entry.therapy.id]
                    let label = name?.alias ?? entry.therapy.codename
                    return words.visit(entry.session, label: label, patient: entry.therapy.id)
                },
                coming: try rows(Array(coming)),
                past: try AppointmentPages.past(entries, path: path, c) { try rows($0) })
        }
    }
}
