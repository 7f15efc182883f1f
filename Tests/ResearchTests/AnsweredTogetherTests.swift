import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Web

/// ST-2: two prompts answered within one minute are two answers, marked.
@Suite struct AnsweredTogetherTests {
    private let portal: TestPortal
    private let desk: StudyDesk

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
    }

    @Test func `ST-2 sheets within a minute of another one of their item are marked, others are not`() throws
    {
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study, StudyDesk.daily("10:30", "10:31", "20:00", startDay: 0))
        #expect(desk.enrol(.nora, in: study).status == 201)
        let day = try #require(Instant("2026-11-21T10:00:00Z"))
        portal.wait(seconds: day.seconds - portal.now.seconds)
        try portal.wait(awake: 0)
        for (seconds, isMarked) in [(0, true), (60, true), (121, false), (3600, false)] as [(Int64, Bool)] {
            let completed = day.adding(seconds: seconds - 3600).text
            let sent = portal.call(
                .put, "/my/contributions/\(UUID().uuidString.lowercased())",
                """
                {"study_id": "\(study)", "questionnaire_id": "\(desk.version("wellbeing-5", .nora))",
                 "started_at": "\(completed)", "completed_at": "\(completed)", "timezone": "Europe/Vienna",
                 "answers": \(StudyDesk.wellbeing)}
                """, as: .nora)
            #expect(sent.status == 201, "\(isMarked) \(sent.text)")
        }
        let marks = { (key: String) in
            try (desk.export(study, "json")["occasions"]?.array ?? []).filter {
                $0["completed_at"]?.string != nil
            }
            .sorted { $0["completed_at"]?.string ?? "" < $1["completed_at"]?.string ?? "" }.map { $0[key] }
        }
        #expect(try marks("answered_together") == [.bool(true), .bool(true), .bool(false), .bool(false)])
        let lines = try desk.text(study, "csv").split(separator: "\r\n").map(String.init)
        #expect(lines[0].hasSuffix(",time_point,answered_together,event_started_at,event_ended_at"))
        let answered = lines.dropFirst().filter { $0.contains(",wellbeing-5,1,") }
        let marked = answered.count { $0.hasSuffix(",1,,") }
        #expect(marked > 0 && marked * 2 == answered.count)
        #expect(answered.count { $0.hasSuffix(",0,,") } == marked)
        #expect(
            !answered.isEmpty
                && lines.filter { $0.contains(",missed,") }.allSatisfy { $0.hasSuffix(",study,,,") })
        let codename = portal.call(.get, "/studies/\(study)/participants", as: .lena).list.first?[
            "attributes"]?[
                "codename"]?.string
        let page = portal.get("/studies/\(study)/participants/\(codename ?? "")", as: .lena).text
        #expect(page.matches(of: /binnen einer Minute mit einem anderen/).count == 2, "\(page)")
    }
}
