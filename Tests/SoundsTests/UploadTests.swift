import Database
import Foundation
import JSON
import Testing
import Wire
import Wording

@testable import HTTP
@testable import PortalTesting
@testable import Records
@testable import SoundFiles
@testable import Sounds
@testable import Web

/// SN-1: a file is measured before it is saved, and nothing of a refused one stays.
@Suite struct SoundUploadTests {
    let portal: TestPortal

    init() throws {
        portal = try TestPortal()
        let made = portal.call(.post, "/sound-categories", #"{"title": {"de": "Töne"}}"#, as: .lena)
        #expect(made.status == 201)
    }

    private var category: String {
        portal.call(.get, "/sound-categories", as: .lena).list.first?["id"]?.string ?? ""
    }

    /// A second of a tone, as 16-bit WAV.
    private static let wav: [UInt8] = {
        func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
            withUnsafeBytes(of: number.littleEndian) { Array($0) }
        }
        let samples = (0..<48_000).flatMap { index in
            little(Int16(3_000 * sin(2 * Double.pi * 440 * Double(index) / 48_000)))
        }
        return Array("RIFF".utf8) + little(UInt32(36 + samples.count)) + Array("WAVEfmt ".utf8)
            + little(UInt32(16)) + little(UInt16(1)) + little(UInt16(1)) + little(UInt32(48_000))
            + little(UInt32(96_000)) + little(UInt16(2)) + little(UInt16(16)) + Array("data".utf8)
            + little(UInt32(samples.count)) + samples
    }()

    private func send(
        _ path: String, audio: [UInt8]?, name: String = "ton.wav", picture: [UInt8] = [],
        _ fields: [(String, String)] = [], more: [(key: String, file: String, bytes: [UInt8])] = [],
        token: String? = nil, as person: Person = .lena
    ) throws -> Response {
        let isCall = path.hasPrefix("/api")
        var body: [UInt8] = []
        let token = token ?? portal.services.keys.formToken(for: portal.cast.sessions[person] ?? "")
        for (key, value) in fields + (isCall ? [] : [("form_token", token)]) {
            body += Array("--b\r\nContent-Disposition: form-data; name=\"\(key)\"\r\n\r\n\(value)\r\n".utf8)
        }
        let files = [("audio", name, audio ?? []), ("picture", "bild.png", picture)] + more
        for (key, file, bytes) in files where !bytes.isEmpty {
            let head = "--b\r\nContent-Disposition: form-data; name=\"\(key)\"; filename=\"\(file)\"\r\n\r\n"
            body += Array(head.utf8) + bytes + [13, 10]
        }
        body += Array("--b--\r\n".utf8)
        let upload = Upload(folder: portal.services.settings.incomingPath)
        var reader = MultipartReader(upload, boundary: Array("b".utf8))
        body.withUnsafeBytes { reader.take($0) }
        reader.finish()
        let sign: Headers =
            isCall
            ? ["Authorization": "Bearer \(portal.cast.tokens[person] ?? "")"]
            : ["Cookie": "sid=\(portal.cast.sessions[person] ?? "")"]
        var headers = sign
        headers.append("Content-Type", "multipart/form-data; boundary=b")
        return portal.pipeline.respond(
            to: Request(
                method: .post, target: try #require(Target(path)), headers: headers, upload: upload,
                peer: "192.0.2.1"))
    }

    private var stored: [String] {
        let folder = portal.services.settings.soundsPath
        let all = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        return all.filter { $0.count > 60 || $0.hasPrefix("incoming/") }
    }

    private func fields(_ more: [(String, String)] = []) -> [(String, String)] {
        [
            ("title", #"{"de": "Ton", "en": "Tone"}"#), ("category_id", category), ("credits", "Ada"),
            ("licence", "CC0 1.0"),
        ] + more
    }

    @Test func `SN-1 a call adds a sound with what was measured, unpublished`() throws {
        let answer = try send(
            "/api/v1/sounds", audio: Self.wav, fields([("loop_start", "0"), ("loop_end", "48000")]))
        #expect(answer.status == 201, "\(answer.text)")
        let sound = answer.attributes
        #expect(sound["media_type"] == .string("audio/wav") && sound["length_seconds"] == .number(1))
        #expect(sound["sample_rate"] == .number(48_000) && sound["loop_end"] == .number(48_000))
        let loudness = try #require(sound["library"]?["loudness_lufs"]?.number)
        // A sine of that height, on both ears.
        #expect(abs(loudness - -20.8) < 1.5, "\(loudness)")
        #expect(sound["library"]?["published_at"] == .null && portal.call(.get, "/sounds").list.isEmpty)
        #expect(stored.count == 1)
        // The same bytes once more: one file, two sounds.
        #expect(try send("/api/v1/sounds", audio: Self.wav, fields()).status == 201)
        #expect(stored.count == 1 && portal.call(.get, "/sounds?state=all", as: .lena).list.count == 2)
    }

    @Test func `SN-1 what is refused leaves nothing behind`() throws {
        let html = Array("<html>no sound</html>".utf8)
        let wrong: [(audio: [UInt8]?, name: String, picture: [UInt8], fields: [(String, String)])] = [
            (html, "ton.mp3", [], fields()), (Self.wav, "ton.flac", [], fields()),
            (nil, "", [], fields()), (Array(Self.wav.prefix(44)), "leer.wav", [], fields()),
            (Self.wav, "ton.wav", html, fields()),
            (Self.wav, "ton.wav", [], fields([("loop_start", "10"), ("loop_end", "5")])),
            (Self.wav, "ton.wav", [], fields([("loop_start", "0"), ("loop_end", "48001")])),
            (Self.wav, "ton.wav", [], fields([("colour", "blue")])),
            (Self.wav, "ton.wav", [], fields().filter { $0.0 != "licence" }),
            (Self.wav, "ton.wav", [], fields().filter { $0.0 != "title" } + [("title", "Ton")]),
            (
                Self.wav, "ton.wav", [],
                fields().map {
                    $0.0 == "category_id" ? ("category_id", "5a5a5a5a-0000-4000-8000-000000000009") : $0
                }
            ),
        ]
        for one in wrong {
            let answer = try send(
                "/api/v1/sounds", audio: one.audio, name: one.name, picture: one.picture, one.fields)
            #expect(answer.status == 422, "\(one.name) \(one.fields) \(answer.text)")
            #expect(stored.isEmpty, "\(one.name) \(one.fields) \(stored)")
        }
        #expect(portal.call(.post, "/sounds", "{}", as: .lena).status == 415)
        #expect(try send("/api/v1/sounds", audio: Self.wav, fields(), as: .ada).status == 403)
    }

    @Test func `RP-207 two files of one name and size, sent from one page, are two`() throws {
        let page = portal.services.keys.pageToken(for: portal.cast.sessions[.lena] ?? "")
        var other = Self.wav
        other[5_000] ^= 1
        let first = try send("/sounds/new", audio: Self.wav, token: page)
        let again = try send("/sounds/new", audio: Self.wav, token: page)
        #expect(first.status == 303 && again.status == 303)
        #expect(first.headers["Location"] == again.headers["Location"])
        let second = try send("/sounds/new", audio: other, token: page)
        #expect(second.status == 409, "\(second.text)")
        #expect(stored.count == 1)
    }

    @Test(arguments: ["/api/v1/sounds", "/sounds/new"])
    func `of two uploads of one sound at once the refused one leaves the other its file`(
        _ path: String
    ) throws {
        let good = path.hasPrefix("/api") ? fields() : []
        let bad = fields().map { $0.0 == "licence" ? ($0.0, "") : $0 }
        let unknown = fields().map {
            $0.0 == "category_id" ? ($0.0, "5a5a5a5a-0000-4000-8000-000000000009") : $0
        }
        let png = PictureSample.png
        // Refused before the transaction and in it, while the other one has read everything and written nothing.
        let (answer, isThere) = try portal.interleaving({
            for refused in [bad, unknown] {
                let other = try? send("/api/v1/sounds", audio: Self.wav, picture: png, refused)
                #expect(other?.status == 422)
            }
        }) { try send(path, audio: Self.wav, picture: png, good) }
        #expect(isThere && [201, 303].contains(answer.status), "\(answer.text)")
        #expect(stored.count == 2)
        let hashes = try portal.services.records.read { connection -> [String] in
            try connection.all("SELECT hash FROM sound_files ORDER BY kind") { row in try row[0] }
        }
        #expect(hashes.count == 2)
        for hash in hashes { #expect(portal.get("/api/v1/sounds/files/\(hash)", as: .lena).status == 200) }
    }

    @Test func `LF-8 what comes twice in a form with files is refused under its field`() throws {
        let png = PictureSample.png
        let wrong: [(field: String, fields: [(String, String)], more: [(String, String, [UInt8])])] = [
            ("audio", [], [("audio", "zwei.wav", Self.wav)]),
            ("picture", [], [("picture", "a.png", png), ("picture", "b.png", png)]),
            ("audio", [("audio", "ton.wav")], []),
            ("loop_start", [], [("loop_start", "a.txt", [48])]),
        ]
        let repeated: [(field: String, fields: [(String, String)], more: [(String, String, [UInt8])])] = [
            ("credits", "Bo"), ("licence", "CC BY"), ("category_id", category), ("title", #"{"de": "Zwei"}"#),
            ("credits", ""), ("loop_start", ""),
        ].map { ($0.0, $0.0 == "loop_start" ? [("loop_start", "5"), $0] : [$0], []) }
        for one in wrong + repeated {
            let answer = try send("/api/v1/sounds", audio: Self.wav, fields(one.fields), more: one.more)
            #expect(answer.status == 422, "\(one.field) \(answer.text)")
            #expect(
                answer.text.contains(#""/\#(one.field)""#) || answer.text.contains(#""\#(one.field)""#),
                "\(answer.text)")
            #expect(stored.isEmpty, "\(one.field) \(stored)")
        }
        let twice = portal.services.texts(.german)["errors.twice"]
        for one in wrong.prefix(2) {
            let answer = try send("/sounds/new", audio: Self.wav, more: one.more)
            #expect(answer.status == 422 && answer.text.contains("\(one.field)-error"), "\(answer.text)")
            #expect(answer.text.contains(twice) && stored.isEmpty)
        }
        // A field without a chosen file, beside one with a file, is none.
        #expect(try send("/sounds/new", audio: Self.wav, [("picture", "")]).status == 303)
    }

    @Test func `SN-1 in the portal the file is shown with its numbers before it is saved`() throws {
        let uploaded = try send("/sounds/new", audio: Self.wav)
        let page = try #require(uploaded.headers["Location"])
        #expect(uploaded.status == 303 && page.hasPrefix("/sounds/uploads/"))
        let shown = portal.get(page, as: .lena)
        #expect(shown.status == 200 && shown.text.contains("48000") && shown.text.contains("<path d=\"M0 50"))
        #expect(shown.text.contains("ohne Lücke") && portal.get(page, as: .leo).status == 404)
        let form = [
            ("title_de", "Ton"), ("title_en", ""), ("category_id", category), ("credits", "Ada"),
            ("licence", "CC0"), ("loop_start", "5"), ("loop_end", "2"),
        ]
        let wrong = portal.post(page, form, as: .lena)
        #expect(wrong.status == 422 && wrong.text.contains("loop_end-error"))
        let right = form.map { $0.0 == "loop_end" ? ("loop_end", "4000") : $0 }
        #expect(portal.post(page, right, as: .lena).status == 303)
        #expect(portal.get(page, as: .lena).status == 404)
        #expect(portal.get("/sounds", as: .lena).text.contains("Ton"))
        let refused = try send("/sounds/new", audio: Array("<html>".utf8), name: "x.mp3")
        #expect(refused.status == 422 && refused.text.contains("weder FLAC"))
    }

    @Test func `SN-1 an upload that gets no title goes after a day, with its file`() throws {
        #expect(try send("/sounds/new", audio: Self.wav).status == 303)
        portal.wait(days: 2)
        try portal.services.records.writeUnaudited(.expired) { [now = portal.now] connection in
            try Feature.sounds.removeExpired(now, connection)
        }
        let left = try portal.services.records.read { connection in
            try connection.count("SELECT count(*) FROM sound_files")
        }
        #expect(left == 0)
    }
}
