import Foundation
import HTTP
import JSON
import Testing

@testable import Instruments
@testable import PortalTesting
@testable import Questionnaires
@testable import Web

/// Questionnaires on paper (PR-38).
@Suite struct BlankFormTests {
    let portal: TestPortal

    init() throws { portal = try TestPortal() }

    private func imported(_ file: String) -> String {
        let made = portal.call(.post, "/questionnaires", file, as: .ada)
        #expect(made.status == 201, "\(made.text)")
        return made.id
    }

    private static func count(_ word: String, in text: String) -> Int {
        text.components(separatedBy: word).count - 1
    }

    @Test func `PR-38 a form has room for code and date, a box for each answer, and its scoring key`() throws
    {
        let id = try portal.publish("wellbeing-5")
        let page = portal.get("/questionnaires/\(id)/blank", as: .ada)
        #expect(page.status == 200)
        let halves = page.text.components(separatedBy: "blank__key")
        let (form, key) = (halves[0], try #require(halves.last))
        #expect(form.contains("Code: <span class=\"blank__room\">") && form.contains("Ausgefüllt von"))
        let definition = try InstrumentFiles.shippedOne("wellbeing-5")
        let answers = definition.questions.reduce(0) { $0 + $1.options.count }
        // Three more boxes say by which hand it was filled in.
        #expect(Self.count("blank__box", in: form) == answers + 3)
        #expect(!form.contains(" = 5"))
        #expect(key.contains("Auswertung") && key.contains("an keinem = 0") && key.contains("Rechte"))
    }

    @Test func `PR-38 a question of another kind has what a pen needs, and conditions speak of numbers`() {
        let id = imported(
            """
            {"format": "intersession-questionnaire/1", "key": "all-kinds", "title": {"de": "Alles"},
             "printable": true, "citation": "Muster 2026", "sections": [
              {"key": "a", "questions": [
               {"key": "sleeps", "type": "yes_no", "text": {"de": "Schlafen Sie gut?"}},
               {"key": "how", "type": "single", "text": {"de": "Wie?"}, "options": [
                {"value": 1, "text": {"de": "kurz"}}, {"value": 2, "text": {"de": "lang"}}]}]},
              {"key": "b", "visible_if": {"all": [{"question": "sleeps", "equals": 0},
               {"question": "how", "at_least": 2}]}, "questions": [
               {"key": "strain", "type": "slider", "minimum": 0, "maximum": 100, "step": 1,
                "text": {"de": "Belastung"}, "minimum_label": {"de": "gar nicht"}},
               {"key": "few", "type": "slider", "minimum": 0, "maximum": 4, "step": 1, "text": {"de": "Fünf"}},
               {"key": "words", "type": "text", "text": {"de": "Was noch?"}},
               {"key": "hours", "type": "number", "minimum": 0, "maximum": 24, "text": {"de": "Stunden"}},
               {"key": "free", "type": "number", "text": {"de": "Wie viele?"}},
               {"key": "day", "type": "date", "text": {"de": "Seit wann?"}}]}]}
            """)
        let page = portal.get("/questionnaires/\(id)/blank", as: .ada).text
        #expect(page.contains("Nur wenn Frage 1: „nein“ und Frage 2: „mindestens lang“:"))
        #expect(page.contains("0 gar nicht</span><span class=\"blank__line\">"))
        #expect(Self.count("blank__step", in: page) == 5 && Self.count("blank__writing", in: page) == 3)
        #expect(page.contains("von 0 bis 24") && page.contains("Tag, Monat, Jahr"))
        // Code and date of the head, two numbers, and the date that is asked.
        #expect(Self.count("blank__room\"", in: page) == 5)
        #expect(page.contains("Muster 2026") && page.contains("Dieser Fragebogen hat keine Skalen."))
        #expect(!page.contains("sleeps") && !page.contains("strain"))
    }

    @Test func `PR-38 one that its owner does not let copy says why, in place of its questions`() {
        let id = imported(
            """
            {"format": "intersession-questionnaire/1", "key": "closed", "title": {"de": "Geschützt"},
             "sections": [{"key": "a", "questions": [
              {"key": "q", "type": "yes_no", "text": {"de": "Fremde Worte?"}}]}]}
            """)
        let page = portal.get("/questionnaires/\(id)/blank", as: .ada)
        #expect(page.status == 200 && page.text.contains("Dieser Fragebogen wird nicht gedruckt"))
        #expect(!page.text.contains("Fremde Worte?") && !page.text.contains("blank__box"))
        let list = portal.call(.get, "/questionnaires", as: .ada).list
        let own = list.first { $0["id"]?.string == id }
        #expect(own?["attributes"]?["printable"] == .bool(false))
    }

    @Test func `PR-38 the mark stays through files and FHIR, and the editor asks for it`() throws {
        let id = try portal.publish("wellbeing-5")
        for format in ["intersession", "fhir"] {
            let file = portal.call(.get, "/questionnaires/\(id)/export?format=\(format)", as: .ada)
            let again = portal.call(.post, "/questionnaires", file.text, as: .ada)
            #expect(again.status == 201 && again.attributes["printable"] == .bool(true), "\(format)")
        }
        let draft = portal.post("/questionnaires/\(id)/draft", as: .ada)
        let place = try #require(draft.headers["Location"])
        let editor = portal.get(place, as: .ada).text
        #expect(editor.contains("Darf als Papierformular gedruckt werden"))
    }

    @Test func `PR-38 participants and administrators have no blank forms`() throws {
        let id = try portal.publish("wellbeing-5")
        #expect(portal.get("/questionnaires/\(id)/blank", as: .pia).status != 200)
        #expect(portal.get("/questionnaires/\(id)/blank", as: .uma).status == 403)
    }
}
