import HTTP
import JSON
import Records
import Testing
import Therapies
import Web
import Wire
import Wording

@testable import Clinic
@testable import PortalTesting

/// PR-38: letters from the templates of the house, with fields, each author's own.
@Suite struct LetterTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }
    var letters: String { "/patients/\(portal.cast.therapies[.pia] ?? "")/letters" }

    // MARK: Fields

    private func filled(_ text: String) -> (text: String, errors: FieldErrors) {
        LetterText.filled(text, facts: ["sessions_held": "12", "codename": "C1"], scales: ["isf/i"])
    }

    @Test func `PR-38 facts are filled in, courses stay`() {
        let (text, errors) = filled(
            "{{codename}}: {{ sessions_held }} Sitzungen\n{{courses}}\n{{course isf/i}}")
        #expect(errors.isEmpty && text == "C1: 12 Sitzungen\n{{courses}}\n{{course isf/i}}")
        #expect(
            LetterText.parts(text)
                == [.markdown("C1: 12 Sitzungen"), .course(nil), .course("isf/i")])
    }

    @Test(arguments: [
        ("Eins\n{{patient_name}}", "letters.field_unknown"), ("Eins\n{{codename", "letters.field_open"),
        ("Eins\n{{course isf/x}}", "letters.course_unknown"),
        ("Eins\nhier {{courses}}", "letters.course_alone"),
        ("Eins\n{{courses}} da", "letters.course_alone"),
        ("Eins\n{{emergency_contact}}", "letters.field_unknown"),
    ])
    func `PR-38 a field that is not there is an error with its line`(_ text: String, key: String) throws {
        let error = try #require(filled(text).errors.list.first)
        #expect(error.field == "text" && error.message.key == key)
        #expect(error.message.values["line"] == "2")
    }

    // MARK: Calls

    @Test func `PR-38 a letter is made from the template of the house, changed and deleted`() throws {
        for kind in ["referral", "insurer", "gp"] {
            let made = portal.call(.post, letters, #"{"kind": "\#(kind)"}"#, as: .ada)
            #expect(made.status == 201, "\(made.text)")
            let text = made.attributes["text"]?.string ?? ""
            // Facts are filled in; the course is drawn later.
            #expect(
                text.contains("C000001") && text.contains("{{courses}}") && !text.contains("{{sessions_held"))
        }
        let list = portal.call(.get, letters, as: .ada).list
        #expect(list.count == 3)
        let path = "\(letters)/\(try #require(list.first?["id"]?.string))"
        let body = #"{"title": "An Dr. Krenn", "text": "Es fanden {{sessions_held}} Sitzungen statt."}"#
        let put = portal.change(.put, path, body, as: .ada)
        #expect(put.status == 200 && put.attributes["text"] == .string("Es fanden 1 Sitzungen statt."))
        let bad = portal.change(.put, path, #"{"title": "X", "text": "a\n{{nichts}}"}"#, as: .ada)
        #expect(bad.status == 422 && bad.wrongFields == ["text"] && bad.text.contains("Zeile 2"))
        #expect(
            portal.change(.put, path, #"{"title": "", "text": ""}"#, as: .ada).wrongFields == [
                "title", "text",
            ])
        #expect(portal.call(.post, letters, #"{"kind": "invoice"}"#, as: .ada).wrongFields == ["kind"])
        #expect(portal.change(.delete, path, "{}", as: .ada).status == 204)
        #expect(portal.call(.get, path, as: .ada).status == 404)
        let audit = try portal.audit()
        #expect(audit.count { $0.hasPrefix("letter.") } == 5)
    }

    @Test func `PR-38 letters are their author's alone`() throws {
        let made = portal.call(.post, letters, #"{"kind": "gp"}"#, as: .ada)
        #expect(portal.call(.get, letters, as: .ben).status == 404)
        let member = #"{"email": "ben@example.org", "role": "therapist"}"#
        let joined = portal.call(
            .post, letters.replacing("/letters", with: "/members"), member, as: .ada)
        #expect(joined.status == 201, "\(joined.text)")
        // A second therapist writes their own, and reads no others.
        #expect(portal.call(.get, letters, as: .ben).list.isEmpty)
        #expect(portal.call(.get, "\(letters)/\(made.id)", as: .ben).status == 404)
        #expect(portal.change(.delete, "\(letters)/\(made.id)", "{}", as: .ben).status == 404)
        #expect(portal.get("\(letters)/\(made.id)", as: .ben).status == 404)
        #expect(portal.call(.get, "/my/data", as: .pia).text.contains("{{courses}}") == false)
    }

    // MARK: Pages

    @Test func `PR-38 the page makes, shows and changes a letter`() throws {
        let made = portal.post(letters, [("kind", "insurer")], as: .ada)
        let edit = try #require(made.headers["Location"])
        #expect(made.status == 303 && edit.hasSuffix("/edit"))
        let form = portal.get(edit, as: .ada).text
        #expect(form.contains("Bericht an die Krankenkasse") && form.contains("{{sessions_held}}"))
        let page = portal.get(String(edit.dropLast(5)), as: .ada).text
        #expect(page.contains("letter__course") && page.contains("Intensität") && page.contains("<h2>"))
        let revision = try #require(form.firstMatch(of: /name="revision" value="(-?\d+)"/)?.1)
        let bad = portal.post(
            edit, [("revision", String(revision)), ("title", "X"), ("text", "Vor\n{{wetter}}")], as: .ada)
        #expect(bad.status == 422 && bad.text.contains("Zeile 2") && bad.text.contains("{{wetter}}"))
        let kept = portal.post(
            edit, [("revision", String(revision)), ("title", "X"), ("text", "Gut. <b>fett</b>")],
            as: .ada)
        #expect(kept.status == 303)
        // Markup of one's own is left out.
        let shown = portal.get(String(edit.dropLast(5)), as: .ada).text
        #expect(shown.contains("Gut.") && !shown.contains("<b>"))
        let stale = portal.post(
            edit, [("revision", String(revision)), ("title", "Y"), ("text", "Y")], as: .ada)
        #expect(stale.status == 412 && stale.text.contains("Gut."))
        let path = String(edit.dropLast(5))
        #expect(portal.get(path + "/removal", as: .ada).text.contains("„X“ löschen"))
        #expect(portal.post(path + "/removal", [("confirmed", "true")], as: .ada).status == 303)
        #expect(portal.get(path, as: .ada).status == 404)
    }
}
