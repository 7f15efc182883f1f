import HTTP
import JSON
import Testing

@testable import PortalTesting

/// A field of a JSON body that comes twice is refused under its name: one of the two would be dropped in silence (FD-47).
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
}
