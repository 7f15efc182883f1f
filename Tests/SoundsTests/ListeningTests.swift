import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Sounds
@testable import Web

/// SN-2: what was heard is kept once, and only what can be true.
@Suite struct ListeningTests {
    let portal: TestPortal
    let sound: ID<Sound>
    private let path = "/my/listening-sessions/22222222-2222-4222-8222-222222222222"

    init() throws {
        portal = try TestPortal()
        sound = try portal.addSound()
    }

    private func body(
        started: Int64 = -120, seconds: String = "100", rating: String = "3", state: String = "rated",
        more: String = "", sound: String? = nil
    ) -> String {
        #"""
        {"sound_id": "\#(sound ?? self.sound.text)", "started_at": "\#(portal.now.adding(seconds: started).text)",
         "listened_seconds": \#(seconds), "rating": \#(rating), "rating_state": "\#(state)"\#(more)}
        """#
    }

    @Test func `SN-2 a session is kept once; the same again is harmless, other content is refused`() {
        let first = body(more: #", "loop_minutes": 2"#)
        let made = portal.call(.put, path, first, as: .pia)
        #expect(made.status == 201 && made.attributes["counts"] == .bool(true))
        #expect(made.attributes["title"] == .string("Regen") && made.attributes["loop_minutes"] == .number(2))
        #expect(portal.call(.put, path, first, as: .pia).status == 200)
        let other = portal.call(.put, path, body(rating: "4"), as: .pia)
        #expect(other.status == 409 && other.json["code"] == .string("other_content"))
        // Another account may use the same id: ids are unique for each account.
        #expect(portal.call(.put, path, body(rating: "4"), as: .nora).status == 201)
        #expect(portal.call(.get, "/my/listening-sessions?limit=5", as: .pia).list.count == 1)
    }

    @Test func `SN-2 below ten seconds it is no play`() {
        let answer = portal.call(.put, path, body(seconds: "9.9"), as: .pia)
        #expect(answer.status == 201 && answer.attributes["counts"] == .bool(false))
    }

    @Test func `SN-2 what cannot be true is refused`() {
        let wrong = [
            body(started: 3_600), body(started: -10, seconds: "71"),
            body(started: -200_000, seconds: "86401"),
            body(seconds: "-1"), body(seconds: "\"10\""), body(seconds: "null"), body(rating: "null"),
            body(rating: "8"), body(rating: "0"), body(rating: "2.5"), body(state: "declined"),
            body(state: "timed_out"), body(rating: "null", state: "skipped"),
            body(more: #", "loop_minutes": 3"#), body(more: #", "volume": 3"#),
            body(sound: "5a5a5a5a-0000-4000-8000-0000000000ff"), body(sound: "rain"),
        ]
        for json in wrong {
            #expect(portal.call(.put, path, json, as: .pia).status == 422, "\(json)")
        }
        #expect(portal.call(.put, path, body(started: -10, seconds: "70"), as: .pia).status == 201)
        #expect(portal.call(.put, "/my/listening-sessions/x", body(), as: .pia).status == 422)
        #expect(portal.call(.put, path, body(), as: .ada).status == 403)
        #expect(portal.call(.put, path, body()).status == 401)
    }

    @Test func `SN-2 a draft is unknown, an archived sound may have been heard before`() throws {
        let draft = try portal.addSound(
            "5a5a5a5a-0000-4000-8000-0000000000a9", bytes: [9], isPublished: false)
        #expect(portal.call(.put, path, body(sound: draft.text), as: .pia).status == 422)
        #expect(portal.call(.patch, "/sounds/\(sound)", #"{"archived": true}"#, as: .lena).status == 200)
        #expect(portal.call(.put, path, body(), as: .pia).status == 201)
    }

    @Test func `SN-2 without scripts a form keeps how long and how it was`() throws {
        #expect(!portal.get("/my/sounds", as: .pia).text.contains("sounds__last"))
        let page = portal.get("/my/sounds/\(sound)", as: .pia)
        #expect(page.status == 200 && page.text.contains("<audio") && page.text.contains("S3-Leitlinie"))
        let id = try #require(page.text.firstMatch(of: /name="id" value="([^"]+)"/)?.1)
        let form = [("id", String(id)), ("minutes", "2,5"), ("rating", "2")]
        #expect(portal.post("/my/sounds/\(sound)/sessions", form, as: .pia).status == 303)
        // Impression 8: what was heard last stands first.
        let shelf = portal.get("/my/sounds", as: .pia).text
        #expect(shelf.contains("class=\"sounds__last\" href=\"/my/sounds/\(sound)\""))
        // Pressed twice: still one, a little later.
        #expect(portal.post("/my/sounds/\(sound)/sessions", form, as: .pia).status == 303)
        let list = portal.call(.get, "/my/listening-sessions", as: .pia).list
        #expect(list.count == 1 && list[0]["attributes"]?["listened_seconds"] == .number(150))
        for minutes in ["", "0", "-1", "9999", "x"] {
            let wrong = [("id", String(id)), ("minutes", minutes), ("rating", "")]
            let answer = portal.post("/my/sounds/\(sound)/sessions", wrong, as: .pia)
            #expect(answer.status == 422 && answer.text.contains("minutes"), "\(minutes)")
        }
    }

    @Test func `SN-2 a script sends what really sounded, and is answered in JSON`() {
        let id = "33333333-3333-4333-8333-333333333333"
        let form = [
            ("id", id), ("started_at", portal.now.adding(seconds: -130).text), ("listened_seconds", "120.0"),
            ("loop_minutes", "2"), ("rating", ""), ("rating_state", "timed_out"),
        ]
        let answer = portal.post(
            "/my/sounds/\(sound)/sessions", form, as: .pia, ["Accept": "application/json"])
        #expect(answer.status == 200 && answer.json["state"] == .string("taken"))
        let wrong = form.map { $0.0 == "rating" ? ("rating", "4") : $0 }
        let refused = portal.post(
            "/my/sounds/\(sound)/sessions", wrong, as: .pia, ["Accept": "application/json"])
        #expect(refused.status == 422 && refused.json["message"]?.string != nil)
    }

    @Test func `SN-3 favourites come and go, twice is harmless`() {
        let path = "/my/sound-favourites/\(sound)"
        #expect(portal.call(.get, path, as: .pia).status == 404)
        #expect(portal.call(.put, path, "{}", as: .pia).status == 200)
        #expect(portal.call(.put, path, "{}", as: .pia).status == 200)
        #expect(portal.call(.get, "/my/sound-favourites", as: .pia).list.count == 1)
        #expect(portal.get("/my/sounds", as: .pia).text.contains("★"))
        #expect(portal.call(.get, "/my/sound-favourites", as: .nora).list.isEmpty)
        #expect(portal.call(.delete, path, as: .pia).status == 204)
        #expect(portal.call(.delete, path, as: .pia).status == 204)
        let unknown = "/my/sound-favourites/5a5a5a5a-0000-4000-8000-0000000000ff"
        #expect(portal.call(.put, unknown, "{}", as: .pia).status == 404)
        #expect(portal.post("/my/sounds/\(sound)/favourite", [("favourite", "true")], as: .pia).status == 303)
    }

    @Test func `SN-2 erasing an account takes what it heard, and nothing of others`() {
        #expect(portal.call(.put, path, body(), as: .pia).status == 201)
        #expect(portal.call(.put, path, body(), as: .nora).status == 201)
        let export = portal.call(.get, "/my/export", as: .pia).attributes
        #expect(export["listening"]?.array?.count == 1)
        let password = #"{"password": "\#(Cast.password)"}"#
        #expect(portal.call(.delete, "/my/account", password, as: .nora).status == 204)
        #expect(
            portal.call(.get, "/sounds/\(sound)", as: .lena).attributes["library"]?["plays"] == .number(1))
    }

    @Test func `FD-40 only who has told of a tinnitus is asked about one, and a short sound begins repeated`()
        throws
    {
        let path = "/my/sounds/\(sound)"
        let before = portal.get(path, as: .pia).text
        #expect(before.contains("Wie geht es Ihnen jetzt") && !before.contains("Wie ist der Tinnitus"))
        #expect(before.contains(#"<option value="0" selected>endlos"#))
        #expect(before.contains(#"class="session player__dialog""#))
        let match = """
            {"matched_at": "2026-11-20T08:59:00Z", "method": "slider", "ear": "right", "kind": "tone",
             "frequency_hz": 6137.5, "level_sl_db": 12, "certainty": 7, "run": 1}
            """
        let kept = portal.call(
            .put, "/my/tinnitus-matches/44444444-4444-4444-8444-444444444441", match, as: .pia)
        #expect(kept.status == 201, "\(kept.text)")
        #expect(portal.get(path, as: .pia).text.contains("Wie ist der Tinnitus jetzt"))
        #expect(!portal.get(path, as: .nora).text.contains("Tinnitus jetzt"))
    }

    @Test func `SN-1 listening without an account keeps nothing`() {
        #expect(portal.get("/listen", as: .nobody).text.contains("Regen"))
        let page = portal.get("/listen/\(sound)", as: .nobody)
        #expect(page.status == 200 && page.text.contains("<audio") && !page.text.contains("/sessions"))
        #expect(page.headers["Content-Security-Policy"]?.contains("media-src 'self' blob:") == true)
        #expect(portal.get("/listen/x", as: .nobody).status == 404)
    }
}
