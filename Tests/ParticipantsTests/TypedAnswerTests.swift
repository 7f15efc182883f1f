import HTTP
import JSON
import Records
import Testing
import Wire

@testable import PortalTesting

/// RP-17 and RP-211: numbers as they are typed into questionnaires.
@Suite struct TypedAnswerTests {
    let portal: TestPortal
    let therapy: String
    let assignment: String
    var path: String { "/my/assignments/\(assignment)" }

    init() throws {
        portal = try TestPortal()
        therapy = portal.cast.therapies[.pia]?.text ?? ""
        let file = """
            {"format": "intersession-questionnaire/1", "key": "zahlen", "title": {"de": "Zahlen", "en": "Numbers"},
             "sections": [{"key": "s", "questions": [
                {"key": "steps", "type": "number", "minimum": 0, "maximum": 20000,
                    "text": {"de": "Wie viele Schritte?", "en": "How many steps?"}},
                {"key": "hours", "type": "number", "minimum": 0, "maximum": 24,
                    "text": {"de": "Wie viele Stunden?", "en": "How many hours?"}},
                {"key": "change", "type": "number", "text": {"de": "Um wie viel?", "en": "By how much?"}},
                {"key": "effort", "type": "slider", "minimum": 0, "maximum": 10, "step": 0.5,
                    "text": {"de": "Wie schwer?", "en": "How hard?"}}]}],
             "scales": []}
            """
        let published = portal.call(.post, "/questionnaires/import", file, as: .ada)
        #expect(published.status == 201, "\(published.text)")
        assignment =
            portal.call(
                .post, "/patients/\(therapy)/assignments", #"{"questionnaire_key": "zahlen"}"#, as: .ada
            ).id
    }

    private var draft: JSON {
        portal.call(.get, "/my/drafts/\(assignment)", as: .pia).attributes["answers"] ?? .null
    }

    @Test func `RP-17 what cannot be read is said beside the field, and nothing is taken back`() {
        let pia = AnsweringPerson(portal, at: path)
        #expect(!pia.page.text.contains(#"type="number""#))
        // A decimal pad has no minus: only where none is needed.
        #expect(pia.page.text.matches(of: /inputmode="decimal"/).count == 3)
        pia.press("later", [("hours", "6")])
        #expect(draft["hours"] == .number(6))
        pia.open(path)
        let refused = pia.press("next", [("hours", "7-8")])
        #expect(refused.status == 422 && refused.text.contains("Bitte geben Sie eine Zahl ein."))
        #expect(refused.text.contains(#"value="7-8""#) && draft["hours"] == .number(6))
        let comma = pia.press("later", [("hours", "7,5"), ("effort", "٦٫٥")])
        #expect(comma.status == 303 && draft["hours"] == .number(7.5) && draft["effort"] == .number(6.5))
        pia.open(path)
        #expect(pia.page.text.contains(#"value="7,5""#))
    }

    @Test func `RP-211 thousands or a fraction is asked where both may be, and the choice is taken`() {
        let pia = AnsweringPerson(portal, at: path)
        let asked = pia.press("next", [("steps", "10.000"), ("hours", "8,250")])
        #expect(asked.status == 422 && asked.text.contains("Meinen Sie 10000 oder 10,000?"))
        for value in ["10000", "10"] {
            #expect(asked.text.contains(#"name="answers.steps.meant" value="\#(value)""#), "\(value)")
        }
        #expect(asked.text.contains(#"value="10.000""#) && draft["steps"] == nil)
        // 8250 hours are too many.
        #expect(draft["hours"] == .number(8.25))
        // A choice that belonged to something else is none.
        let other = pia.press("next", [("steps", "12.000"), ("steps.meant", "10000")])
        #expect(other.status == 422 && other.text.contains("Meinen Sie 12000 oder 12,000?"))
        let chosen = pia.press("later", [("steps", "12.000"), ("steps.meant", "12000")])
        #expect(chosen.status == 303 && draft["steps"] == .number(12_000))
    }

    @Test func `RP-211 what is stored is shown so that it is read as the same`() throws {
        let kept = portal.change(
            .put, "/my/drafts/\(assignment)", #"{"answers": {"change": -1.234, "steps": 10.000}}"#, as: .pia)
        #expect(kept.status == 201, "\(kept.text)")
        #expect(draft["steps"] == .number(10))
        let pia = AnsweringPerson(portal, at: path)
        #expect(pia.page.text.contains(#"value="-1,2340""#), "\(pia.page.text)")
        #expect(pia.press("next").status == 303 && draft["change"] == .number(-1.234))
    }

    @Test func `RP-211 calls send numbers, and are asked about none`() {
        let body = { (value: String) in
            """
            {"assignment_id": "\(assignment)", "started_at": "\(portal.now.text)", "completed_at": "\(portal.now.text)",
             "timezone": "Europe/Vienna", "answers": {"steps": \(value)}}
            """
        }
        let id = "5d8e2c44-52b0-4a4c-8a5e-7d3d1f0a9b78"
        #expect(portal.call(.put, "/my/contributions/\(id)", body(#""10.000""#), as: .pia).status == 422)
        #expect(portal.call(.put, "/my/contributions/\(id)", body("10.000"), as: .pia).status == 201)
        let sheet = portal.call(.get, "/my/contributions/\(id)", as: .pia).attributes
        #expect(sheet["answers"]?["steps"] == .number(10))
    }

    @Test func `RP-211 what a script has read is taken as it spells it, what waits from before as well`() {
        let now = portal.now.text
        let version = portal.call(.get, "/questionnaires", as: .ada).list.first {
            $0["attributes"]?["key"]?.string == "zahlen"
        }
        let sent = portal.post(
            "/my/offline/sheets",
            [
                ("id", "5d8e2c44-52b0-4a4c-8a5e-7d3d1f0a9b79"), ("version", version?["id"]?.string ?? ""),
                ("assignment", assignment), ("started_at", now), ("completed_at", now),
                ("timezone", "Europe/Vienna"), ("action", "send"), ("answers.steps", "12000"),
                ("at.steps", now),
                ("answers.change", "1.2340"), ("at.change", now), ("answers.hours", "1.500"),
                ("at.hours", now),
            ], as: .pia, ["Accept": "application/json"])
        #expect(sent.status == 200, "\(sent.text)")
        let answers = portal.call(
            .get, "/my/contributions/5d8e2c44-52b0-4a4c-8a5e-7d3d1f0a9b79", as: .pia
        ).attributes["answers"]
        #expect(answers?["steps"] == .number(12_000) && answers?["change"] == .number(1.234))
        #expect(answers?["hours"] == .number(1.5))
    }

    @Test func `RP-211 paper is asked about as well, and loses nothing that was typed`() {
        let path = "/patients/\(therapy)/contributions/new?questionnaire_key=zahlen"
        let fields = [
            ("completed_at", "2026-11-18T10:00"), ("answers.hours", "7,5"), ("answers.steps", "1,500"),
        ]
        let asked = portal.post(path, fields, as: .ada)
        #expect(asked.status == 422 && asked.text.contains("Meinen Sie 1500 oder 1,500?"), "\(asked.text)")
        #expect(asked.text.contains(#"value="7,5""#) && asked.text.contains(#"value="1,500""#))
        let taken = portal.post(path, fields + [("answers.steps.meant", "1500")], as: .ada)
        #expect(taken.status == 303, "\(taken.text)")
        let sheets = portal.call(.get, "/patients/\(therapy)/contributions", as: .ada).list
        #expect(sheets.contains { $0["attributes"]?["answers"]?["steps"] == .number(1500) })
    }
}
