import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Therapies
@testable import Web

/// PR-19: the page that assigns a questionnaire, as forms post it without scripts.
@Suite struct AssigningTests {
    let portal: TestPortal
    var pia: ID<Therapy> { portal.cast.therapies[.pia] ?? "" }
    var path: String { "/patients/\(pia)/assignments/new" }

    init() throws { portal = try TestPortal() }

    private func note(_ start: String, _ end: String) {
        let form = [("starts_at", start), ("ends_at", end)]
        #expect(portal.post("/patients/\(pia)/sessions/new", form, as: .ada).status == 303)
    }

    private func assignments() -> [JSON] {
        portal.call(.get, "/patients/\(pia)/assignments", as: .ada).list.compactMap { $0["attributes"] }
    }

    @Test func `PR-19 the page says how long it takes and what waits already`() throws {
        let page = portal.get(path, as: .ada).text
        #expect(page.contains("etwa 1 Minute (aus den Fragen geschätzt)"), "\(page)")
        #expect(page.contains("schon offen bis"))
        // No session is known: a week, and no choice that leads nowhere.
        #expect(!page.contains(#"value="session""#) && page.contains(#"name="until" value="week" checked"#))
        #expect(page.contains("Wählen Sie einen Fragebogen"))
    }

    @Test func `PR-19 until the next session is one submit once it is known`() throws {
        try portal.publish("wellbeing-5")
        #expect(portal.post(path, [("questionnaire_key", "wellbeing-5")], as: .ada).status == 303)
        try portal.wait(awake: 8)
        note("2026-12-03T10:00", "2026-12-03T10:50")
        let page = portal.get(path, as: .ada).text
        // What was used last is chosen, and the session preset: one click assigns.
        #expect(page.contains(#"value="wellbeing-5" checked"#) && page.contains(#"value="session" checked"#))
        #expect(page.contains("Bis zur nächsten Sitzung: Do 03.12. 10:00"))
        #expect(page.contains("zuletzt zugewiesen am 20.11.2026"))
        let form = [("questionnaire_key", "wellbeing-5"), ("until", "session"), ("due_at", "")]
        #expect(portal.post(path, form, as: .ada).status == 303)
        let made = assignments().first { $0["questionnaire_key"] == .string("wellbeing-5") }
        #expect(made?["due_at"] == .string("2026-12-03T09:00:00Z"), "\(assignments())")
        // The patient's page leads here with one link.
        #expect(portal.get("/patients/\(pia)", as: .ada).text.contains(#"href="\#(path)""#))
    }

    @Test func `LF-2 an archived part of a battery is named where it is picked and on its pages`() throws {
        let wellbeing = try portal.publish("wellbeing-5")
        let content = #"{"name": "Beginn", "questionnaire_keys": ["wellbeing-5", "between-sessions"]}"#
        let battery = portal.call(.post, "/batteries", content, as: .ada).id
        let editor = "/batteries/\(battery)"
        let rule = "/patients/\(pia)/delivery-rules/new"
        #expect(!portal.get(path, as: .ada).text.contains("Archiviert"))
        #expect(
            portal.post(
                "/questionnaires/\(wellbeing)/retirement", [("confirmed", "true")], as: .ada
            ).status == 303)
        let title = "Wohlbefinden in fünf Fragen"
        let warning = "Archiviert, wird nicht mit zugewiesen: \(title)"
        for page in [path, editor, "/batteries"] {
            #expect(portal.get(page, as: .ada).text.contains(warning), "\(page)")
        }
        #expect(portal.get(rule, as: .ada).text.contains("Batterie „Beginn“ ohne Archiviertes (\(title))"))
        let saved = portal.get(editor, as: .ada).text
        #expect(saved.contains(#"<option value="wellbeing-5" selected>\#(title) (archiviert)</option>"#))
        // Saved as it is shown, it keeps the part: it may be taken out of the archive.
        let form = [
            ("name", "Anfang"), ("questionnaire_key", "wellbeing-5"),
            ("questionnaire_key", "between-sessions"), portal.revision(on: editor, as: .ada),
        ]
        #expect(portal.post(editor, form, as: .ada).status == 303)
        let kept = portal.call(.get, "/batteries/\(battery)", as: .ada).attributes["questionnaire_keys"]
        #expect(kept == .array([.string("wellbeing-5"), .string("between-sessions")]))
    }

    @Test func `PR-19 a session that is gone meanwhile is said, and the input stays`() throws {
        let form = [("questionnaire_key", "between-sessions"), ("until", "session"), ("again", "x")]
        let page = portal.post(path, form, as: .ada)
        #expect(page.status == 422 && page.text.contains(##"<a href="#until">Bis wann: "##))
        #expect(page.text.contains("Es ist keine nächste Sitzung mehr eingetragen."))
        #expect(page.text.contains(#"value="between-sessions" checked"#))
        let dateless = portal.post(
            path, [("questionnaire_key", "between-sessions"), ("until", "date"), ("due_at", "")], as: .ada)
        #expect(dateless.status == 422 && dateless.text.contains(##"<a href="#due_at">"##))
    }

    @Test func `PR-19 a second one of the same asks first, and keeps the input`() throws {
        let before = assignments().count
        let form = [
            ("questionnaire_key", "between-sessions"), ("until", "date"), ("due_at", "2026-12-01T09:00"),
        ]
        let asked = portal.post(path, form, as: .ada)
        #expect(asked.status == 409 && asked.text.contains("ein zweites Mal zugewiesen werden?"))
        #expect(asked.text.contains(#"value="2026-12-01T09:00""#) && assignments().count == before)
        let word = try #require(asked.text.firstMatch(of: /name="again" value="([^"]+)"/)).1
        #expect(portal.post(path, form + [("again", String(word))], as: .ada).status == 303)
        #expect(assignments().count == before + 1)
        // The word was for one that waits; now there are two.
        #expect(portal.post(path, form + [("again", String(word))], as: .ada).status == 409)
        // Over the API nothing is asked.
        let call = portal.call(
            .post, "/patients/\(pia)/assignments", #"{"questionnaire_key": "between-sessions"}"#, as: .ada)
        #expect(call.status == 201)
    }

    @Test func `PR-19 the preview is what the phone says, and stores nothing`() throws {
        let before = assignments().count
        let form = [
            ("questionnaire_key", "between-sessions"), ("until", "date"), ("due_at", "2026-12-01T09:00"),
            ("step", "preview"),
        ]
        let page = portal.post(path, form, as: .ada)
        #expect(page.status == 200 && assignments().count == before)
        #expect(page.text.contains(#"<p class="told__title">Zwischen den Sitzungen"#))
        #expect(page.text.contains(#"<p class="told__due">bis Di 01.12. 09:00</p>"#), "\(page.text)")
        // The patient reads it in their own language.
        #expect(portal.call(.patch, "/my/profile", #"{"language": "en"}"#, as: .pia).status == 200)
        let english = portal.post(path, form, as: .ada).text
        #expect(
            english.contains(#"<div class="told" lang="en">"#) && english.contains("until Tue"), "\(english)")
        #expect(portal.post(path, form, as: .ben).status == 404)
    }
}
