import Database
import Foundation
import HTTP
import JSON
import Testing
import Wire
import Wording

@testable import Portal
@testable import PortalTesting
@testable import Records
@testable import Studies
@testable import Web

/// TYS-1: a study has a picture, for those who may see the study.
@Suite struct PictureTests {
    let portal: TestPortal
    let desk: StudyDesk

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
    }

    func set(_ bytes: [UInt8], _ study: String) -> Response {
        let text = Data(bytes).base64EncodedString()
        return portal.change(.patch, "/studies/\(study)", #"{"picture": "\#(text)"}"#, as: .lena)
    }

    @Test func `it is set, shown at an address of its own, changed and removed`() throws {
        let study = desk.begin()
        #expect(portal.call(.get, "/studies/\(study)/picture", as: .nora).status == 404)
        let url = try #require(set(PictureSample.png, study).attributes["picture_url"]?.string)
        #expect(url.hasPrefix("/api/v1/studies/\(study)/picture?version="))
        let shown = portal.call(.get, String(url.dropFirst(7)), as: .nora)
        #expect(shown.headers["Content-Type"] == "image/png" && shown.bytes == PictureSample.png)
        let other = set(PictureSample.jpeg(1, 1), study).attributes["picture_url"]?.string
        #expect(other != url && other != nil)
        #expect(
            portal.call(.get, "/studies/\(study)/picture", as: .nora).headers["Content-Type"] == "image/jpeg")
        #expect(portal.get("/studies/\(study)", as: .lena).text.contains("class=\"study-picture\""))
        let removed = portal.change(.patch, "/studies/\(study)", #"{"picture": null}"#, as: .lena)
        #expect(removed.attributes["picture_url"] == .null)
    }

    @Test func `what is no picture is refused, and who may not see the study sees no picture`() {
        let study = desk.begin()
        for wrong in [Array("<svg onload='x'/>".utf8), [], Array("RIFF____WAVE".utf8)] {
            let refused = set(wrong, study)
            #expect(refused.status == 422 && refused.json["errors"]?["picture"] != nil)
        }
        #expect(
            set(PictureSample.png + [UInt8](repeating: 0, count: StudyPicture.largest), study).status == 422)
        #expect(set(PictureSample.png, study).status == 200)
        _ = portal.change(.patch, "/studies/\(study)", #"{"is_hidden": true}"#, as: .lena)
        #expect(portal.call(.get, "/studies/\(study)/picture", as: .nora).status == 404)
        #expect(portal.call(.get, "/studies/\(study)/picture").status == 401)
    }

    @Test func `more than 4,096 pixels a side are refused, and what the file tells besides is left out`()
        throws
    {
        let study = desk.begin()
        for (bytes, word) in [
            (PictureSample.png(4097, 1), "4096"), (PictureSample.jpeg(1, 4097), "4096"),
            (PictureSample.png(0, 1), "beschädigt"),
            (Array(PictureSample.png(1, 1).dropLast(20)), "beschädigt"),
        ] {
            let refused = set(bytes, study)
            #expect(refused.status == 422 && refused.json["errors"]?["picture"] != nil)
            #expect(refused.text.contains(word), "\(refused.text)")
        }
        let place = Array("48.2082 N, 16.3738 E".utf8)
        let told = PictureSample.png(
            4096, 4096,
            PictureSample.chunk("tEXt", Array("Author\0Uma".utf8)) + PictureSample.chunk("eXIf", place))
        #expect(set(told, study).status == 200)
        let shown = portal.call(.get, "/studies/\(study)/picture", as: .nora)
        #expect(shown.bytes == PictureSample.drawn(PictureSample.png(4096, 4096)))
    }

    @Test func `what is too large only once it is drawn is refused, and stays where it lies already`() throws
    {
        let study = desk.begin()
        let small = PictureSample.noise(1960)
        #expect(
            small.count <= StudyPicture.largest && PictureSample.drawn(small).count > StudyPicture.largest)
        let refused = set(small, study)
        #expect(refused.status == 422 && refused.text.contains("500"), "\(refused.text)")
        #expect(set(PictureSample.png, study).status == 200)
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            try connection.run("UPDATE study_pictures SET bytes = \(small), version = 'old'")
            try connection.run("DELETE FROM installation WHERE name = 'pictures drawn'")
        }
        try StartUp.cleanPictures(portal.services)
        #expect(portal.call(.get, "/studies/\(study)/picture", as: .nora).bytes == small)
    }

    @Test func `a picture from before loses what it tells at the next start`() throws {
        let study = desk.begin()
        #expect(set(PictureSample.png, study).status == 200)
        let old = PictureSample.jpeg(5000, 1, [0xff, 0xfe, 0, 5] + Array("Uma".utf8))
        let told = PictureSample.png(1, 1, PictureSample.chunk("tEXt", Array("Author\0Uma".utf8)))
        for (stored, wanted) in [(told, PictureSample.png), (old, old)] {
            try portal.services.records.writeUnaudited(.madeUp) { connection in
                try connection.run("UPDATE study_pictures SET bytes = \(stored), version = 'old'")
                try connection.run("DELETE FROM installation WHERE name = 'pictures drawn'")
            }
            try StartUp.cleanPictures(portal.services)
            #expect(portal.call(.get, "/studies/\(study)/picture", as: .nora).bytes == wanted)
            let version: String? = try portal.services.records.read {
                try $0.value("SELECT version FROM study_pictures")
            }
            #expect((version == "old") == (stored == wanted))
        }
    }

    @Test func `what was drawn is not drawn again at every start`() throws {
        let study = desk.begin()
        #expect(set(PictureSample.jpeg(1, 1), study).status == 200)
        let shown = portal.call(.get, "/studies/\(study)/picture", as: .nora).bytes
        for _ in 0..<2 { try StartUp.cleanPictures(portal.services) }
        #expect(portal.call(.get, "/studies/\(study)/picture", as: .nora).bytes == shown)
    }

    @Test func `a form sends it as a file`() throws {
        let study = desk.begin()
        let sent = send([PictureSample.png], study)
        #expect(sent.status == 303, "\(sent.text.prefix(300))")
        let shown = portal.get("/studies/\(study)/picture", as: .lena)
        #expect(shown.bytes == PictureSample.png)
    }

    @Test func `LF-8 two pictures of one field are refused under it`() throws {
        let study = desk.begin()
        let sent = send([PictureSample.png, PictureSample.png], study)
        #expect(sent.status == 422 && sent.text.contains("picture-error"), "\(sent.text.prefix(300))")
        #expect(sent.text.contains(portal.services.texts(.german)["errors.twice"]))
        #expect(portal.get("/studies/\(study)/picture", as: .lena).status == 404)
    }

    @Test func `LF-8 an empty field before a picture does not hide it`() throws {
        let study = desk.begin()
        #expect(send([[], PictureSample.png], study).status == 303)
        #expect(portal.get("/studies/\(study)/picture", as: .lena).status == 200)
    }

    /// - Parameter pictures: an empty one is a field without a file.
    private func send(_ pictures: [[UInt8]], _ study: String) -> Response {
        let fields = [
            ("name", "stress-26"), ("title_de", "Stress"), ("consent_text_de", "Ja."), ("access", "open"),
            portal.revision(on: "/studies/\(study)/edit", as: .lena),
        ]
        let files = pictures.map { picture in
            TestPortal.Attached(
                field: "picture", name: picture.isEmpty ? "" : "bild.png", type: "image/png", bytes: picture)
        }
        return portal.post("/studies/\(study)/edit", fields, files: files, as: .lena)
    }
}
