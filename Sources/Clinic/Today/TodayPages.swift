import Accounts
import Contributions
import Database
import Delivery
import HTTP
import Identity
import Instruments
import Intake
import Pairing
import Records
import Rules
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// The day as an inbox (PR-9): answers to be seen, sessions, news, waiting items.
package enum TodayPages {
    static func routes(_ routes: inout Routes) {
        routes.badge(.today) { account, now, connection in
            try RiskReader.waiting(for: account, now: now, connection)
        }
        routes.page(.get, "/", .account, show)
        // What people type; `/` knows where it leads each of them.
        routes.page(.get, "/today", .anyone) { _ in .seeOther("/") }
    }

    private static let mostAlerts = 6

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        guard c.proof.account.roles.contains(.therapist) else {
            return .seeOther(NextPath.home(of: c.proof.account))
        }
        let (page, files, shared) = try c.read { connection in
            let shared = try SharingStore.all(with: c.proof.account.id, now: c.now, connection)
            let (page, files) = try make(shared, c, connection)
            return (page, files, shared)
        }
        c.noteVisits(of: files, to: "today", as: shared.standings)
        return .page(page)
    }

    /// The page, and the files that it shows data of.
    private static func make(
        _ shared: [SharedTherapy], _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> (Show, [ID<Therapy>]) {
        let therapist = c.proof.account.id
        let day = c.request.query["day"].flatMap { LocalDate($0) } ?? c.dates.today
        let isToday = day == c.dates.today
        let therapies = try TherapyStore.caseload(of: therapist, connection)
        let names = PatientNames(therapies, c)
        let reader = DayReader(therapies, names, c)
        let next = isToday ? try reader.next(after: day, connection) : nil
        let visits = try reader.visits(on: [day] + (next.map { [$0] } ?? []), isDrawn: true, connection)
        let sessions = visits[0]
        let following = visits.dropFirst().flatMap(\.self)
        let news = NewsView(
            isToday ? try NewsReader(therapies, names, c).read(connection) : [],
            isWhole: c.request.query["news"] == "all", c.texts, now: c.now)
        let waiting = try QuarantineStore.waiting(ofTherapist: therapist, connection)
        let codes = try PairingStore.current(ofTherapist: therapist, connection)
        let risks = try RiskReader.all(shared, c, connection)
        let allBundles = try AlertBundle.waiting(besides: risks, c, connection)
        let standIns = isToday ? try StandIn.all(shared, alerts: allBundles, c, connection) : []
        // Alerts of covered patients stand with their sessions.
        let covered = Set(standIns.flatMap(\.alerts).map(\.id))
        let bundles = allBundles.filter { !covered.contains($0.newest.id) }
        let open = try lines(codes, therapies, names, c)
        let resting = isToday ? try RestingUse.all(c, connection) : []
        let zone = c.dates.zone
        let page = Show(
            day: c.dates.weekday(zone.instant(day, hour: 12, minute: 0)),
            sessionCount: reader.count(sessions),
            isToday: isToday,
            week: try reader.week(of: day, connection), risks: risks, hasRisks: !risks.isEmpty,
            openings: try EmergencyNews.all(among: therapies, names, c, connection),
            sessions: sessions,
            next: next.map {
                Show.NextDay(label: c.dates.weekday(zone.instant($0, hour: 12, minute: 0)), visits: following)
            }, news: news,
            held: try held(waiting, names, c),
            alerts: try bundles.prefix(mostAlerts).map { try row($0, names, c) }, hasAlerts: !bundles.isEmpty,
            moreAlerts: bundles.count > mostAlerts
                ? c.texts.count("today.more_alerts", bundles.count - mostAlerts) : nil,
            devices: try devices(names, c, connection), silent: try silent(therapies, names, c, connection),
            files: try kept(c, connection),
            codes: open, hasCodes: !open.isEmpty, hasPatients: !therapies.isEmpty || !shared.isEmpty,
            resting: resting, hasResting: !resting.isEmpty,
            welcome: try Welcome.banner(for: c.proof.account, c, connection),
            absence: try AbsenceLine.read(c, connection), standIns: standIns,
            handOvers: isToday ? try HandOverLine.all(c, connection) : [])
        let files =
            sessions.map(\.id) + following.map(\.id) + news.files + waiting.map(\.therapy)
            + risks.map(\.patient) + RestingUse.files(resting)
            + bundles.prefix(mostAlerts).map(\.newest.firing.therapyID) + standIns.flatMap(\.files)
        return (page, files)
    }

    private static func row(
        _ bundle: AlertBundle, _ names: PatientNames, _ c: Context<Member>
    ) throws -> Show.Waiting {
        let patient = bundle.newest.firing.therapyID
        return Show.Waiting(
            id: bundle.newest.id, grade: bundle.grade.words(c.texts), tone: bundle.grade.tone,
            codename: bundle.alert.codename, alias: try names[patient]?.alias, path: "/patients/\(patient)",
            title: bundle.alert.title, reason: bundle.alert.reason,
            repeated: bundle.repeated(c.texts, c.dates))
    }

    /// Dailies that are not fetched are a fault of the device (PR-10).
    private static func devices(
        _ names: PatientNames, _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> Show.Held? {
        let found = try UnreachedStore.all(ofTherapist: c.proof.account.id, at: c.now, connection)
        if found.isEmpty { return nil }
        return Show.Held(
            lines: try found.map { entry in
                let name = try names[entry.therapy]
                return Show.Line(
                    when: "", path: "/patients/\(entry.therapy)/deliveries",
                    codename: name?.codename ?? "", alias: name?.alias,
                    text: c.texts[
                        "today.unreached",
                        [
                            "day": c.dates.shortDay(LocalTime(entry.since, c.dates.zone).date),
                            "n": String(entry.count),
                        ]])
            })
    }

    private static func held(
        _ waiting: [(codename: String, therapy: ID<Therapy>, count: Int)], _ names: PatientNames,
        _ c: Context<Member>
    ) throws -> Show.Held? {
        if waiting.isEmpty { return nil }
        return Show.Held(
            lines: try waiting.map { entry in
                Show.Line(
                    when: "", path: "/patients/\(entry.therapy)/quarantine", codename: entry.codename,
                    alias: try names[entry.therapy]?.alias,
                    text: c.texts.count("quarantine.waiting", entry.count))
            })
    }

    static let silentDays: Int64 = 7

    /// The longest silent first.
    private static func silent(
        _ therapies: [Therapy], _ names: PatientNames, _ c: Context<Member>,
        _ connection: borrowing Connection
    ) throws -> Show.Held? {
        let phoned = try PhoneContactStore.last(of: c.proof.account.id, connection)
        let edge = c.now.adding(days: -silentDays)
        let quiet = therapies.compactMap { therapy -> (therapy: Therapy, since: Instant)? in
            guard therapy.endedAt == nil, let paired = therapy.pairedAt else { return nil }
            // A patient reached by phone does not count as silent (PR-26).
            let last = max(therapy.lastActivityAt ?? paired, phoned[therapy.id] ?? paired)
            return last < edge ? (therapy, last) : nil
        }
        if quiet.isEmpty { return nil }
        return Show.Held(
            lines: try quiet.sorted { $0.since < $1.since }.prefix(8).map { entry in
                let days = Int((c.now.seconds - entry.since.seconds) / 86_400)
                return Show.Line(
                    when: c.dates.day(entry.since), path: "/patients/\(entry.therapy.id)",
                    codename: entry.therapy.codename, alias: try names[entry.therapy.id]?.alias,
                    text: c.texts.count("today.silent_days", days))
            })
    }

    private static func lines(
        _ codes: [ID<Therapy>: PairingCodeRecord], _ therapies: [Therapy], _ names: PatientNames,
        _ c: Context<Member>
    ) throws -> [Show.Line] {
        let open = therapies.compactMap { therapy in codes[therapy.id].map { (therapy, $0) } }
            .filter {
                PatientState($0.0, $0.1, now: c.now) == .codeOpen
                    || PatientState($0.0, $0.1, now: c.now) == .codeExpired
            }
        return try open.sorted { $0.1.expiresAt < $1.1.expiresAt }.map { therapy, code in
            let key = code.isLive(at: c.now) ? "today.code_until" : "today.code_expired"
            return Show.Line(
                when: "", path: therapy.path, codename: therapy.codename,
                alias: try names[therapy.id]?.alias,
                text: c.texts[key, ["day": c.dates.day(code.expiresAt)]])
        }
    }

    /// Files kept of patients that left; nil when there are none.
    private static func kept(
        _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> Show.Held? {
        let files = try KeptFileStore.all(of: c.proof.account.id, at: c.now, connection)
        if files.isEmpty { return nil }
        return Show.Held(
            lines: files.map { file in
                Show.Line(
                    when: "", path: "/kept-files/\(file.id)", codename: file.codename, alias: nil,
                    text: c.texts["therapy_file.kept_line", ["day": c.dates.longDay(file.expiresAt)]])
            })
    }
}
