import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Web

/// Place 7: what the page of a section holds for one question a screen.
@Suite struct SteppedAnsweringTests {
    let portal: TestPortal

    init() throws { portal = try TestPortal() }

    /// A questionnaire of two sections, given to Pia.
    /// - Returns: the path of her page.
    private func give(_ second: String) throws -> String {
        let options =
            #""options": [{"value": 0, "text": {"de": "nie"}}, {"value": 1, "text": {"de": "oft"}}]"#
        let file = """
            {"format": "intersession-questionnaire/1", "key": "steps", "title": {"de": "Schritte"}, "sections": [
             {"key": "a", \(options), "questions": [
              {"key": "one", "type": "single", "required": true, "must_be_seen": {"at_least": 1}, "text": {"de": "Eins"}},
              {"key": "two", "type": "single", "text": {"de": "Zwei"}}]},
             {"key": "b", \(second)\(options), "questions": [{"key": "three", "type": "single", "text": {"de": "Drei"}}]}]}
            """
        #expect(portal.call(.post, "/questionnaires/import", file, as: .ada).status == 201)
        let therapy = portal.cast.therapies[.pia]?.text ?? ""
        let given = portal.call(
            .post, "/patients/\(therapy)/assignments", #"{"questionnaire_key": "steps"}"#, as: .ada)
        #expect(given.status == 201, "\(given.text)")
        return "/my/assignments/" + given.id
    }

    @Test func `impression 7 a section says how it is laid out, and counts on from the one before`() throws {
        let pia = AnsweringPerson(portal, at: try give(""))
        let page = pia.page.text
        #expect(page.contains(#"class="answer--one""#), "\(page)")
        #expect(page.contains(#"data-before="0" data-of="3""#))
        // Without a script nothing of it is seen: the count of answers, every question, no way back from the first section.
        #expect(page.contains("0 von 3") && page.contains("Eins") && page.contains("Zwei"))
        #expect(page.contains(#"value="back" hidden"#) && page.contains(#"data-go="skip" hidden"#))
        #expect(page.contains("/screens.js") && page.contains("/assets/answer."))
        pia.press("next", [("one", "1")])
        #expect(pia.page.text.contains(#"data-before="2" data-of="3""#))
        #expect(!pia.page.text.contains(#"value="back" hidden"#))
    }

    @Test func `impression 7 a list has nothing of it`() throws {
        let pia = AnsweringPerson(portal, at: try give(#""layout": "list", "#))
        pia.press("next", [("one", "0")])
        let page = pia.page.text
        #expect(page.contains("Drei") && page.contains(#"class="answer--list""#))
        #expect(!page.contains("data-before") && !page.contains("data-go=\"skip\""))
    }

    @Test
    func `impression 7 the numbers to call stand ready where an answer has to be seen, and after sending`()
        throws
    {
        let pia = AnsweringPerson(portal, at: try give(""))
        #expect(pia.page.text.contains(#"data-call="{&quot;at_least&quot;:1}""#), "\(pia.page.text)")
        #expect(pia.page.text.contains(#"role="alert" data-part="call" hidden"#))
        pia.press("next", [("one", "1")])
        #expect(!pia.page.text.contains("data-call") && !pia.page.text.contains("answer__crisis"))
        pia.press("next", [("three", "0")])
        pia.press("send")
        // No rule of the practice says so: the questionnaire does.
        #expect(pia.page.text.contains("answer__crisis"), "\(pia.page.text)")
    }

    @Test func `impression 7 no other own page loads the sheet and the script of answering`() {
        for path in ["/my", "/my/results", "/my/appointments", "/my/more", "/my/settings"] {
            let page = portal.get(path, as: .pia).text
            #expect(
                page.contains("own__foot") && !page.contains("screens.js")
                    && !page.contains("/assets/answer."), "\(path)")
        }
    }

    @Test func `impression 7 apps are told the layout of a new version, and staff in the preview`() throws {
        _ = try give("")
        let all = portal.call(.get, "/questionnaires?limit=200", as: .ada)
        let id = all.list.first { $0["attributes"]?["key"]?.string == "steps" }?["id"]?.string
        let one = portal.call(.get, "/questionnaires/\(id ?? "")", as: .ada)
        #expect(
            one.attributes["sections"]?.array?.map { $0["layout"]?.string } == ["one", "one"], "\(one.text)")
        let preview = portal.get("/questionnaires/\(id ?? "")/preview", as: .ada).text
        #expect(preview.matches(of: /Eine Frage je Bildschirm/).count == 2)
    }
}
