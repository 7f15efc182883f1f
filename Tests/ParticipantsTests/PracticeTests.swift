import Database
import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Web

/// IO-12 and IO-13 in the browser: a patient's own words on an intervention stay with them.
@Suite struct PracticeTests {
    let portal: TestPortal
    var path: String { "/my/interventions/\(portal.cast.intervention)" }
    static let text = "Achten Sie auf den Weg."

    init() throws { portal = try TestPortal() }

    private func times() -> (opened: Bool, completed: Bool) {
        let own = portal.call(.get, "/my/interventions", as: .pia).list.first?["attributes"]
        return (own?["opened_at"]?.string != nil, own?["completed_at"]?.string != nil)
    }

    @Test func `IO-12 looking opens nothing, a button opens, another completes`() {
        let list = portal.get("/my/interventions", as: .pia)
        #expect(list.status == 200 && list.text.contains("action=\"\(path)/opening\""))
        #expect(portal.get(path, as: .pia).status == 200)
        #expect(times() == (false, false))
        // Nothing is completed unread.
        #expect(portal.post("\(path)/completion", as: .pia).status == 303)
        #expect(times() == (false, false))
        let opened = portal.post("\(path)/opening", as: .pia)
        #expect(opened.status == 303 && opened.headers["Location"] == path)
        #expect(times() == (true, false))
        let page = portal.get(path, as: .pia).text
        #expect(page.contains(Self.text) && page.contains("Abschließen"))
        #expect(portal.get("/my/interventions", as: .pia).text.contains(Self.text))
        #expect(portal.post("\(path)/completion", as: .pia).status == 303)
        #expect(times() == (true, true))
        #expect(portal.get(path, as: .pia).text.contains("Abgeschlossen: heute"))
    }

    @Test func `FD-43 an exercise is called by its first line, and is new for seven days`() throws {
        for page in ["/my/interventions", "/my"] {
            let text = portal.get(page, as: .pia).text
            #expect(text.contains(">\(Self.text)<") && text.contains(">neu<"), "\(page)")
        }
        try portal.wait(awake: 8)
        let list = portal.get("/my/interventions", as: .pia).text
        #expect(
            list.contains(">\(Self.text)</a>") && !list.contains(">neu<") && !list.contains("Neu für Sie"))
        #expect(list.contains("Offen") && !portal.get("/my", as: .pia).text.contains(Self.text))
    }

    @Test func `FD-43 what follows the first line of an exercise is read once it is opened`() throws {
        let patient = portal.cast.therapies[.pia] ?? ""
        let long = String(repeating: "Immer weiter ", count: 9) + "und zuletzt hier."
        let cases = [
            ("Ein Weg\nJeden Tag einmal.", "Ein Weg", "Jeden Tag einmal."), (long, "Immer weiter", long),
        ]
        for (text, title, rest) in cases {
            let escaped = text.replacing("\n", with: #"\n"#)
            let made = portal.call(
                .post, "/patients/\(patient)/interventions", #"{"kind": "task", "text": "\#(escaped)"}"#,
                as: .ada)
            let path = "/my/interventions/\(made.id)"
            let closed = portal.get(path, as: .pia)
            // What there is to read stands apart, for a script that tells of it.
            let shown = closed.text.replacing(/<template>.*<\/template>/.dotMatchesNewlines(), with: "")
            #expect(made.status == 201 && shown.contains("\">\(title)") && !shown.contains(rest))
            #expect(closed.text.contains(rest) && closed.text.matches(of: /<h1/).count == 1)
            #expect(!portal.get("/my/interventions", as: .pia).text.contains(rest))
            #expect(portal.post("\(path)/opening", as: .pia).status == 303)
            let opened = portal.get(path, as: .pia).text
            #expect(opened.contains(rest) && opened.matches(of: /<h1/).count == 1)
        }
    }

    @Test func `IO-12 what a phone said first stays, and saying it again is harmless`() throws {
        let early = #"{"opened_at": "2026-11-20T08:00:00Z"}"#
        #expect(portal.call(.patch, path, early, as: .pia).status == 200)
        #expect(portal.post("\(path)/opening", as: .pia).status == 303)
        let own = portal.call(.get, "/my/interventions", as: .pia).list.first?["attributes"]
        #expect(own?["opened_at"]?.string == "2026-11-20T08:00:00Z")
        for _ in 0..<2 { #expect(portal.post("\(path)/completion", as: .pia).status == 303) }
        #expect(try portal.audit().count { $0 == "intervention.reported" } == 2)
    }

    @Test func `IO-12 somebody else's, unknown and withdrawn ones`() {
        #expect(portal.get(path, as: .quinn).status == 404)
        #expect(portal.post("\(path)/opening", as: .quinn).status == 404)
        let pia = portal.cast.therapies[.pia] ?? ""
        let staff = "/patients/\(pia)/interventions/\(portal.cast.intervention)"
        #expect(portal.call(.delete, staff, as: .ada).status == 204)
        #expect(portal.get(path, as: .pia).status == 410)
        #expect(portal.post("\(path)/opening", as: .pia).status == 410)
        #expect(portal.get("/my/interventions", as: .pia).text.contains("Im Moment ist nichts da"))
        let unpaired = portal.get("/my/interventions", as: .nora)
        #expect(unpaired.status == 200 && unpaired.text.contains("href=\"/pair\""))
    }

    @Test func `IO-13 no field for own words is sent by a page, and no form takes any`() throws {
        let canary = "Kanarienvogel-4711"
        #expect(portal.post("\(path)/opening", as: .pia).status == 303)
        for page in ["/my/interventions", path] {
            let text = portal.get(page, as: .pia).text
            // What is written on has no name, and stands in no form.
            for area in text.matches(of: /<textarea[^>]*>/) {
                #expect(!area.output.contains("name="), "\(page)")
            }
            for form in text.matches(of: /<form.*?<\/form>/.dotMatchesNewlines()) {
                #expect(!form.output.contains("<textarea"), "\(page)")
            }
            // Of fields that are sent there is the form's token alone.
            for field in text.matches(of: /<input[^>]*name="([^"]*)"/) {
                #expect(field.1 == "form_token", "\(page)")
            }
        }
        let before = try portal.audit()
        for end in ["opening", "completion"] {
            for name in ["text", "answer", "done", "body", "note"] {
                let answer = portal.post("\(path)/\(end)", [(name, canary)], as: .pia)
                #expect(answer.status == 422 && !answer.text.contains(canary), "\(end) \(name)")
            }
        }
        #expect(times() == (true, false))
        #expect(try portal.audit() == before)
        #expect(!portal.logged.contains { $0.contains(canary) })
        #expect(try holds(canary) == [])
    }

    /// The tables in which a word stands.
    private func holds(_ word: String) throws -> [String] {
        try portal.services.records.read { connection in
            let texts: [[UInt8]] = try connection.all("SELECT text FROM interventions") { row in try row[0] }
            #expect(!texts.isEmpty)
            let found = texts.contains { Data($0).range(of: Data(word.utf8)) != nil }
            let logged = try connection.exists("SELECT 1 FROM audit_log WHERE object_id = \(word)")
            return (found ? ["interventions"] : []) + (logged ? ["audit_log"] : [])
        }
    }
}
