import Database
import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import Portal
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

    static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        big(data.count, 4) + Array(name.utf8) + data + [0, 0, 0, 0]
    }

    static func big(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(number >> ($0 * 8) & 0xff) }
    }

    /// As small as a PNG can be, with other chunks in its middle.
    static func png(_ width: Int, _ height: Int, _ more: [UInt8] = []) -> [UInt8] {
        [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
            + chunk("IHDR", big(width, 4) + big(height, 4) + [8, 0, 0, 0, 0]) + more
            + chunk("IDAT", [0, 0xff, 13, 10, 45, 45]) + chunk("IEND", [])
    }

    static let png = png(1, 1)

    static func jpeg(_ width: Int, _ height: Int, _ more: [UInt8] = []) -> [UInt8] {
        [0xff, 0xd8] + more + [0xff, 0xc0, 0, 11, 8] + big(height, 2) + big(width, 2) + [1, 1, 0x11, 0]
            + [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 0x12, 0xff, 0, 0x34, 0xff, 0xd0, 0x56, 0xff, 0xd9]
    }

    func set(_ bytes: [UInt8], _ study: String) -> Response {
        let text = Data(bytes).base64EncodedString()
        return portal.change(.patch, "/studies/\(study)", #"{"picture": "\#(text)"}"#, as: .lena)
    }

    @Test func `it is set, shown at an address of its own, changed and removed`() throws {
        let study = desk.begin()
        #expect(portal.call(.get, "/studies/\(study)/picture", as: .nora).status == 404)
        let url = try #require(set(Self.png, study).attributes["picture_url"]?.string)
        #expect(url.hasPrefix("/api/v1/studies/\(study)/picture?version="))
        let shown = portal.call(.get, String(url.dropFirst(7)), as: .nora)
        #expect(shown.headers["Content-Type"] == "image/png" && shown.bytes == Self.png)
        let other = set(Self.jpeg(1, 1), study).attributes["picture_url"]?.string
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
        #expect(set(Self.png + [UInt8](repeating: 0, count: StudyPicture.largest), study).status == 422)
        #expect(set(Self.png, study).status == 200)
        _ = portal.change(.patch, "/studies/\(study)", #"{"is_hidden": true}"#, as: .lena)
        #expect(portal.call(.get, "/studies/\(study)/picture", as: .nora).status == 404)
        #expect(portal.call(.get, "/studies/\(study)/picture").status == 401)
    }

    @Test func `more than 4,096 pixels a side are refused, and what the file tells besides is left out`()
        throws
    {
        let study = desk.begin()
        for (bytes, word) in [
            (Self.png(4097, 1), "4096"), (Self.jpeg(1, 4097), "4096"), (Self.png(0, 1), "beschädigt"),
            (Array(Self.png(1, 1).dropLast()), "beschädigt"),
        ] {
            let refused = set(bytes, study)
            #expect(refused.status == 422 && refused.json["errors"]?["picture"] != nil)
            #expect(refused.text.contains(word), "\(refused.text)")
        }
        let place = Array("48.2082 N, 16.3738 E".utf8)
        let told = Self.png(
            4096, 4096, Self.chunk("tEXt", Array("Author\0Uma".utf8)) + Self.chunk("eXIf", place))
        #expect(set(told, study).status == 200)
        let shown = portal.call(.get, "/studies/\(study)/picture", as: .nora)
        #expect(shown.bytes == Self.png(4096, 4096))
    }

    @Test func `a picture from before loses what it tells at the next start`() throws {
        let study = desk.begin()
        #expect(set(Self.png, study).status == 200)
        let old = Self.jpeg(5000, 1, [0xff, 0xfe, 0, 5] + Array("Uma".utf8))
        let told = Self.png(1, 1, Self.chunk("tEXt", Array("Author\0Uma".utf8)))
        for (stored, wanted) in [(told, Self.png), (old, old)] {
            try portal.services.records.writeUnaudited(.madeUp) { connection in
                try connection.run("UPDATE study_pictures SET bytes = \(stored), version = 'old'")
            }
            try StartUp.cleanPictures(portal.services)
            #expect(portal.call(.get, "/studies/\(study)/picture", as: .nora).bytes == wanted)
            let version: String? = try portal.services.records.read {
                try $0.value("SELECT version FROM study_pictures")
            }
            #expect((version == "old") == (stored == wanted))
        }
    }

    @Test func `a form sends it as a file`() throws {
        let study = desk.begin()
        var body: [UInt8] = []
        let part = { (head: String, value: [UInt8]) in
            body +=
                Array("--grenze\r\nContent-Disposition: form-data; \(head)\r\n\r\n".utf8) + value + [13, 10]
        }
        let fields = [
            ("name", "stress-26"), ("title_de", "Stress"), ("consent_text_de", "Ja."), ("access", "open"),
            portal.revision(on: "/studies/\(study)/edit", as: .lena),
            ("form_token", portal.services.keys.formToken(for: portal.cast.sessions[.lena] ?? "")),
        ]
        for (name, value) in fields { part("name=\"\(name)\"", Array(value.utf8)) }
        part("name=\"picture\"; filename=\"bild.png\"\r\nContent-Type: image/png", Self.png)
        body += Array("--grenze--\r\n".utf8)
        var headers: Headers = ["Content-Type": "multipart/form-data; boundary=grenze"]
        headers.append("Cookie", "sid=\(portal.cast.sessions[.lena] ?? "")")
        headers.append("Sec-Fetch-Site", "same-origin")
        let sent = portal.send(.post, "/studies/\(study)/edit", headers, body: body)
        #expect(sent.status == 303, "\(sent.text.prefix(300))")
        let shown = portal.get("/studies/\(study)/picture", as: .lena)
        #expect(shown.bytes == Self.png)
    }
}
