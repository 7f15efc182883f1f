import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Research
@testable import Studies
@testable import Web

/// ST-6: no file leaves with what was withdrawn or erased before it left.
@Suite struct ExportBasisTests {
    let portal: TestPortal
    let desk: StudyDesk
    let study: String

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
        study = desk.begin(#"{"measurements": ["steps", "sleep"]}"#)
        _ = desk.add("wellbeing-5", to: study)
        let body = #"{"consent_accepted": true, "measurements": ["steps", "sleep"]}"#
        #expect(desk.enrol(.pia, in: study, body).status == 201)
        #expect(desk.enrol(.nora, in: study).status == 201)
        #expect(desk.answer("wellbeing-5", in: study, as: .pia).status == 201)
    }

    private func export(_ format: String) -> Response {
        portal.call(.get, "/studies/\(study)/export?format=\(format)", as: .lena)
    }

    /// - Returns: the page of an export that waits.
    private func begin(_ format: String) -> String {
        let response = portal.post(
            "/studies/\(study)/export", [("format", format), ("password", Cast.password)], as: .lena)
        portal.services.exports.wait()
        return response.headers["Location"] ?? ""
    }

    private func give(_ kinds: String) {
        let path = "/studies/\(study)/enrolment/measurements"
        #expect(portal.call(.put, path, #"{"measurements": \#(kinds)}"#, as: .pia).status == 200)
    }

    @Test(arguments: ["research", "leave", "erase", "tick"])
    func `ST-6 what is withdrawn while a call writes its file is in no answer`(way: String) throws {
        let (answer, hasCome) = portal.interleaving({
            switch way {
            case "research":
                _ = portal.call(.put, "/my/privacy", #"{"research_consent": false}"#, as: .pia)
            case "leave": _ = portal.call(.delete, "/studies/\(study)/enrolment?data=remove", as: .pia)
            case "erase":
                _ = portal.call(.delete, "/my/account", #"{"password": "\#(Cast.password)"}"#, as: .pia)
            default: give(#"["sleep"]"#)
            }
        }) { export("zip") }
        #expect(hasCome && answer.status == 410, "\(answer.status)")
        #expect(answer.json["code"]?.string == "export_changed")
        #expect(try !portal.audit().contains("study.exported"))
        // Made anew it has what is still given.
        #expect(export("zip").status == 200)
    }

    @Test
    func `ST-6 a tick that is taken away takes the waiting file with it, and one that is added does not`()
        throws
    {
        give(#"["steps"]"#)
        let kept = begin("zip")
        give(#"["steps", "sleep"]"#)
        #expect(portal.get(kept + "/file", as: .lena).status == 200)
        let gone = begin("measurements")
        give(#"["sleep"]"#)
        let refused = portal.get(gone + "/file", as: .lena)
        #expect(refused.status == 410 && refused.text.contains("widerrufen"))
        // A file of answers has nothing of it.
        let answers = begin("csv")
        give("[]")
        #expect(portal.get(answers + "/file", as: .lena).status == 200)
    }

    @Test func `ST-6 a refusal that keeps the answers takes no file away, one that erases them does`() throws
    {
        let change = #"{"consent_text": {"de": "Zwei."}}"#
        #expect(portal.change(.patch, "/studies/\(study)", change, as: .lena).status == 200)
        let path = "/studies/\(study)/enrolment/refusal"
        let kept = begin("csv")
        let stay = #"{"consent_version": 2, "data": "keep"}"#
        #expect(portal.call(.post, path, stay, as: .nora).status == 200)
        #expect(portal.get(kept + "/file", as: .lena).status == 200)
        let gone = begin("csv")
        let burn = #"{"consent_version": 2, "data": "remove"}"#
        #expect(portal.call(.post, path, burn, as: .pia).status == 200)
        #expect(portal.get(gone + "/file", as: .lena).status == 410)
    }
}
