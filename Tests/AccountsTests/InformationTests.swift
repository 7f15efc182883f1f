import Database
import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import Accounts
@testable import PortalTesting
@testable import Records
@testable import Web

/// IO-18: information pages in both languages, in portal and API, with versions.
@Suite struct InformationTests {
    let portal: TestPortal

    init() throws { portal = try TestPortal() }

    static let form = [
        ("title_de", "Datenschutz neu"), ("text_de", "Ihre **Daten**"), ("title_en", "Privacy anew"),
        ("text_en", "Your **data**"), ("version", "1"),
    ]

    @Test func `everybody reads all pages in both languages`() {
        for page in ShippedPage.allCases {
            for language in ["de", "en"] {
                let shown = portal.send(.get, "/info/\(page.rawValue)?lang=\(language)")
                #expect(shown.status == 200 && shown.text.matches(of: /<h1>/).count == 1, "\(page)")
                let call = portal.call(
                    .get, "/info/\(page.rawValue)", as: .nobody, ["Accept-Language": language])
                #expect(call.status == 200 && call.id == page.rawValue)
                #expect(call.attributes["version"] == .number(1))
            }
        }
        #expect(portal.call(.get, "/info").list.count == ShippedPage.allCases.count)
        #expect(portal.call(.get, "/info/passwords").status == 404)
    }

    @Test func `FD-56 the shipped statement names everything that is stored and goes to others`() {
        let named = [
            "de": [
                "Push", "E-Mail", "Ort ", "Lautstärke", "Messwerte", "Geräusche", "Tinnitus", "Oura",
                "Withings",
            ],
            "en": [
                "push", "Email", "Location", "loudness", "Measurements", "Sounds", "Tinnitus", "Oura",
                "Withings",
            ],
        ]
        for (language, words) in named {
            let page = portal.send(.get, "/info/privacy?lang=\(language)").text
            for word in words { #expect(page.contains(word), "\(language) \(word)") }
        }
    }

    @Test func `a new version is in force at once, and what people agreed to is kept`() throws {
        #expect(portal.post("/admin/information/privacy", Self.form, as: .uma).status == 303)
        #expect(portal.send(.get, "/info/privacy").text.contains("Ihre <strong>Daten</strong>"))
        let english = portal.call(.get, "/info/privacy", as: .nobody, ["Accept-Language": "en"]).attributes
        #expect(english["title"] == .string("Privacy anew") && english["version"] == .number(2))
        // E4: the register says which text it was.
        for consent in ["false", "true"] {
            _ = portal.call(.put, "/my/privacy", #"{"research_consent": \#(consent)}"#, as: .pia)
        }
        let history = portal.call(.get, "/my/privacy", as: .pia).attributes["history"]?.array ?? []
        #expect(history.map { $0["text_version"] } == [.number(2), .number(2), .number(1)])
        #expect(throws: DatabaseError.self) {
            try portal.services.records.writeUnaudited(.madeUp) {
                try $0.run("UPDATE info_pages SET body = 'x'")
            }
        }
    }

    @Test func `of two who write at once the second is told, and loses nothing`() {
        #expect(portal.post("/admin/information/privacy", Self.form, as: .uma).status == 303)
        let late = Self.form.map { $0.0 == "text_de" ? ($0.0, "Spät geschrieben") : $0 }
        let page = portal.post("/admin/information/privacy", late, as: .uma)
        #expect(page.status == 422 && page.text.contains("Spät geschrieben"))
        #expect(page.text.contains("name=\"version\" value=\"2\""))
        #expect(portal.send(.get, "/info/privacy").text.contains("Ihre <strong>Daten</strong>"))
    }

    @Test func `over the API a change with an older state in view changes nothing`() {
        let body = #"{"title": {"de": "Neu", "en": "New"}, "text": {"de": "a", "en": "b"}}"#
        let tag = portal.call(.get, "/info/imprint", as: .uma).headers["ETag"] ?? ""
        let put = portal.call(.put, "/info/imprint", body, as: .uma, ["If-Match": tag])
        #expect(put.status == 200 && put.attributes["version"] == .number(2))
        #expect(portal.call(.put, "/info/imprint", body, as: .uma, ["If-Match": tag]).status == 412)
        #expect(portal.call(.put, "/info/imprint", body, as: .ada, ["If-Match": "*"]).status == 403)
        let half = #"{"title": {"de": "Neu"}, "text": {"de": "a", "en": "b", "fr": "c"}}"#
        let wrong = portal.call(.put, "/info/imprint", half, as: .uma, ["If-Match": "*"])
        #expect(wrong.status == 422 && wrong.wrongFields == ["title.en", "title.fr"])
    }

    @Test(arguments: [
        "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "[x](javascript:alert(1))",
        "![x](javascript:alert(1))", "[x](data:text/html;base64,PHNjcmlwdD4=)", "<javascript:alert(1)>",
        "**<svg/onload=alert(1)>**", "[x](<javascript:alert(1)> \"t\")", "`<b>`", "&lt;script&gt;",
    ]) func `B8 nothing in the text becomes a script`(text: String) {
        let html = Markdown.rendered(text)
        #expect(!html.contains("<script") && !html.contains("=\"javascript:") && !html.contains("<svg"))
        #expect(!html.contains("<img") && !html.contains("data:text") && !html.contains("<!--"))
    }

    @Test func `headings begin below the page's own`() {
        #expect(Markdown.rendered("# Eins\n\n###### Sechs") == "<h2>Eins</h2>\n<h6>Sechs</h6>\n")
    }

    @Test func `what was typed is kept when something is missing`() {
        let form = Self.form.filter { $0.0 != "text_en" }
        let page = portal.post("/admin/information/privacy", form, as: .uma)
        #expect(page.status == 422 && page.text.contains("Datenschutz neu"))
        #expect(portal.call(.get, "/info/privacy").attributes["version"] == .number(1))
    }

    static let journey =
        #"{"title": {"de": "Anreise", "en": "Directions"}, "text": {"de": "Bus 5", "en": "Bus 5"}}"#

    @Test func `help and licences are shipped, and the licences name what the program is built on`() throws {
        let package = try String(contentsOfFile: Cast.root + "/Package.swift", encoding: .utf8)
        let names = [
            "libmicrohttpd": "libmicrohttpd", "sqlite3": "SQLite", "libpq": "PostgreSQL",
            "libsodium": "libsodium",
            "libqrencode": "libqrencode", "jansson": "Jansson", "libcurl": "libcurl", "liboath": "liboath",
            "libcmark": "cmark", "libarchive": "libarchive", "libcrypto": "OpenSSL",
            "libebur128": "libebur128", "zlib": "zlib",
            "sndfile": "libsndfile", "libturbojpeg": "libjpeg-turbo", "libpng": "libpng",
            "libwebpdemux": "libwebp",
        ]
        let used = package.matches(of: /library\("C\w+", "([a-z0-9]+)"/).map { String($0.1) }
        #expect(Set(used) == Set(names.keys))
        for language in ["de", "en"] {
            let page = portal.send(.get, "/info/licences?lang=\(language)").text
            #expect(used.allSatisfy { page.contains("<strong>\(names[$0] ?? "")</strong>") })
            #expect(page.contains("ReadStat") && page.contains("Swift"))
            #expect(portal.send(.get, "/info/help?lang=\(language)").text.contains("/info/licences"))
        }
    }

    @Test func `administrators add pages, listed for everybody and at the foot, and remove only those`()
        throws
    {
        #expect(portal.call(.put, "/info/directions", Self.journey, as: .ada).status == 403)
        let added = portal.call(.put, "/info/directions", Self.journey, as: .uma)
        #expect(added.status == 201 && added.attributes["version"] == .number(1))
        #expect(portal.call(.get, "/info").list.last?["id"] == .string("directions"))
        #expect(portal.send(.get, "/login").text.contains("<a href=\"/info/directions\">Anreise</a>"))
        #expect(portal.get("/", as: .ada).text.contains("<a href=\"/info/directions\">Anreise</a>"))
        #expect(portal.send(.get, "/info/directions?lang=en").text.contains("<h1>Directions</h1>"))
        #expect(
            portal.call(.put, "/info/directions", Self.journey, as: .uma, ["If-Match": "\"7-de-x\""]).status
                == 412)
        for key in ["x", "Anreise", "a b", "9a", "new"] {
            let path = "/info/\(percentEncoded(key))"
            #expect(portal.call(.put, path, Self.journey, as: .uma).wrongFields == ["page"], "\(key)")
        }
        #expect(portal.call(.delete, "/info/privacy", as: .uma).status == 409)
        #expect(portal.call(.delete, "/info/directions", as: .ada).status == 403)
        #expect(portal.call(.delete, "/info/directions", as: .uma).status == 204)
        #expect(portal.call(.delete, "/info/directions", as: .uma).status == 404)
        #expect(portal.send(.get, "/info/directions").status == 404)
        #expect(portal.send(.get, "/login").text.contains("directions") == false)
        #expect(
            try portal.changes().suffix(2) == ["information.added", "information.removed"])
        // What it said is kept: the next text is the second.
        let again = portal.call(.put, "/info/directions", Self.journey, as: .uma)
        #expect(again.status == 201 && again.attributes["version"] == .number(2))
    }

    @Test func `the pages for adding do the same, keep what was typed, and bring a removed page back`() throws
    {
        let form = Self.form + [("page", "directions")]
        let wrong = portal.post("/admin/information/new", Self.form + [("page", "Weg!")], as: .uma)
        #expect(
            wrong.status == 422 && wrong.text.contains("value=\"Weg!\"")
                && wrong.text.contains("Ihre **Daten**"))
        #expect(portal.post("/admin/information/new", form, as: .uma).status == 303)
        let twice = portal.post("/admin/information/new", form, as: .uma)
        #expect(twice.status == 422 && twice.text.contains("schon eine Seite"))
        #expect(portal.post("/admin/information/directions", Self.form, as: .uma).status == 303)
        #expect(portal.post("/admin/information/privacy/removal", as: .uma).status == 409)
        #expect(portal.post("/admin/information/directions/removal", as: .uma).status == 303)
        let list = portal.get("/admin/information", as: .uma).text
        #expect(list.contains("/admin/information/directions/return"))
        #expect(portal.post("/admin/information/directions/return", as: .uma).status == 303)
        #expect(portal.call(.get, "/info/directions").attributes["version"] == .number(2))
    }
}
