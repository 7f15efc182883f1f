import Database
import HTTP
import Identity
import Records
import Rules
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// The head of every page about a patient, of any area: the patient of the open file (PR-7).
enum PatientBarReader {
    static let read: Routes.PatientBar = { request, person, services, language, now, connection in
        guard request.path.count > 1, request.path[0] == "patients",
            let id = ID<Therapy>(uuid: request.path[1]),
            let (therapy, mayName) = try opened(id, by: person.account, now, connection)
        else { return nil }
        let texts = services.texts(language)
        let dates = DateFormat(texts, Zone(services.timezone), now: now)
        let name = PatientName(
            codename: therapy.codename, alias: mayName ? try therapy.alias(services.keys) : nil)
        let sessions = try SessionStore.list(of: therapy, dates.zone, now: now, connection)
        let next = sessions.next(after: now)
        let waiting = try AlertStore.waiting(in: id, connection)
        // The neighbours of the day are the therapist's own patients.
        let isOwn = therapy.therapistID == person.account.id
        let (previous, following) =
            !isOwn
            ? (nil, nil)
            : try neighbours(
                of: therapy, on: next.map { LocalTime($0.session.startsAt, dates.zone).date }, dates.zone,
                now,
                connection)
        let neighbour = { (therapy: Therapy?) in
            try therapy.map { other in
                let name = try other.name(for: person.account, services.keys)
                return Layout.PatientBar.Neighbour(
                    name: name.alias ?? name.codename, path: "/patients/\(other.id)/briefing")
            }
        }
        return Layout.PatientBar(
            path: "/patients/\(id)", codename: name.codename, alias: name.alias,
            session: next.map { entry in
                let number = sessions.comingNumber(of: entry).map { texts["bar.session", ["n": String($0)]] }
                return Fact(
                    label: number ?? texts["bar.next_session"], value: dates.short(entry.session.startsAt))
            },
            pause: try pause(of: therapy, dates, texts, connection),
            alerts: waiting > 0 ? texts.count("alerts.count", waiting) : nil,
            alertsPath: "/alerts?patient=\(id)",
            previous: try neighbour(previous), following: try neighbour(following))
    }

    /// The reader's own patient, or one that is shared.
    private static func opened(
        _ id: ID<Therapy>, by reader: AccountRecord, _ now: Instant, _ connection: borrowing Connection
    ) throws -> (Therapy, mayName: Bool)? {
        guard reader.roles.contains(.therapist) else { return nil }
        if let therapy = try TherapyStore.find(id, of: reader.id, connection) {
            return (therapy, therapy.mayNameTo(reader))
        }
        let shared = try SharingStore.find(id, with: reader.id, now: now, connection)
        return shared.map { ($0.therapy, $0.standing.knowsAlias && !reader.hidesNames) }
    }

    private static func pause(
        of therapy: Therapy, _ dates: DateFormat, _ texts: Texts, _ connection: borrowing Connection
    ) throws -> String? {
        guard therapy.endedAt == nil else { return nil }
        let current = try PauseStore.all(for: therapy, connection).filter {
            $0.startsOn <= dates.today && dates.today <= $0.endsOn
        }
        return current.map(\.endsOn).max().map { texts["bar.pause", ["day": dates.numericDay($0)]] }
    }

    /// The patients with sessions before and after this one's on the same day, for going from briefing to briefing.
    private static func neighbours(
        of therapy: Therapy, on day: LocalDate?, _ zone: Zone, _ now: Instant,
        _ connection: borrowing Connection
    ) throws -> (Therapy?, Therapy?) {
        guard let day else { return (nil, nil) }
        let visits = try DayPlan(
            on: day, of: therapy.therapistID, zone, now: now, connection)
        guard let place = visits.order.firstIndex(of: therapy.id) else { return (nil, nil) }
        let find = { (index: Int, connection: borrowing Connection) -> Therapy? in
            guard visits.order.indices.contains(index) else { return nil }
            return try TherapyStore.find(visits.order[index], of: therapy.therapistID, connection)
        }
        return (try find(place - 1, connection), try find(place + 1, connection))
    }
}

/// A therapist's patients of a day, in order.
struct DayPlan {
    /// Each patient once, by their first session of the day that is not off.
    let order: [ID<Therapy>]

    init(
        on day: LocalDate, of therapist: ID<Account>, _ zone: Zone, now: Instant,
        _ connection: borrowing Connection
    ) throws {
        let from = zone.instant(day, hour: 0, minute: 0)
        let until = zone.instant(day.adding(days: 1), hour: 0, minute: 0)
        let sessions = try SessionStore.all(ofTherapist: therapist, from: from, until: until, connection)
        let visits = sessions.flatMap { therapy, list in
            list.filter { session in
                let state = session.state(at: now)
                return session.startsAt >= from && session.startsAt < until
                    && (state == .planned || state == .held)
            }.map { (at: $0.startsAt, therapy: therapy) }
        }
        var seen: Set<ID<Therapy>> = []
        order = visits.sorted { ($0.at, $0.therapy) < ($1.at, $1.therapy) }.map(\.therapy).filter {
            seen.insert($0).inserted
        }
    }
}
