import HTTP
import JSON
import Testing

@testable import PortalTesting

/// What comes twice is refused under its name: one of the two would be dropped in silence (FD-47).
@Suite struct TwiceTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }

    @Test(arguments: [
        (#"{"language": "de", "language": "en"}"#, "language"),
        (#"{"a": {"b": [1, {"c": 1, "c": 2}]}}"#, "a.b.1.c"),
    ])
    func `in a JSON body`(body: String, place: String) {
        let answer = portal.call(.patch, "/my/profile", body, as: .pia)
        #expect(answer.status == 422 && answer.json["code"]?.string == "duplicate_key", "\(answer.text)")
        #expect(answer.json["errors"]?[place]?.array == [.string("Dieses Feld kommt zweimal vor.")])
        #expect(answer.json["message"]?.string?.contains("Zeile 1") == true)
    }

    @Test func `in a form, but for the hidden field before a box`() {
        let new = [("codename", "C900001"), ("codename", "C900002")]
        let refused = portal.post("/patients/new", new, as: .ada)
        #expect(refused.status == 422 && refused.text.contains("Dieses Feld kommt zweimal vor."))
        let hidden = portal.post("/screen", [("names", "hidden"), ("names", "shown")], as: .ada)
        #expect(hidden.status == 422)
        let twice = [
            ("email", "ada@example.org"), ("password", Cast.password), ("stay_signed_in", ""),
            ("stay_signed_in", "true"),
        ]
        #expect(Browser(portal).post("/login", twice).status == 303)
    }
}
