import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import Contributions
@testable import Delivery
@testable import Identity
@testable import Instruments
@testable import PortalTesting
@testable import Records
@testable import Therapies
@testable import Web

@Suite struct TimelineTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }
    var pia: ID<Therapy> { portal.cast.therapies[.pia] ?? "" }

    @Test func `the timeline is cut by sessions, the newest first, with scores and n of n`() throws {
        let text = portal.get("/patients/\(pia)/timeline?open=session-0", as: .ada).text
        let since = try #require(text.range(of: "Seit Sitzung 1"))
        let before = try #require(text.range(of: "Vor Sitzung 1"))
        let sheet = try #require(text.range(of: "Intensität <strong>2</strong>"))
        let paired = try #require(text.range(of: "Konto verbunden"))
        #expect(
            since.lowerBound < sheet.lowerBound && sheet.lowerBound < before.lowerBound
                && before.lowerBound < paired.lowerBound)
        #expect(
            text.contains("8 von 8") && text.contains("href=\"contributions/\(portal.cast.contribution)\""))
    }

    @Test
    func `PR-13 what is over is folded to its heading with its sums, and opened by a link without scripts`()
        throws
    {
        let path = "/patients/\(pia)/timeline"
        let folded = portal.get(path, as: .ada).text
        #expect(folded.contains("Vor Sitzung 1") && !folded.contains("Konto verbunden"))
        #expect(folded.contains("href=\"?open=0#session-0\""))
        let open = portal.get(path + "?open=session-0", as: .ada).text
        #expect(open.contains("Konto verbunden") && !open.contains("?open=0#session-0"))
        // Of one kind, everything is shown.
        #expect(portal.get(path + "?kind=session", as: .ada).text.contains("Sitzung 1"))
        #expect(portal.get(path + "?open=nonsense", as: .ada).status == 200)
    }

    @Test func `PR-13 the dailies of a day are one row that opens to them`() throws {
        let questionnaire = try portal.publish("intersession-daily")
        let day = try #require(Instant("2026-11-19T08:00:00Z"))
        for number in 0..<3 {
            let opens = day.adding(seconds: Int64(number) * 14_400)
            let answers = number < 2 ? #"{"thought": 1, "feeling": 4}"# : #"{"thought": 0}"#
            let body =
                #"{"daily": {"questionnaire_id": "\#(questionnaire)", "available_from": "\#(opens.text)", "due_at": "\#(opens.adding(seconds: 1800).text)"}, "started_at": "\#(opens.text)", "completed_at": "\#(opens.adding(seconds: 60).text)", "timezone": "Europe/Vienna", "answers": \#(answers)}"#
            let id = "5a1c9a0e-98a5-4a9f-8d3e-00000000040\(number)"
            #expect(portal.call(.put, "/my/contributions/\(id)", body, as: .pia).status == 201)
        }
        let page = portal.get("/patients/\(pia)/timeline", as: .ada).text
        #expect(page.matches(of: /entry--day"/).count == 1)
        #expect(page.contains("3 von 3 · 2-mal an die Therapie gedacht · Stimmung"))
        #expect(page.matches(of: /dots__dot--on"/).count == 2)
        let row = try #require(
            page.components(separatedBy: "entry--day\"").last?.components(separatedBy: "</details>").first)
        #expect(row.matches(of: /entry--daily"/).count == 3)
        // The heading sums the same: shares, with those of the interval before.
        #expect(page.contains("<strong>67 %</strong> an die Therapie gedacht"))
    }

    /// Sheets of Pia's, some at the same moment.
    func addSheets(_ count: Int) throws {
        let id = ID<QuestionnaireVersion>(portal.cast.questionnaire)
        let account = portal.cast.accounts[.pia] ?? ""
        let keys = portal.services.keys
        let cache = portal.services.questionnaires
        let therapy = pia
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            guard let record = try QuestionnaireStore.find(id, cache, connection),
                let pia = try AccountStore.find(account, connection)
            else { return }
            for number in 0..<count {
                let completed = Cast.now.adding(days: -10).adding(seconds: Int64(number / 4) * 3600)
                let assignment: ID<Assignment> = Randomness.system.id()
                try AssignmentStore.insert(
                    assignment, questionnaire: id, therapy: therapy, source: .daily, from: completed,
                    due: completed.adding(seconds: 60),
                    at: completed, connection)
                let submission = Submission(
                    reason: .assignment(assignment), startedAt: completed, completedAt: completed,
                    timezone: "UTC", answers: nil, details: nil)
                guard let course = try TherapyStore.running(of: account, connection),
                    let made = try AssignmentStore.find(assignment, of: account, connection)
                else { return }
                let sheet = try NewContribution(
                    submission, id: Randomness.system.id(), account: account,
                    target: TherapyTarget(made, course, record), answers: ["lighter": .number(1)],
                    receivedAt: completed)
                try ContributionStore.insert(sheet, sheet.sealed(try pia.key(keys)), connection)
            }
        }
    }

    @Test(arguments: [119, 120, 121, 300])
    func `every sheet is on exactly one of the pages, also around a session and at one moment`(count: Int)
        throws
    {
        try addSheets(count)
        // From a moment back, everything is listed page by page.
        var path: String? = "/patients/\(pia)/timeline?before=9999999999999"
        var links: [String] = []
        var pages: Int = 0
        while let next = path, pages < 10 {
            let text = portal.get(next, as: .ada).text
            links += text.matches(of: /contributions\/([0-9a-f-]{36})/).map { String($0.1) }
            path = text.firstMatch(of: /href="([^"]*before=[^"]*)"/).map {
                String($0.1).replacing("&amp;", with: "&")
            }
            pages += 1
        }
        #expect(links.count == count + 1 && Set(links).count == count + 1)
        #expect(path == nil && (count == 300) == (pages > 1))
    }

    @Test func `H4 lists can be walked while they grow, and nothing is doubled or left out`() throws {
        try addSheets(30)
        var path: String? = "/my/contributions?limit=7"
        var seen: [String] = []
        while let next = path {
            let answer = portal.call(.get, next, as: .pia)
            seen += answer.list.compactMap { $0["id"]?.string }
            path = answer.json["meta"]?["next"]?.string.map { String($0.dropFirst("/api/v1".count)) }
            if seen.count == 7 {
                #expect(
                    portal.call(
                        .put, SheetSample.path,
                        SheetSample.sheetBody(assignment: portal.cast.assignment), as: .pia
                    ).status == 201)
            }
        }
        #expect(seen.count == 31 && Set(seen).count == 31)
    }

    @Test func `kinds can be chosen, and times bound the list`() {
        let kinds = { (query: String) in
            portal.call(.get, "/patients/\(pia)/timeline\(query)", as: .ada).list.compactMap {
                $0["attributes"]?["kind"]?.string
            }
        }
        #expect(
            kinds("") == [
                "therapy", "assignment", "intervention", "contribution", "session", "assignment", "pairing",
                "therapy",
            ])
        #expect(kinds("?kind=session") == ["session"])
        #expect(kinds("?from=2026-11-16T00:00:00Z&to=2026-11-18T00:00:00Z") == ["contribution", "session"])
        #expect(portal.call(.get, "/patients/\(pia)/timeline?kind=nonsense", as: .ada).status == 422)
        #expect(portal.call(.get, "/patients/\(pia)/timeline?from=yesterday", as: .ada).status == 422)
    }

    @Test func `one sheet shows every answer in the words of the questionnaire`() {
        let text = portal.get("/patients/\(pia)/contributions/\(portal.cast.contribution)", as: .ada).text
        #expect(
            text.contains("In einem Traum tauchte die Therapie auf.") && text.contains("ein paar Mal (2)"))
        #expect(text.contains("8 von 8 beantwortet") && text.contains("6 von 6"))
    }

    @Test func `scores over time can be asked for by questionnaire and scale`() {
        let scores = portal.call(
            .get, "/patients/\(pia)/scores?questionnaire_key=between-sessions&scale=intensity", as: .ada)
        #expect(scores.list.count == 1 && scores.list.first?["attributes"]?["value"] == .number(2))
        #expect(portal.call(.get, "/patients/\(pia)/scores", as: .ada).list.count == 3)
        #expect(portal.call(.get, "/patients/\(pia)/scores?questionnaire_key=other", as: .ada).list.isEmpty)
    }

    @Test func `a withdrawn assignment stays on the timeline and says so`() {
        #expect(
            portal.post("/patients/\(pia)/assignments/\(portal.cast.assignment)/withdrawal", as: .ada).status
                == 303)
        #expect(portal.get("/patients/\(pia)/timeline", as: .ada).text.contains("zurückgezogen"))
    }

    @Test func `assigning by hand takes a window in the clinic's time`() {
        let path = "/patients/\(pia)/assignments/new"
        let bad = portal.post(
            path,
            [
                ("questionnaire_key", "between-sessions"), ("available_from", "2026-11-24T09:00"),
                ("due_at", "2026-11-23T09:00"),
            ], as: .ada)
        #expect(
            bad.status == 422 && bad.text.contains("value=\"2026-11-23T09:00\"")
                && bad.text.contains("value=\"between-sessions\" checked"))
        #expect(portal.post(path, [("questionnaire_key", "nothing")], as: .ada).status == 422)
        #expect(
            portal.post(
                path,
                [
                    ("questionnaire_key", "between-sessions"), ("available_from", "2026-11-24T09:00"),
                    ("due_at", "2026-11-25T09:00"), ("again", "between-sessions 1"),
                ], as: .ada
            ).status == 303)
        let coming = portal.call(.get, "/my/assignments", as: .pia).list.first?["attributes"]
        #expect(
            coming?["available_from"] == .string("2026-11-24T08:00:00Z")
                && coming?["progress"]?["total"] == .number(8))
    }
}
