import HTTP
import JSON
import Scheduling
import Testing
import Wire

@testable import PortalTesting
@testable import Studies
@testable import Web

/// TYS-6: own windows over midnight, for people on night shift, where the study's questionnaire allows them.
@Suite struct OvernightTests {
    private let portal: TestPortal
    private let desk: StudyDesk
    private let study: String

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        study = desk.begin()
        try portal.publish("wellbeing-5")
    }

    private func begin(allowed: Bool = true) -> String {
        let item = desk.add(
            "wellbeing-5", to: study,
            StudyDesk.daily("12:00") + #", "is_schedule_changeable": true, "allows_overnight": \#(allowed)"#)
        #expect(desk.enrol(.nora, in: study).status == 201)
        return item
    }

    private func plan(_ item: String, _ json: String? = nil) -> Response {
        portal.call(
            json == nil ? .get : .put, "/my/questionnaires/\(item)/notification-plan", json, as: .nora)
    }

    /// The same window on every weekday.
    private static func nights(_ amount: Int, _ from: String = "22:00", _ till: String = "06:00") -> String {
        let windows = (1...7).map { #"{"weekday": \#($0), "from": "\#(from)", "till": "\#(till)"}"# }
        return
            #"{"option": "standard", "amount": \#(amount), "windows": [\#(windows.joined(separator: ", "))]}"#
    }

    private func wait(until text: String) throws {
        portal.wait(seconds: try #require(Instant(text)).seconds - portal.now.seconds)
        try portal.wait(awake: 0)
    }

    private func listed() -> [JSON] {
        portal.call(.get, "/my/assignments", as: .nora).list.filter {
            $0["attributes"]?["source"]?.string == "study"
        }
    }

    @Test func `TYS-6 from after till is exchanged, but where the questionnaire allows the night`() throws {
        let item = begin(allowed: false)
        let told = {
            portal.call(.get, "/my/questionnaires", as: .nora).list.first?["attributes"]?["allows_overnight"]
        }
        #expect(told() == .bool(false))
        #expect(plan(item, Self.nights(4)).status == 200)
        let exchanged = plan(item).attributes["windows"]?.array?.first
        #expect(exchanged?["from"] == .string("06:00") && exchanged?["till"] == .string("22:00"))
        let path = "/studies/\(study)/questionnaires/\(item)"
        #expect(portal.change(.patch, path, #"{"allows_overnight": true}"#, as: .lena).status == 200)
        #expect(told() == .bool(true))
        #expect(plan(item, Self.nights(4)).status == 200)
        let kept = plan(item).attributes["windows"]?.array?.first
        #expect(kept?["from"] == .string("22:00") && kept?["till"] == .string("06:00"))
        // An app that does not know of it leaves it as it is.
        #expect(portal.change(.patch, path, #"{"is_onetime": false}"#, as: .lena).status == 200)
        #expect(told() == .bool(true))
    }

    @Test func `TYS-6 minutes count across midnight, and a night ends before the next one`() {
        let item = begin()
        // Eight hours have room for 31.
        #expect(plan(item, Self.nights(31)).status == 200)
        #expect(plan(item, Self.nights(32)).wrongFields.contains("windows.0"))
        #expect(plan(item, Self.nights(3, "22:00", "21:45")).status == 200)
        let long = plan(item, Self.nights(3, "22:00", "21:46"))
        #expect(long.status == 422 && long.wrongFields.contains("windows.6.till"), "\(long.text)")
        #expect(plan(item, Self.nights(3, "22:00", "22:00")).status == 422)
    }

    @Test func `TYS-6 a prompt of the night belongs to the day it began on, until two hours after its end`()
        throws
    {
        let item = begin()
        #expect(plan(item, Self.nights(4)).status == 200)
        // The night from the 22nd to the 23rd, in Vienna.
        try wait(until: "2026-11-23T05:00:00Z")
        let open = listed().filter { $0["attributes"]?["available_from"]?.string ?? "" < portal.now.text }
        #expect(open.count == 4, "\(open)")
        for one in open {
            #expect(one["attributes"]?["due_at"] == .string("2026-11-23T06:59:59Z"))
            let from = one["attributes"]?["available_from"]?.string ?? ""
            #expect(from >= "2026-11-22T21:00:00Z" && from < "2026-11-23T05:00:00Z")
        }
        // One names its prompt; the other is matched with the last that came.
        #expect(
            desk.answer("wellbeing-5", in: study, as: .nora, assignment: open[0]["id"]?.string).status == 201)
        try wait(until: "2026-11-23T06:59:00Z")
        #expect(desk.answer("wellbeing-5", in: study, as: .nora).status == 201)
        let left = Set(listed().compactMap { $0["id"]?.string })
        #expect(!left.contains(open[3]["id"]?.string ?? "") && left.contains(open[1]["id"]?.string ?? ""))
        try wait(until: "2026-11-23T07:00:00Z")
        #expect(!listed().contains { $0["attributes"]?["available_from"]?.string ?? "" < portal.now.text })
        // Answered and missed ones stand on the same day.
        let days = portal.get("/studies/\(study)/compliance?until=2026-11-23", as: .lena).text
        #expect(days.contains("2/4"), "\(days)")
        // What is filled in later in the day was at will.
        try wait(until: "2026-11-23T12:00:00Z")
        #expect(desk.answer("wellbeing-5", in: study, as: .nora).status == 201)
        let prompted = try (desk.export(study, "json")["occasions"]?.array ?? []).compactMap {
            $0["completed_at"]?.string == nil ? nil : $0["prompted_at"]?.string ?? "-"
        }
        #expect(prompted.count == 3 && prompted.count { $0 == "-" } == 1)
    }

    @Test func `RP-125 times that are moved in the night ask no more than the night's number`() throws {
        let item = begin()
        #expect(plan(item, Self.nights(6)).status == 200)
        try wait(until: "2026-11-23T01:30:00Z")
        let come = listed().compactMap { $0["attributes"]?["available_from"]?.string }.filter {
            $0 > "2026-11-22T20:00:00Z" && $0 < portal.now.text
        }
        #expect(plan(item, Self.nights(6, "22:30", "06:30")).status == 200)
        try wait(until: "2026-11-23T05:40:00Z")
        let night = listed().compactMap { $0["attributes"]?["available_from"]?.string }.filter {
            $0 > "2026-11-22T20:00:00Z" && $0 < "2026-11-23T06:00:00Z"
        }
        #expect(Set(night).isSuperset(of: come) && night.count == 6, "\(come) \(night)")
        let moments = night.compactMap { Instant($0) }.sorted()
        let gaps = zip(moments, moments.dropFirst()).map { $1.seconds - $0.seconds }
        #expect(gaps.allSatisfy { $0 >= 900 }, "\(night)")
        let added = Set(night).subtracting(come)
        #expect(added.allSatisfy { $0 > "2026-11-23T01:30:00Z" && $0 < "2026-11-23T05:30:00Z" }, "\(night)")
    }

    private static let zones = [
        "Europe/Vienna", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "America/Santiago",
        "Pacific/Auckland",
    ]

    /// Over two years in six zones, with the nights in which the clocks change.
    @Test(arguments: zones)
    func `TYS-6 property: every night has its number, its gaps and its window`(_ name: String) throws {
        let zone = Zone(name)
        let zones = ParticipantZones(zone)
        let first = try #require(LocalDate("2027-01-01"))
        let times = NotificationTimes(
            option: .standard, amount: 5,
            windows: (1...7).map {
                .init(
                    weekday: $0, isEnabled: true, from: ClockTime(minutes: 22 * 60),
                    till: ClockTime(minutes: 6 * 60))
            }, times: [])
        let all = Schedule.everyDay.prompts(
            enrolledOn: first, zones, seed: 11, own: times, until: zones.begin(of: first.adding(days: 730)))
        let nights = Dictionary(grouping: all, by: \.day)
        #expect(nights.count == 730)
        for (day, prompts) in nights where day < first.adding(days: 729) {
            let begin = zone.instant(day, hour: 22, minute: 0)
            let end = zone.instant(day.adding(days: 1), hour: 6, minute: 0)
            #expect(prompts.count == 5 && prompts.allSatisfy { $0.at >= begin && $0.at < end }, "\(day.text)")
            #expect(prompts.allSatisfy { $0.dueAt == end.adding(seconds: 2 * 3600 - 1) }, "\(day.text)")
            let gaps = zip(prompts, prompts.dropFirst()).map { $1.at.seconds - $0.at.seconds }
            #expect(gaps.allSatisfy { $0 >= 900 }, "\(day.text)")
            // Any part gives the same moments.
            let part = Schedule.everyDay.prompts(
                enrolledOn: first, zones, seed: 11, own: times, from: begin.adding(seconds: 4 * 3600),
                until: end)
            #expect(part.map(\.at) == prompts.map(\.at).filter { $0 >= begin.adding(seconds: 4 * 3600) })
        }
    }
}
