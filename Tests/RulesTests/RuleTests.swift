import Database
import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Rules
@testable import Therapies
@testable import Web

/// IO-12, IO-22: rules over results, from building one to what it leaves behind.
@Suite struct RuleTests {
    let portal: TestPortal
    let daily: String
    let text: String
    var pia: ID<Therapy> { portal.cast.therapies[.pia] ?? "" }

    init() throws {
        portal = try TestPortal()
        daily = try portal.publish("intersession-daily")
        text =
            portal.call(
                .post, "/interventions", #"{"kind": "commendation", "text": {"de": "Sie bleiben dran."}}"#,
                as: .ada
            ).id
    }

    static let negative =
        #"{"kind": "answer", "questionnaire_key": "intersession-daily", "item": "feeling", "comparison": "at_most", "value": 2, "times": 2, "of": 3}"#

    func rule(
        _ conditions: String = negative, _ more: String = #""briefing": "Gedrückte Stimmung""#,
        combine: String = "all", rest: Int = 7, as person: Person = .ada
    ) -> Response {
        let body =
            #"{"name": "Zwei schwere", "combine": "\#(combine)", "conditions": [\#(conditions)], "rest_days": \#(rest), \#(more)}"#
        return portal.call(.post, "/rules", body, as: person)
    }

    /// A daily that the device planned itself, answered with a mood, or without a thought of the therapy.
    @discardableResult
    func answer(
        _ mood: Int?, at time: String, opened early: Int64 = 600, as person: Person = .pia
    ) -> Response {
        let id = portal.services.chance.uuid()
        let answers = mood.map { #""thought": 1, "feeling": \#($0)"# } ?? #""thought": 0"#
        let from = Instant(time)?.adding(seconds: -early).text ?? ""
        let due = Instant(time)?.adding(seconds: 600).text ?? ""
        let body = """
            {"daily": {"questionnaire_id": "\(daily)", "available_from": "\(from)", "due_at": "\(due)"},
             "started_at": "\(time)", "completed_at": "\(time)", "timezone": "Europe/Vienna", "answers": {\(answers)}}
            """
        return portal.call(.put, "/my/contributions/\(id)", body, as: person)
    }

    func firings(_ rule: String) -> [JSON] { portal.call(.get, "/rules/\(rule)/firings", as: .ada).list }

    // MARK: From the dry run to the phone

    @Test func `IO-12 two hard moods of three: dry run, on, fired, seen, opened, completed, told`() throws {
        answer(1, at: "2026-11-18T09:00:00Z")
        answer(nil, at: "2026-11-18T13:00:00Z")
        answer(2, at: "2026-11-18T16:00:00Z")
        let made = rule(
            Self.negative, #""briefing": "Gedrückte Stimmung", "intervention_id": "\#(text)""#)
        #expect(made.status == 201 && made.attributes["enabled"] == .bool(false), "\(made.text)")
        #expect(made.attributes["warnings"] == .array([]))
        let run = portal.call(.get, "/rules/\(made.id)/dry-run", as: .ada)
        #expect(run.list.count == 1)
        let hit = run.list.first?["attributes"]
        // What counts is when it came in: all three came just now.
        #expect(hit?["codename"] == .string("C000001") && hit?["at"] == .string("2026-11-20T09:00:00Z"))
        #expect(hit?["reason"]?.string?.contains(" (2) in mindestens 2 der letzten 3") == true)
        #expect(hit?["reason"]?.string?.contains(" (2), Mi 18.11. 17:00; –, Mi 18.11. 14:00; ") == true)
        #expect(firings(made.id).isEmpty && portal.call(.get, "/my/interventions", as: .pia).list.count == 1)
        let page = portal.get("/rules/\(made.id)?dry_run=true", as: .ada).text
        #expect(page.contains("1-mal ausgelöst, bei 1 von 1 Personen") && page.contains("Einschalten"))

        let shown = portal.revision(on: "/rules/\(made.id)", as: .ada)
        #expect(
            portal.post("/rules/\(made.id)/switch", [("enabled", "true"), shown], as: .ada).status == 303)
        portal.wait(seconds: 1200)
        answer(1, at: "2026-11-20T09:15:00Z")
        let fired = firings(made.id)
        #expect(fired.count == 1)
        // None of the last two again: 1, 2 and nothing in between.
        #expect(fired.first?["attributes"]?["reason"]?.string?.contains(" (1), heute 10:15; ") == true)
        let seen = portal.call(.get, "/my/interventions", as: .pia).list
        #expect(seen.count == 2 && seen.first?["attributes"]?["text"] == .string("Sie bleiben dran."))
        let id = seen.first?["id"]?.string ?? ""
        let body = #"{"opened_at": "2026-11-20T09:21:00Z", "completed_at": "2026-11-20T09:21:00Z"}"#
        #expect(portal.call(.patch, "/my/interventions/\(id)", body, as: .pia).status == 200)
        let timeline = portal.get("/patients/\(pia)/timeline", as: .ada).text
        #expect(
            timeline.contains("Reaktion „Zwei schwere“:")
                && timeline.contains("Für die Sitzung: Gedrückte Stimmung"))
        #expect(timeline.contains("abgeschlossen heute 10:21"))
        #expect(portal.get("/patients/\(pia)", as: .ada).text.contains("Gedrückte Stimmung"))
        let entries = portal.call(.get, "/patients/\(pia)/timeline?kind=note", as: .ada).list
        #expect(entries.count == 1)
    }

    @Test func `the same facts never twice, and not before the rest is over`() throws {
        let made = rule(Self.negative, #""briefing": "Gedrückt", "enabled": true"#, rest: 2)
        answer(1, at: "2026-11-18T09:00:00Z")
        #expect(firings(made.id).isEmpty)
        answer(1, at: "2026-11-18T13:00:00Z")
        #expect(firings(made.id).count == 1)
        answer(1, at: "2026-11-18T16:00:00Z")
        #expect(firings(made.id).count == 1)
        try portal.wait(awake: 3)
        // A sheet later than the firing makes the last two new together.
        answer(5, at: "2026-11-23T08:30:00Z")
        #expect(firings(made.id).count == 2)
        try portal.wait(awake: 3)
        answer(5, at: "2026-11-26T08:30:00Z")
        #expect(firings(made.id).count == 2)
        // The reason is kept as it was, whatever becomes of the rule.
        let change = #"{"name": "Anders", "conditions": [{"kind": "silent", "days": 3}]}"#
        #expect(portal.change(.patch, "/rules/\(made.id)", change, as: .ada).status == 200)
        #expect(
            firings(made.id).first?["attributes"]?["reason"]?.string?.contains(" (2) in mindestens") == true)
    }

    @Test func `what was fired is undone with the sheet that is not stored`() throws {
        let made = rule(Self.negative, #""briefing": "x", "enabled": true"#)
        answer(1, at: "2026-11-18T09:00:00Z")
        let before = try (portal.count("contributions"), portal.count("rule_firings"))
        #expect(answer(1, at: "2026-11-18T03:00:00Z").status == 422)
        #expect(try (portal.count("contributions"), portal.count("rule_firings")) == before)
        #expect(firings(made.id).isEmpty)
    }

    @Test func `an abnormal result is told of during a holiday too, and when staff let it in`() throws {
        let made = rule(Self.negative, #""alert": "Gedrückt", "enabled": true"#, rest: 1)
        let away = #"{"starts_on": "2026-11-20", "ends_on": "2026-11-27"}"#
        #expect(portal.call(.post, "/pauses", away, as: .ada).status == 201)
        answer(1, at: "2026-11-18T09:00:00Z")
        answer(1, at: "2026-11-18T13:00:00Z")
        #expect(firings(made.id).count == 1)
        try portal.wait(awake: 2)
        // The phone's clock is hours ahead: the sheet is held back, then let in.
        let body = """
            {"daily": {"questionnaire_id": "\(daily)", "available_from": "2026-11-22T08:55:00Z", "due_at": "2026-11-22T09:25:00Z"},
             "started_at": "2026-11-22T13:00:00Z", "completed_at": "2026-11-22T13:00:00Z", "timezone": "Europe/Vienna",
             "answers": {"thought": 1, "feeling": 2}}
            """
        let id = portal.services.chance.uuid()
        #expect(portal.call(.put, "/my/contributions/\(id)", body, as: .pia).status == 422)
        let waiting = portal.call(.get, "/patients/\(pia)/quarantine", as: .ada).list
        let held = try #require(
            waiting.first {
                $0["attributes"]?["reason"] == .string("clock") && $0["id"]?.string != portal.cast.quarantined
            })
        let path = "/patients/\(pia)/quarantine/\(held["id"]?.string ?? "")/admission"
        #expect(portal.call(.post, path, as: .ada).status < 300)
        #expect(firings(made.id).count == 2)
    }

    @Test func `IO-10 a hard answer that comes in late is told of, in the dry run too`() throws {
        let made = rule(
            #"{"kind": "answer", "questionnaire_key": "intersession-daily", "item": "feeling", "comparison": "at_most", "value": 2}"#,
            #""alert": "Gedrückt", "enabled": true"#, rest: 1)
        answer(4, at: "2026-11-19T16:00:00Z")
        #expect(firings(made.id).isEmpty)
        portal.wait(seconds: 60)
        #expect(answer(1, at: "2026-11-17T16:00:00Z").status == 201)
        #expect(firings(made.id).count == 1)
        #expect(firings(made.id).first?["attributes"]?["reason"]?.string?.contains("Di 17.11. 17:00") == true)
        #expect(portal.call(.get, "/rules/\(made.id)/dry-run", as: .ada).list.count == 1)
        // In order, the newer one is what counts.
        answer(5, at: "2026-11-19T18:00:00Z")
        #expect(firings(made.id).count == 1)
    }

    @Test func `a good answer does not bring up again what was told`() throws {
        let made = rule(Self.negative, #""briefing": "x", "enabled": true"#, rest: 1)
        for time in ["2026-11-18T08:00:00Z", "2026-11-18T12:00:00Z", "2026-11-18T16:00:00Z"] {
            answer(1, at: time)
        }
        #expect(firings(made.id).count == 1)
        try portal.wait(awake: 2)
        // The last three are 5, 1, 1: the third of the hard ones is news once, and never again.
        answer(5, at: "2026-11-22T08:30:00Z")
        #expect(firings(made.id).count == 2)
        try portal.wait(awake: 2)
        answer(5, at: "2026-11-24T08:30:00Z")
        #expect(firings(made.id).count == 2)
    }

    @Test func `what is said in a rule is sealed, what it looks at is not`() throws {
        let made = rule(
            Self.negative,
            #""briefing": "Kanarienvogel Zeile", "alert": "Kanarienvogel Meldung", "advice": "Kanarienvogel Rat""#
        )
        #expect(made.attributes["advice"] == .string("Kanarienvogel Rat"))
        let stored = try portal.services.records.read { connection in
            try connection.all("SELECT definition FROM rules") { row in try row[0] as String }
        }
        #expect(stored.count == 1 && stored[0].contains("feeling") && !stored[0].contains("Kanarienvogel"))
        #expect(!stored[0].contains("Zwei schwere"))
    }

    @Test func `one rule that cannot be read does not stop the patient's others`() throws {
        let broken = rule(Self.negative, #""briefing": "x", "enabled": true"#)
        let whole = rule(Self.negative, #""briefing": "y", "enabled": true"#)
        #expect(broken.status == 201 && whole.status == 201)
        let id = broken.id
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            try connection.run("UPDATE rules SET texts = \([UInt8(0)]) WHERE id = \(id)")
        }
        #expect(answer(1, at: "2026-11-18T09:00:00Z").status == 201)
        #expect(answer(1, at: "2026-11-18T13:00:00Z").status == 201)
        let fired = try portal.services.records.read { connection in
            try connection.all("SELECT rule_id FROM rule_firings") { row in try row[0] as String }
        }
        #expect(fired.contains(whole.id) && !fired.contains(id))
    }

    @Test func `one patient whose seal is broken costs nobody else their rules, nor the sheet`() throws {
        let made = rule(#"{"kind": "silent", "days": 2}"#, #""briefing": "x", "enabled": true"#)
        let other = rule(Self.negative, #""briefing": "x", "enabled": true"#)
        try portal.services.records.writeUnaudited(.madeUp) { [pia] connection in
            try connection.run("UPDATE therapies SET wrapped_key = \([UInt8(0)]) WHERE id = \(pia)")
        }
        #expect(try RuleRun.tick(portal.services).fired == 0)
        #expect(answer(1, at: "2026-11-18T09:00:00Z").status == 201)
        #expect(answer(1, at: "2026-11-18T13:00:00Z").status == 201)
        #expect(try portal.count("rule_firings") == 0)
        #expect(portal.logged.contains { $0.contains("rules could not look") && $0.contains("SealBroken") })
        #expect(portal.call(.get, "/rules/\(made.id)", as: .ada).attributes["firings"] == .number(0))
        #expect(other.status == 201)
    }

    @Test func `a rule whose text is gone can still be switched off`() throws {
        let made = rule(Self.negative, #""intervention_id": "\#(text)", "enabled": true"#)
        #expect(portal.call(.delete, "/interventions/\(text)", as: .ada).status == 204)
        let off = portal.change(.patch, "/rules/\(made.id)", #"{"enabled": false}"#, as: .ada)
        #expect(off.status == 200 && off.attributes["enabled"] == .bool(false))
        #expect(off.attributes["warnings"]?.array?.count == 1)
        answer(1, at: "2026-11-18T09:00:00Z")
        answer(1, at: "2026-11-18T13:00:00Z")
        #expect(try portal.count("rule_firings") == 0)
    }

    @Test func `six conditions and every kind survive a visit in the portal`() throws {
        let scale = #""questionnaire_key": "intersession-daily", "item": "feeling""#
        let conditions = [
            #"{"kind": "reliable_worsening", \#(scale), "since": "last"}"#,
            #"{"kind": "reliable_improvement", \#(scale), "since": "begin"}"#,
            #"{"kind": "change", \#(scale), "comparison": "at_most", "value": -1.5, "since": "last"}"#,
            #"{"kind": "mean", \#(scale), "comparison": "below", "value": 2.5, "of": 4}"#,
            #"{"kind": "missed", "questionnaire_key": "intersession-daily", "times": 3}"#,
            #"{"kind": "silent", "days": 9}"#,
        ]
        let made = rule(conditions.joined(separator: ","), #""briefing": "x""#, combine: "any")
        #expect(made.status == 201, "\(made.text)")
        let page = portal.get("/rules/\(made.id)/edit", as: .ada).text
        var form: [(String, String)] = []
        for field in page.matches(of: /<input [^>]*>/) {
            let name = field.output.firstMatch(of: /name="([^"]+)"/)?.1 ?? ""
            let value = field.output.firstMatch(of: /value="([^"]*)"/)?.1 ?? ""
            if !["form_token", "patient_ids", "mail"].contains(String(name)) {
                form.append((String(name), String(value)))
            }
        }
        for select in page.matches(of: /(?s)<select [^>]*name="([^"]+)"[^>]*>(.*?)<\/select>/) {
            let chosen = select.2.firstMatch(of: /value="([^"]*)" selected/)?.1 ?? ""
            form.append((String(select.1), String(chosen)))
        }
        #expect(portal.post("/rules/\(made.id)/edit", form, as: .ada).status == 303)
        let after = portal.call(.get, "/rules/\(made.id)", as: .ada).attributes["conditions"]
        #expect(after == made.attributes["conditions"])
    }

    // MARK: By the clock

    @Test func `silence fires once by the clock`() throws {
        let made = rule(
            #"{"kind": "silent", "days": 5}"#,
            #""alert": "Kein Lebenszeichen", "advice": "Anrufen.", "enabled": true"#,
            rest: 1)
        answer(4, at: "2026-11-20T08:30:00Z")
        try RuleRun.tick(portal.services)
        try portal.wait(awake: 4)
        try RuleRun.tick(portal.services)
        #expect(firings(made.id).isEmpty)
        try portal.wait(awake: 1)
        #expect(try RuleRun.tick(portal.services).fired == 1)
        try portal.wait(awake: 3)
        #expect(try RuleRun.tick(portal.services).fired == 0)
        #expect(try portal.audit().contains("rule.fired"))
        let alerts = portal.call(.get, "/alerts", as: .ada).list
        #expect(alerts.count == 1 && alerts.first?["attributes"]?["title"] == .string("Kein Lebenszeichen"))
        #expect(alerts.first?["attributes"]?["reason"]?.string?.contains("vor 5 Tagen") == true)
        // The dry run finds the same moment, and the silence after the pairing.
        let run = portal.call(.get, "/rules/\(made.id)/dry-run", as: .ada).list
        #expect(
            run.map { $0["attributes"]?["at"] } == [
                .string("2026-11-25T09:00:00Z"), .string("2026-10-28T09:00:00Z"),
            ])
    }

    @Test func `missed in a row counts delivered sheets only`() throws {
        let made = rule(
            #"{"kind": "missed", "questionnaire_key": "between-sessions", "times": 2}"#,
            #""briefing": "Versäumt", "enabled": true"#)
        let assign = { (from: String, due: String) in
            portal.call(
                .post, "/patients/\(pia)/assignments",
                #"{"questionnaire_key": "between-sessions", "available_from": "\#(from)", "due_at": "\#(due)"}"#,
                as: .ada)
        }
        #expect(assign("2026-11-20T10:00:00Z", "2026-11-21T10:00:00Z").status == 201)
        #expect(assign("2026-11-21T10:00:00Z", "2026-11-22T10:00:00Z").status == 201)
        try portal.wait(awake: 8)
        try RuleRun.tick(portal.services)
        #expect(firings(made.id).isEmpty)
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            try connection.run("UPDATE assignments SET fetched_at = assigned_at WHERE fetched_at IS NULL")
        }
        try RuleRun.tick(portal.services)
        #expect(firings(made.id).count == 1)
        try RuleRun.tick(portal.services)
        #expect(firings(made.id).count == 1)
    }

    @Test func `a rule that waits for a session fires when one is near`() throws {
        let made = rule(
            Self.negative, #""briefing": "Vor der Sitzung", "session_within_days": 2, "enabled": true"#)
        answer(1, at: "2026-11-19T09:00:00Z")
        answer(1, at: "2026-11-19T13:00:00Z")
        #expect(firings(made.id).isEmpty)
        let session = #"{"starts_at": "2026-11-25T08:00:00Z", "ends_at": "2026-11-25T08:50:00Z"}"#
        #expect(portal.call(.post, "/patients/\(pia)/sessions", session, as: .ada).status == 201)
        try RuleRun.tick(portal.services)
        #expect(firings(made.id).isEmpty)
        try portal.wait(awake: 4)
        #expect(try RuleRun.tick(portal.services).fired == 1)
        #expect(firings(made.id).count == 1)
    }

    @Test func `a period answered from the device's own plan was not missed`() throws {
        let planned = portal.call(.get, "/my/dailies?days=7", as: .pia).list.compactMap {
            $0["attributes"]?["available_from"]?.string
        }
        _ = portal.call(.get, "/my/assignments", as: .pia)
        let day = planned.filter { $0.hasPrefix("2026-11-21") }
        #expect(day.count == 3)
        try portal.wait(awake: 2)
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            try connection.run(
                "UPDATE assignments SET fetched_at = assigned_at WHERE planned_on = '2026-11-21'")
        }
        for time in day { #expect(answer(4, at: time, opened: 0).status == 201) }
        // Only now: as they came in one by one, the later ones were still missing.
        let made = rule(
            #"{"kind": "missed", "questionnaire_key": "intersession-daily", "times": 3}"#,
            #""briefing": "Versäumt", "enabled": true"#)
        try RuleRun.tick(portal.services)
        #expect(firings(made.id).isEmpty)
    }

    @Test func `a file that promises endless numbers takes nothing down`() throws {
        let file = """
            {"format": "intersession-questionnaire/1", "key": "endless", "version": 1, "title": {"de": "Endlos"},
             "sections": [{"key": "s", "questions": [
               {"key": "a", "type": "slider", "minimum": -1e308, "maximum": 1e308, "step": 1, "text": {"de": "A"}},
               {"key": "b", "type": "slider", "minimum": -1e308, "maximum": 1e308, "step": 1, "text": {"de": "B"}}]}],
             "scales": [{"key": "x", "title": {"de": "X"}, "method": "sum", "items": ["a", "b"]}]}
            """
        let imported = portal.call(.post, "/questionnaires/import", file, as: .ada)
        guard imported.status == 201 else { return #expect(imported.status == 422) }
        for kind in ["change", "score"] {
            let condition =
                #"{"kind": "\#(kind)", "questionnaire_key": "endless", "item": "x", "comparison": "above", "value": 1}"#
            #expect(rule(condition, #""briefing": "x""#).status == 201)
        }
        #expect(portal.call(.get, "/rules", as: .ada).list.count == 2)
    }

    // MARK: Patients

    @Test func `IO-21 in a control group a rule tells, but gives nothing`() throws {
        try portal.services.records.writeUnaudited(.madeUp) { [pia] connection in
            try connection.run("UPDATE therapies SET arm = 'no_interventions' WHERE id = \(pia)")
        }
        let made = rule(
            Self.negative, #""alert": "Gedrückt", "intervention_id": "\#(text)", "enabled": true"#)
        answer(1, at: "2026-11-18T09:00:00Z")
        answer(1, at: "2026-11-18T13:00:00Z")
        #expect(firings(made.id).count == 1)
        #expect(portal.call(.get, "/my/interventions", as: .pia).list.count == 1)
        #expect(portal.call(.get, "/alerts", as: .ada).list.count == 1)
        #expect(portal.get("/rules/\(made.id)", as: .ada).text.contains("keine Intervention: Studiengruppe"))
    }

    @Test func `only the owner's patients, only the chosen ones, only the owner's rule`() throws {
        let quinn = portal.cast.therapies[.quinn] ?? ""
        #expect(
            rule(Self.negative, #""briefing": "x", "patient_ids": ["\#(quinn)"]"#).wrongFields == [
                "patient_ids"
            ])
        let ben = rule(Self.negative, #""briefing": "x", "enabled": true"#, as: .ben)
        let open = rule(
            Self.negative,
            #""briefing": "x", "enabled": true, "patient_ids": ["\#(portal.cast.openTherapy)"]"#)
        let chosen = rule(Self.negative, #""briefing": "x", "enabled": true, "patient_ids": ["\#(pia)"]"#)
        answer(1, at: "2026-11-18T09:00:00Z")
        answer(1, at: "2026-11-18T13:00:00Z")
        #expect(firings(open.id).isEmpty && firings(chosen.id).count == 1)
        #expect(portal.call(.get, "/rules/\(ben.id)/firings", as: .ben).list.isEmpty)
        for path in ["/rules/\(ben.id)", "/rules/\(ben.id)/dry-run", "/rules/\(ben.id)/firings"] {
            #expect(portal.call(.get, path, as: .ada).status == 404, "\(path)")
        }
        #expect(portal.call(.delete, "/rules/\(ben.id)", as: .ada).status == 404)
        #expect(portal.get("/rules/\(ben.id)", as: .ada).status == 404)
        #expect(portal.post("/rules/\(ben.id)/switch", [("enabled", "false")], as: .ada).status == 404)
        #expect(portal.call(.delete, "/rules/\(chosen.id)", as: .ada).status == 204)
        #expect(portal.call(.get, "/rules/\(chosen.id)", as: .ada).status == 404)
        #expect(try portal.count("rule_firings") == 1)
    }

    // MARK: Alerts and mails

    @Test func `an alert is acknowledged with a word, once, by its therapist`() throws {
        _ = rule(Self.negative, #""alert": "Gedrückt", "advice": "Anrufen.", "enabled": true"#)
        answer(1, at: "2026-11-18T09:00:00Z")
        answer(2, at: "2026-11-18T13:00:00Z")
        let alert = portal.call(.get, "/alerts", as: .ada).list.first?["id"]?.string ?? ""
        #expect(portal.get("/", as: .ada).text.contains(#"navigation__count">1<"#))
        #expect(portal.get("/patients", as: .ben).text.contains("navigation__count") == false)
        #expect(portal.get("/alerts", as: .ada).text.contains("nicht rund um die Uhr"))
        let body = #"{"comment": "Angerufen, Termin morgen."}"#
        #expect(portal.call(.post, "/alerts/\(alert)/acknowledge", body, as: .ben).status == 404)
        #expect(portal.call(.post, "/alerts/\(alert)/acknowledge", #"{"text": "x"}"#, as: .ada).status == 422)
        let long = String(repeating: "x", count: 501)
        let refused = portal.post("/alerts/\(alert)/acknowledgement", [("comment", long)], as: .ada)
        #expect(
            refused.status == 422 && refused.text.contains(long)
                && refused.text.contains("href=\"#comment-\(alert)\""))
        let done = portal.call(.post, "/alerts/\(alert)/acknowledge", body, as: .ada)
        #expect(done.status == 200 && done.attributes["comment"] == .string("Angerufen, Termin morgen."))
        #expect(portal.call(.post, "/alerts/\(alert)/acknowledge", body, as: .ada).status == 200)
        #expect(portal.call(.post, "/alerts/\(alert)/acknowledge", as: .ada).status == 200)
        let form = [("comment", "Noch einmal.")]
        #expect(portal.post("/alerts/\(alert)/acknowledgement", form, as: .ada).status == 303)
        let page = portal.get("/alerts?acknowledged=true", as: .ada).text
        #expect(page.contains("Angerufen, Termin morgen.") && !page.contains("Noch einmal."))
        #expect(portal.call(.get, "/alerts?acknowledged=false", as: .ada).list.isEmpty)
        #expect(portal.get("/patients/\(pia)/timeline", as: .ada).text.contains("Angerufen, Termin morgen."))
        let stored = try portal.stored()
        #expect(stored.holds(alert) && !stored.holds("Angerufen"))
    }

    @Test func `a mail says nothing, comes once, and is there before the answer`() throws {
        let made = rule(Self.negative, #""mail": true, "enabled": true"#)
        #expect(made.status == 201)
        answer(1, at: "2026-11-18T09:00:00Z")
        #expect(try portal.mails().isEmpty)
        answer(1, at: "2026-11-18T13:00:00Z")
        let mails = try portal.mails()
        #expect(mails.count == 1 && mails.first?.contains("To: <ada@example.org>") == true)
        for word in ["C000001", "Zwei schwere", "feeling", pia.text] {
            #expect(mails.first?.contains(word) == false, "\(word)")
        }
        try RuleMail.send(portal.services, now: portal.now)
        #expect(try portal.mails().count == 1)
    }

    // MARK: Bad input

    static let wrong: [(String, String, [String])] = [
        ("", #""briefing": "x""#, ["conditions"]),
        (#"{"kind": "x"}"#, #""briefing": "x""#, ["conditions.0.kind"]),
        (negative, #""mail": false"#, ["briefing"]),
        (negative, #""advice": "Anrufen", "briefing": "x""#, ["alert"]),
        (#"{"kind": "silent"}"#, #""briefing": "x""#, ["conditions.0.days"]),
        (#"{"kind": "silent", "days": 0}"#, #""briefing": "x""#, ["conditions.0.days"]),
        (#"{"kind": "silent", "days": 1.5}"#, #""briefing": "x""#, ["conditions.0.days"]),
        (#"{"kind": "silent", "days": 3, "value": 1}"#, #""briefing": "x""#, ["conditions.0.value"]),
        (#"{"kind": "silent", "days": 3, "x": 1}"#, #""briefing": "x""#, ["conditions.0.x"]),
        (
            #"{"kind": "mean", "questionnaire_key": "intersession-daily", "item": "feeling", "comparison": "at_most", "value": 2}"#,
            #""briefing": "x""#, ["conditions.0.of"]
        ),
        (
            #"{"kind": "score", "questionnaire_key": "intersession-daily", "item": "none", "comparison": "at_most", "value": 2}"#,
            #""briefing": "x""#, ["conditions.0.item"]
        ),
        (
            #"{"kind": "score", "questionnaire_key": "none", "item": "none", "comparison": "at_most", "value": 2}"#,
            #""briefing": "x""#, ["conditions.0.questionnaire_key"]
        ),
        (
            #"{"kind": "answer", "questionnaire_key": "intersession-daily", "item": "feeling", "comparison": "at_most", "value": 2, "times": 3, "of": 2}"#,
            #""briefing": "x""#, ["conditions.0.times"]
        ),
        (negative, #""briefing": "x", "rest_days": 400"#, ["rest_days"]),
        (negative, #""intervention_id": "11111111-2222-4333-8444-555555555555""#, ["intervention_id"]),
        (negative, #""briefing": "x", "unknown": 1"#, ["unknown"]),
    ]

    @Test(arguments: wrong.indices) func `what is no rule is refused with the place`(index: Int) throws {
        let (conditions, more, fields) = Self.wrong[index]
        let rest = more.contains("rest_days") ? "" : #", "rest_days": 7"#
        let body = #"{"name": "x", "conditions": [\#(conditions)]\#(rest), \#(more)}"#
        let answer = portal.call(.post, "/rules", body, as: .ada)
        #expect(answer.status == 422 && answer.wrongFields == fields, "\(answer.text)")
        #expect(try portal.count("rules") == 0)
    }

    static func score(_ comparison: String, _ value: Double, item: String = "feeling") -> String {
        #"{"kind": "score", "questionnaire_key": "intersession-daily", "item": "\#(item)", "comparison": "\#(comparison)", "value": \#(value)}"#
    }

    static let odd: [(String, String, Int)] = [
        (score("at_most", 0), "nie", 2), (score("at_least", 1), "bei jeder Antwort", 2),
        (score("above", 5), "nie", 2), (score("below", 2) + "," + score("above", 3), "nie", 2),
        (score("at_most", 2) + "," + score("at_least", 2), "", 0),
        (
            #"{"kind": "reliable_worsening", "questionnaire_key": "intersession-daily", "item": "feeling"}"#,
            "nie", 2
        ),
        (
            #"{"kind": "change", "questionnaire_key": "intersession-daily", "item": "feeling", "comparison": "at_least", "value": 5}"#,
            "nie", 2
        ),
        (
            #"{"kind": "answer", "questionnaire_key": "intersession-daily", "item": "feeling", "comparison": "equals", "value": 2.5}"#,
            "nie", 2
        ),
        (negative, "", 0),
    ]

    @Test(arguments: odd.indices) func `rules that never fire, or always, are pointed out`(index: Int) throws
    {
        let (conditions, word, count) = Self.odd[index]
        let made = rule(conditions, #""briefing": "x""#)
        let warnings = made.attributes["warnings"]?.array ?? []
        #expect(made.status == 201 && warnings.count == count, "\(made.text)")
        #expect(word.isEmpty || warnings.last?.string?.contains(word) == true, "\(made.text)")
        if count > 0 { #expect(portal.get("/rules/\(made.id)", as: .ada).text.contains("class=\"notice\"")) }
    }

    @Test func `built in the portal, read as it was built`() throws {
        let form = [
            ("name", "Aus dem Portal"), ("combine", "any"), ("kind_1", "value"),
            ("item_1", "q/intersession-daily/feeling"), ("comparison_1", "at_most"), ("value_1", "2"),
            ("times_1", "2"), ("of_1", "3"), ("kind_2", "silent"), ("days_2", "5"), ("kind_3", ""),
            ("rest_days", "14"), ("session_within_days", ""), ("reach", "chosen"), ("patient_ids", pia.text),
            ("briefing", "Zeile"), ("intervention_id", text), ("alert", ""), ("advice", ""), ("mail", ""),
            ("mail", "true"),
        ]
        let made = portal.post("/rules/new", form, as: .ada)
        #expect(made.status == 303, "\(made.text)")
        let stored = try #require(portal.call(.get, "/rules", as: .ada).list.first)
        let attributes = stored["attributes"]
        #expect(attributes?["combine"] == .string("any") && attributes?["mail"] == .bool(true))
        #expect(
            attributes?["patient_ids"] == .array([.string(pia.text)])
                && attributes?["rest_days"] == .number(14))
        #expect(
            attributes?["conditions"]?.array?.map { $0["kind"] } == [.string("answer"), .string("silent")])
        let path = "/rules/\(stored["id"]?.string ?? "")/edit"
        let page = portal.get(path, as: .ada).text
        #expect(page.contains(#"value="q/intersession-daily/feeling" selected"#))
        #expect(page.contains(#"value="\#(pia)" checked"#))
        let broken = form.map { $0.0 == "value_1" ? ($0.0, "zwei") : $0 }
        let refused = portal.post(path, broken, as: .ada)
        #expect(refused.status == 422 && refused.text.contains(##"href="#value_1""##))
        #expect(refused.text.contains(#"value="zwei""#))
        let nobody = form.map { $0.0 == "reach" ? ($0.0, "all") : $0 } + [("value_3", "4")]
        let dropped = portal.post(path, nobody, as: .ada)
        #expect(
            dropped.status == 422 && dropped.text.contains(##"href="#reach""##)
                && dropped.text.contains(##"href="#kind_3""##))
        let one = form.filter { !$0.0.hasSuffix("_2") } + [portal.revision(on: path, as: .ada)]
        #expect(portal.post(path, one, as: .ada).status == 303)
        #expect(
            portal.call(.get, "/rules", as: .ada).list.first?["attributes"]?["conditions"]?.array?.count == 1)
    }
}
