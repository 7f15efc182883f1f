import Database
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Sounds
@testable import Web

/// SN-1: a library for everybody, kept by study leads.
@Suite struct LibraryTests {
    let portal: TestPortal

    init() throws { portal = try TestPortal() }

    @Test func `SN-1 everybody reads what is published, in order of category and position, with a tag`()
        throws
    {
        try portal.addSound()
        try portal.addSound("5a5a5a5a-0000-4000-8000-0000000000a2", title: "Meer", bytes: [1, 2, 3])
        try portal.addSound(
            "5a5a5a5a-0000-4000-8000-0000000000a3", title: "Entwurf", bytes: [4], isPublished: false)
        let answer = portal.call(.get, "/sounds")
        #expect(answer.status == 200)
        #expect(answer.list.map { $0["attributes"]?["title"]?.string } == ["Regen", "Meer"])
        let first = try #require(answer.list.first?["attributes"])
        #expect(first["category"]?["title"] == .string("Natur") && first["length_seconds"] == .number(2))
        #expect(first["gain_db"] == .number(-3) && first["library"] == .null)
        #expect(first["credits"] == .string("Ada Wieser") && first["licence"] == .string("CC0 1.0"))
        let tag = try #require(answer.headers["ETag"])
        #expect(portal.call(.get, "/sounds", as: .nobody, ["If-None-Match": tag]).status == 304)
        #expect(portal.call(.get, "/sounds/5a5a5a5a-0000-4000-8000-0000000000a3").status == 404)
        #expect(portal.call(.get, "/sounds/5a5a5a5a-0000-4000-8000-0000000000a3", as: .lena).status == 200)
        #expect(portal.call(.get, "/sounds/nonsense").status == 404)
    }

    @Test func `SN-1 the whole library is for leads alone`() throws {
        try portal.addSound(isPublished: false)
        #expect(portal.call(.get, "/sounds?state=all", as: .lena).list.count == 1)
        #expect(portal.call(.get, "/sounds?state=all", as: .leo).list.count == 1)
        #expect(portal.call(.get, "/sounds?state=all").status == 401)
        for person in [Person.ada, .uma, .pia] {
            #expect(portal.call(.get, "/sounds?state=all", as: person).status == 403, "\(person)")
        }
        #expect(portal.call(.get, "/sounds?state=nonsense", as: .lena).status == 422)
    }

    @Test func `SN-1 a file is fetched by its hash, for a year, in ranges, as often as a player likes`()
        throws
    {
        let bytes = (0..<1_000).map { UInt8($0 % 251) }
        try portal.addSound(bytes: bytes)
        let url = try #require(portal.call(.get, "/sounds").list.first?["attributes"]?["audio_url"]?.string)
        let file = portal.send(.get, url)
        #expect(file.status == 200 && file.headers["Content-Type"] == "audio/flac")
        #expect(file.headers["Cache-Control"] == "public, max-age=31536000, immutable")
        #expect(file.headers["Accept-Ranges"] == "bytes")
        let part = portal.send(.get, url, ["Range": "bytes=0-1"])
        #expect(part.status == 206 && part.headers["Content-Range"] == "bytes 0-1/1000")
        for address in [url, "/api/v1/sounds/5a5a5a5a-0000-4000-8000-0000000000a1/audio"] {
            for range in ["bytes=1000-", "bytes=1000-1001", "bytes=99999999999999999999-"] {
                let beyond = portal.send(.get, address, ["Range": range])
                #expect(beyond.status == 416 && beyond.headers["Content-Range"] == "bytes */1000")
                #expect(beyond.json["code"]?.string == "beyond_the_end", "\(range)")
            }
        }
        #expect(portal.send(.get, url, ["If-None-Match": file.headers["ETag"] ?? ""]).status == 304)
        let audio = portal.call(.get, "/sounds/5a5a5a5a-0000-4000-8000-0000000000a1/audio")
        #expect(audio.status == 200 && audio.headers["ETag"] == file.headers["ETag"])
        for _ in 0..<400 where portal.send(.get, url, ["Range": "bytes=0-1"]).status != 206 {
            Issue.record("a range was refused")
        }
        for nonsense in ["00", "master.key", String(repeating: "a", count: 64)] {
            #expect(portal.send(.get, "/api/v1/sounds/files/\(nonsense)").status == 404, "\(nonsense)")
        }
    }

    @Test func `SN-1 a lead changes, publishes and archives; what was heard stays`() throws {
        let id = try portal.addSound(isPublished: false)
        let path = "/sounds/\(id)"
        let change = #"{"published": true, "title": {"de": "Landregen"}, "loop_start": 0, "loop_end": 48000}"#
        let changed = portal.call(.patch, path, change, as: .lena)
        #expect(changed.status == 200 && changed.attributes["title"] == .string("Landregen"))
        #expect(changed.attributes["loop_end"] == .number(48_000))
        #expect(changed.attributes["library"]?["published_at"]?.string != nil)
        for wrong in [
            #"{"loop_start": 10, "loop_end": 10}"#, #"{"loop_end": 48000}"#,
            #"{"loop_start": 0, "loop_end": 96001}"#, #"{"position": 0}"#, #"{"title": {}}"#,
            #"{"category_id": "5a5a5a5a-0000-4000-8000-000000000009"}"#, #"{"credits": ""}"#,
            #"{"licence": null}"#, #"{"audio_hash": "x"}"#, #"{"published": "yes"}"#,
        ] {
            #expect(portal.call(.patch, path, wrong, as: .lena).status == 422, "\(wrong)")
        }
        let stale = portal.call(.patch, path, #"{"position": 2}"#, as: .lena, ["If-Match": "\"1\""])
        #expect(stale.status == 412)
        let session = #"""
            {"sound_id": "\#(id)", "started_at": "\#(portal.now.adding(seconds: -60).text)",
             "listened_seconds": 30, "rating": null, "rating_state": "declined"}
            """#
        let heard = "/my/listening-sessions/22222222-2222-4222-8222-222222222222"
        #expect(portal.call(.put, heard, session, as: .pia).status == 201)
        let refused = portal.call(.delete, path, as: .lena)
        #expect(refused.status == 409 && refused.json["code"] == .string("already_heard"))
        #expect(portal.call(.patch, path, #"{"archived": true}"#, as: .leo).status == 200)
        #expect(portal.call(.get, path).status == 404 && portal.call(.get, "/sounds").list.isEmpty)
    }

    @Test func `SN-1 what nobody heard goes for good`() throws {
        let id = try portal.addSound()
        #expect(portal.call(.delete, "/sounds/\(id)", as: .lena).status == 204)
        #expect(portal.call(.get, "/sounds?state=all", as: .lena).list.isEmpty)
        #expect(portal.call(.delete, "/sounds/\(id)", as: .lena).status == 404)
    }

    @Test func `SN-1 the same bytes twice are one file and two sounds`() throws {
        try portal.addSound()
        try portal.addSound("5a5a5a5a-0000-4000-8000-0000000000a2", title: "Noch einmal")
        let urls = portal.call(.get, "/sounds").list.map { $0["attributes"]?["audio_url"]?.string }
        #expect(urls.count == 2 && urls[0] == urls[1])
        #expect(
            try portal.services.records.read { try $0.count("SELECT count(*) FROM sound_files") } == 1)
    }

    @Test func `SN-1 categories are made, named, moved and archived by leads`() throws {
        let made = portal.call(.post, "/sound-categories", #"{"title": {"de": "Natur"}}"#, as: .lena)
        #expect(made.status == 201 && made.attributes["position"] == .number(1))
        let other = portal.call(.post, "/sound-categories", #"{"title": {"de": "Töne"}}"#, as: .lena)
        let id = other.id
        #expect(portal.call(.patch, "/sound-categories/\(id)", #"{"position": 0}"#, as: .lena).status == 422)
        #expect(portal.call(.post, "/sound-categories", #"{"title": {}}"#, as: .lena).status == 422)
        #expect(portal.call(.post, "/sound-categories", "{}", as: .ada).status == 403)
        #expect(portal.post("/sounds/categories/\(id)/move", [("direction", "up")], as: .lena).status == 303)
        let titles = portal.call(.get, "/sound-categories", as: .lena).list.map {
            $0["attributes"]?["title"]?["de"]?.string
        }
        #expect(titles == ["Töne", "Natur"])
        let archived = portal.call(.patch, "/sound-categories/\(id)", #"{"archived": true}"#, as: .lena)
        #expect(archived.attributes["archived_at"]?.string != nil)
    }

    @Test func `SN-1 the pages of the library show loudness, plays and the mean rating with its number`()
        throws
    {
        let id = try portal.addSound()
        for (index, rating) in [2, 3].enumerated() {
            let session = #"""
                {"sound_id": "\#(id)", "started_at": "\#(portal.now.adding(seconds: -60).text)",
                 "listened_seconds": 30, "rating": \#(rating), "rating_state": "rated"}
                """#
            let path = "/my/listening-sessions/22222222-2222-4222-8222-22222222222\(index)"
            #expect(portal.call(.put, path, session, as: .pia).status == 201)
        }
        let list = portal.get("/sounds", as: .lena)
        #expect(list.status == 200 && list.text.contains("2,5 (n = 2)") && list.text.contains("CC0 1.0"))
        let page = portal.get("/sounds/\(id)", as: .lena)
        #expect(page.status == 200 && page.text.contains("LUFS") && page.text.contains("M0 50L0"))
        #expect(!page.text.contains("/removal"))
        let form = [
            ("title_de", "Landregen"), ("credits", "Ada"), ("licence", "CC0"),
            ("category_id", TestPortal.soundCategory.text), ("position", "1"), ("loop_start", ""),
            ("loop_end", ""),
        ]
        #expect(portal.post("/sounds/\(id)", form, as: .lena).status == 303)
        #expect(portal.post("/sounds/\(id)", Array(form.dropFirst()), as: .lena).status == 422)
        #expect(portal.post("/sounds/\(id)/publication", [("published", "false")], as: .lena).status == 303)
        #expect(portal.get("/listen/\(id)", as: .nobody).status == 404)
        #expect(portal.post("/sounds/\(id)/archive", [("archived", "true")], as: .lena).status == 303)
        #expect(portal.get("/sounds?state=archived", as: .lena).text.contains("Landregen"))
        #expect(portal.post("/sounds/\(id)/removal", as: .lena).status == 409)
    }

    @Test func `FD-51 one button fills an empty library with the starter sounds, once`() throws {
        let portal = try TestPortal()
        let library = portal.get("/sounds", as: .lena).text
        #expect(library.contains("action=\"/sounds/starter-set\""))
        #expect(portal.get("/welcome", as: .ada).text.contains("action=\"/sounds/starter-set\""))
        #expect(portal.post("/sounds/starter-set", as: .uma).status == 403)
        let done = portal.post("/sounds/starter-set", [("next", "/sounds")], as: .lena)
        #expect(done.status == 303 && done.headers["Location"] == "/sounds")
        #expect(try portal.count("sounds") == 10)
        #expect(portal.call(.get, "/sounds", as: .nobody).list.count == 10)
        #expect(try portal.changes().filter { $0 == "sounds.starter_taken" }.count == 1)
        for path in ["/sounds", "/welcome"] {
            #expect(!portal.get(path, as: .lena).text.contains("/sounds/starter-set"), "\(path)")
        }
        // An old page, and a second press.
        #expect(portal.post("/sounds/starter-set", as: .ada).status == 303)
        #expect(try portal.count("sounds") == 10)
    }
}
