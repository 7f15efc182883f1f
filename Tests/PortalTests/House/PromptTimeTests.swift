import Database
import Foundation
import HTTP
import JSON
import Records
import Testing
import Wire

@testable import Delivery
@testable import Portal
@testable import PortalTesting
@testable import Scheduling
@testable import Therapies
@testable import Web

/// FD-24: a random prompt must not be expected. Its minute is in the data that devices fetch to prompt at it, and
/// nowhere else before it has come.
@Suite struct PromptTimeTests {
    let portal: TestPortal
    let desk: StudyDesk
    let study: String
    /// Sunday, 22 November 2026.
    static let day = LocalDate("2026-11-22")!
    static let zone = Zone("Europe/Vienna")
    var pia: ID<Therapy> { portal.cast.therapies[.pia] ?? "" }

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        study = desk.begin()
        // On devices of their own, where a plan is kept.
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            _ = try connection.run(
                "UPDATE credentials SET stays_until = 4000000000000 WHERE kind = 'session'")
        }
        let daily = try portal.publish("intersession-daily")
        try portal.publish("wellbeing-5")
        for (period, clock) in ["09:12", "14:37", "17:53"].enumerated() {
            let opens = Self.at(clock)
            let window = DailyPlan.Window(
                day: Self.day, period: period, opens: opens, closes: opens.adding(seconds: 1800))
            let id: ID<Assignment> = portal.services.chance.id()
            try portal.services.records.writeUnaudited(.madeUp) { [pia] connection in
                try DailyStore.insert(
                    window, id: id, therapy: pia, questionnaire: ID(daily), zone: "Europe/Vienna",
                    at: Cast.now, connection)
            }
        }
    }

    private static func at(_ clock: String) -> Instant {
        let time = ClockTime(clock)!
        return zone.instant(day, hour: time.minutes / 60, minute: time.minutes % 60)
    }

    private func clock(_ at: Instant) -> String {
        let local = LocalTime(at, Self.zone)
        return ClockTime(minutes: local.hour * 60 + local.minute).text
    }

    private func go(to moment: Instant) throws {
        portal.wait(seconds: moment.seconds - portal.now.seconds)
        try portal.wait(awake: 0)
    }

    private func moments(_ path: String, _ name: String, as person: Person) -> [Instant] {
        portal.call(.get, path, as: person).list.compactMap { entry in
            entry["attributes"]?[name]?.string.flatMap { Instant($0) }
        }
    }

    private static let random =
        #", "is_schedule_changeable": true, "schedules": [{"type": "between", "amount": 4, "every": 1, "unit": "day", "start": "09:00", "end": "21:00", "start_day": 0}]"#

    /// What comes today yet. Times on the pages of the cast are those of its clock, on the five minutes, as no secret is here; a
    /// prompt of this very minute is none either, as a page may fill a field with the time that it is.
    private func secrets() -> Set<Instant> {
        let today = LocalTime(portal.now, Self.zone).date
        let all =
            moments("/my/dailies?days=1", "available_from", as: .pia)
            + [.pia, .nora].flatMap { moments("/my/notifications", "fires_at", as: $0) }
        return Set(
            all.filter { at in
                let local = LocalTime(at, Self.zone)
                return at.seconds / 60 > portal.now.seconds / 60 && local.date == today
                    && local.minute % 5 != 0
            })
    }

    /// Every page of a person, by its routes and by following links, and what leaves the house beside them.
    private func everything() throws -> [(place: String, text: String)] {
        var all: [(place: String, text: String)] = []
        let people: [Person] = [.pia, .nora, .ada, .lena, .uma]
        let excepted = ["/my/offline/plan"]
        for person in people {
            for route in Routes.all.list where route.method == .get && route.surface == .portal {
                let path = AccessMatrixTests.path(of: route, portal.cast)
                if excepted.contains(path) { continue }
                let answer = portal.get(path, as: person)
                if answer.status == 200 || answer.status == 409 {
                    all.append(("\(path) of \(person)", answer.text))
                }
            }
            let own = person == .pia || person == .nora
            let starts =
                own
                ? ["/my", "/my/more", "/my/notices"]
                : ["/", "/patients/\(pia)/deliveries?dailies=true", "/studies/\(study)"]
            let crawl = Crawl(portal, as: person, from: starts, limit: 120)
            // The prompts of an enrolment made now: a preview, of no person.
            let told = crawl.pages.filter {
                $0.key.firstMatch(of: /^\/studies\/.*\/questionnaires\/./) == nil
            }
            all += told.map { ("\($0.key) of \(person)", $0.value) }
        }
        for person in [Person.pia, .nora] {
            // What is not open yet has a page, too.
            for entry in portal.call(.get, "/my/assignments", as: person).list
                + portal.call(.get, "/my/dailies", as: person).list
            {
                let id = entry["attributes"]?["assignment_id"]?.string ?? entry["id"]?.string ?? ""
                let answer = portal.get("/my/assignments/\(id)", as: person)
                all.append(("assignment of \(person)", answer.text))
            }
            all.append(("overview", portal.call(.get, "/my/overview", as: person).text))
        }
        let page = portal.get("/profile", as: .ada).text
        if let feed = page.firstMatch(of: /\/calendar\/[A-Za-z0-9_-]{43}\.ics/)?.output {
            all.append(("the feed", portal.get(String(feed), as: .nobody).text))
        }
        let ledger = "/patients/\(pia)/deliveries?dailies=true"
        all.append(("the ledger", portal.call(.get, ledger, as: .ada).text))
        all += try portal.mails().map { ("a mail", $0) }
        return all + [("the log", portal.logged.joined(separator: "\n"))]
    }

    @Test func `FD-24 before a random prompt no page, mail or feed has its minute, and after it they may`()
        throws
    {
        _ = desk.add("wellbeing-5", to: study, Self.random)
        for person in [Person.pia, .nora] { #expect(desk.enrol(person, in: study).status == 201) }
        #expect(portal.post("/profile/calendar", as: .ada).status == 303)
        for before in ["07:30", "09:11", "14:36"] {
            try go(to: Self.at(before))
            let secrets = secrets()
            #expect(secrets.count > 1, "\(before)")
            let seen = try everything()
            #expect(seen.count > 150, "\(seen.count)")
            for secret in secrets {
                let words = [clock(secret), String(secret.text.prefix(16)), String(secret.seconds)]
                for (place, whole) in seen {
                    // Prompts of the days before may have come at the same minute.
                    let text = whole.replacing(/(?:[01]\d|2[01])\.11\.2026, \d\d:\d\d/, with: "")
                    // Forms begin with the present time as it is here, which a later prompt may have in Greenwich.
                    for word in words where word != "2026-11-22T\(before)" && text.contains(word) {
                        Issue.record("\(word) in \(place) at \(before)")
                    }
                }
            }
            let today = portal.get("/my", as: .nora).text
            #expect(today.contains(#"<p class="mute">später heute</p>"#), "\(before)")
        }
        try go(to: Self.at("14:38"))
        let staff = portal.get("/patients/\(pia)/deliveries?dailies=true", as: .ada).text
        #expect(staff.contains("heute 14:37") && staff.contains("heute 09:12") && !staff.contains("17:53"))
        #expect(portal.get("/my", as: .pia).text.contains("15:07"))
    }

    @Test func `FD-24 own times and fixed ones keep their minute`() throws {
        let item = desk.add("wellbeing-5", to: study, Self.random)
        try portal.publish("tinnitus-moment")
        _ = desk.add("tinnitus-moment", to: study, StudyDesk.daily("19:41"))
        #expect(desk.enrol(.nora, in: study).status == 201)
        let own = #"{"option": "custom", "amount": 1, "times": [{"at": "11:01"}]}"#
        let chosen = portal.call(
            .put, "/my/questionnaires/\(item)/notification-plan", own, as: .nora)
        #expect(chosen.status == 200, "\(chosen.text)")
        try go(to: Self.at("07:30"))
        let today = portal.get("/my", as: .nora).text
        #expect(today.contains("ab heute 11:01") && today.contains("ab heute 19:41"))
        #expect(today.contains("Das Nächste kommt heute 11:01.") && !today.contains(">später heute<"))
        // Of the two, what a window of one's own has drawn stays unsaid.
        let both = #"{"option": "both", "amount": 1, "times": [{"at": "23:02"}]}"#
        #expect(
            portal.call(.put, "/my/questionnaires/\(item)/notification-plan", both, as: .nora).status == 200)
        #expect(portal.get("/my", as: .nora).text.contains(">später heute<"))
        try go(to: Self.at("22:30"))
        #expect(portal.get("/my", as: .nora).text.contains("ab heute 23:02"))
    }

    @Test func `FD-24 a baseline that is open until its next random prompt does not tell when that comes`()
        throws
    {
        let once = Self.random.replacing(#""amount": 4"#, with: #""amount": 1"#)
        _ = desk.add("wellbeing-5", to: study, once + #", "is_onetime": true, "baseline": "required""#)
        #expect(desk.enrol(.nora, in: study).status == 201)
        try go(to: Self.at("22:00"))
        let waiting = portal.call(.get, "/my/assignments", as: .nora).list.first
        let due = try #require(
            waiting?["attributes"]?["due_at"]?.string.flatMap { Instant($0) })
        #expect(LocalTime(due, Self.zone).date == Self.day.adding(days: 1))
        let id = waiting?["id"]?.string ?? ""
        for path in ["/my", "/my/assignments/\(id)"] {
            let page = portal.get(path, as: .nora).text
            #expect(page.contains("is zur nächsten Abfrage") && !page.contains(clock(due)), "\(path)")
        }
        // Not as a number of minutes either.
        try go(to: due.adding(seconds: -1200))
        #expect(!portal.get("/my", as: .nora).text.contains("noch 2"))
    }

    @Test func `FD-24 what a phone asks by has the minutes still`() throws {
        try go(to: Self.at("07:30"))
        let dailies = moments("/my/dailies?days=1", "available_from", as: .pia).map(clock)
        #expect(Array(dailies.prefix(3)) == ["09:12", "14:37", "17:53"])
        #expect(moments("/my/notifications", "fires_at", as: .pia).contains(Self.at("14:37")))
        let plan =
            portal.get(
                "/my/offline/plan", as: .pia, ["Accept": "application/json"]
            ).json["entries"]?.array ?? []
        let entry = plan.first { $0["from"]?.number == Double(Self.at("14:37").milliseconds) }
        #expect(entry?["isFromRandom"] == .bool(true) && entry?["isDueRandom"] == .bool(false))
        let given = plan.first { $0["target"]?["assignment"]?.string == portal.cast.assignment }
        #expect(given == nil || given?["isFromRandom"] == .bool(false))
    }

    @Test(arguments: [
        (#"["when": dates.short(record.availableFrom)]"#, true), ("c.dates.time(one.dueAt)", true),
        ("c.dates.dayAndTime(window.opens.at)", true), ("texts.when(record.opens, dates)", false),
        ("c.dates.short(record.assignedAt)", false), ("record.availableFrom <= c.now", false),
    ])
    func `FD-24 a page that writes the time of a prompt by itself breaks the rules of the house`(
        code: String, isBroken: Bool
    ) {
        #expect(PromptTimeRule.isBroken(by: code) == isBroken)
    }
}
