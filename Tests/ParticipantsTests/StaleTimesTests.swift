import Foundation
import HTTP
import JSON
import Testing

@testable import Participants
@testable import PortalTesting
@testable import Records
@testable import Studies
@testable import Web

/// RP-201: own times of a study's prompts, chosen in two tabs.
@Suite struct StaleTimesTests {
    private let portal: TestPortal
    private let item: String
    private let path: String

    init() throws {
        portal = try TestPortal()
        let desk = StudyDesk(portal: portal)
        let study = desk.begin()
        item = desk.add(
            "between-sessions", to: study, StudyDesk.daily("10:00") + #", "is_schedule_changeable": true"#)
        _ = desk.enrol(.pia, in: study)
        path = "/my/studies/\(study)/questionnaires/\(item)/times"
    }

    private func tab(_ typed: [String: String]) throws -> [(String, String)] {
        try #require(FilledForm.read(portal.get(path, as: .pia).text, action: path, typed: typed)).fields
    }

    private var times: [String] {
        let plan = portal.call(.get, "/my/questionnaires/\(item)/notification-plan", as: .pia).attributes
        return plan["times"]?.array?.map { time in
            let day = time["weekday"]?.number.map { "\(Int($0)) " } ?? ""
            return day + (time["at"]?.string ?? "") + (time["fixed"] == .bool(true) ? " fixed" : "")
        } ?? []
    }

    private func set(_ times: String) {
        let plan = #"{"option": "custom", "times": [\#(times)]}"#
        let answer = portal.change(.put, "/my/questionnaires/\(item)/notification-plan", plan, as: .pia)
        #expect(answer.status == 200, "\(answer.text)")
    }

    @Test func `RP-201 times that were added elsewhere stay, however many`() throws {
        set(#"{"at": "08:00"}"#)
        let earlier = try tab(["windows.0.from": "07:00"])
        set(
            #"{"at": "08:00"}, {"at": "09:00"}, {"at": "11:00", "weekday": 2}, {"at": "12:00", "fixed": true}, {"at": "13:00", "weekday": 3}"#
        )
        let all = ["08:00", "09:00", "2 11:00", "12:00 fixed", "3 13:00"]
        #expect(times == all)
        #expect(portal.post(path, earlier, as: .pia).status == 303)
        #expect(times == all)
        let plan = portal.call(.get, "/my/questionnaires/\(item)/notification-plan", as: .pia).attributes
        #expect(plan["windows"]?.array?.first?["from"] == .string("07:00"))
    }

    @Test func `RP-201 a time that was taken out elsewhere stays out, and its neighbour keeps its kind`()
        throws
    {
        set(#"{"at": "08:00", "fixed": true}, {"at": "12:00", "weekday": 2}"#)
        let earlier = try tab(["windows.0.till": "21:30"])
        set(#"{"at": "12:00", "weekday": 2}"#)
        #expect(portal.post(path, earlier, as: .pia).status == 303)
        #expect(times == ["2 12:00"])
    }

    @Test func `RP-201 one time changed in two tabs is shown with both`() throws {
        set(#"{"at": "08:00"}"#)
        let (one, two) = (try tab(["times.0.at": "08:30"]), try tab(["times.0.at": "09:30"]))
        #expect(portal.post(path, one, as: .pia).status == 303)
        let answer = portal.post(path, two, as: .pia)
        #expect(answer.status == 412 && answer.text.contains("08:30") && answer.text.contains("09:30"))
        #expect(times == ["08:30"])
        let again = try #require(FilledForm.read(answer.text, action: path)).fields
        #expect(portal.post(path, again, as: .pia).status == 303)
        #expect(times == ["09:30"])
    }

    @Test func `RP-201 a time typed behind others that were taken out elsewhere is asked about`() throws {
        set(#"{"at": "08:00"}, {"at": "09:00"}, {"at": "11:00"}"#)
        let earlier = try tab(["times.4.at": "20:00"])
        set(#"{"at": "08:00"}"#)
        let asked = portal.post(path, earlier, as: .pia)
        #expect(asked.status == 412 && asked.text.contains("value=\"20:00\""))
        #expect(times == ["08:00"])
        let again = try #require(
            FilledForm.read(asked.text, action: path, typed: ["times.1.at": "", "times.2.at": ""])
        ).fields
        #expect(portal.post(path, again, as: .pia).status == 303)
        #expect(times == ["08:00", "20:00"])
    }

    @Test func `RP-201 times taken out elsewhere stay out, however many`() throws {
        set(#"{"at": "08:00"}, {"at": "09:00"}, {"at": "10:00"}, {"at": "11:00"}"#)
        let earlier = try tab(["windows.0.from": "07:00"])
        set(#"{"at": "08:00"}"#)
        #expect(portal.post(path, earlier, as: .pia).status == 303)
        #expect(times == ["08:00"])
    }

    @Test func `RP-201 a day that was given to a time does not go to another one in its place`() throws {
        set(#"{"at": "08:00"}, {"at": "12:00"}"#)
        let earlier = try tab(["times.0.weekday": "1"])
        set(#"{"at": "12:00"}"#)
        #expect(portal.post(path, earlier, as: .pia).status == 412)
        #expect(times == ["12:00"])
    }

    @Test func `more times than a page used to show are kept`() throws {
        let clocks = (0..<20).map { "\(String($0 + 1).count < 2 ? "0" : "")\($0 + 1):10" }
        set(clocks.map { #"{"at": "\#($0)"}"# }.joined(separator: ", "))
        #expect(portal.post(path, try tab(["windows.0.from": "07:00"]), as: .pia).status == 303)
        #expect(times == clocks)
    }

    @Test func `of weekly prompts the one time can be chosen, also where the study gives two`() throws {
        let desk = StudyDesk(portal: portal)
        let study = desk.begin(named: "weekly-26")
        let schedules = [(0, "10:00"), (3, "18:00")].map { day, clock in
            #"{"type": "fixed", "at": "\#(clock)", "amount": 1, "every": 1, "unit": "week", "start_day": \#(day)}"#
        }
        let weekly = desk.add(
            "between-sessions", to: study,
            #", "is_schedule_changeable": true, "schedules": [\#(schedules.joined(separator: ", "))]"#)
        #expect(desk.enrol(.pia, in: study).status == 201)
        let page = "/my/studies/\(study)/questionnaires/\(weekly)/times"
        let drawn = portal.get(page, as: .pia)
        let fields = try #require(FilledForm.read(drawn.text, action: page, typed: ["times.0.at": "11:00"]))
            .fields
        let saved = portal.post(page, fields, as: .pia)
        #expect(saved.status == 303, "\(saved.text)")
        let plan = portal.call(.get, "/my/questionnaires/\(weekly)/notification-plan", as: .pia).attributes
        #expect(plan["times"]?.array?.map { $0["at"] } == [.string("11:00")])
    }

    @Test func `RP-201 a time taken out and one kept come back as they were typed`() throws {
        set(#"{"at": "08:00", "fixed": true}, {"at": "12:00"}"#)
        let fields = try tab(["times.0.at": "", "amount": "zwei"])
        let refused = portal.post(path, fields, as: .pia)
        #expect(refused.status == 422)
        let again = try #require(FilledForm.read(refused.text, action: path, typed: ["amount": "2"])).fields
        #expect(portal.post(path, again, as: .pia).status == 303)
        #expect(times == ["12:00"])
    }
}
