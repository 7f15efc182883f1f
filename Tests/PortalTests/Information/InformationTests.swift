import Database
import Foundation
import HTTP
import Testing
import Wire

@testable import Portal

/// IO-18: information pages in both languages, in portal and API, with versions.
@Suite struct InformationTests {
    let portal: TestPortal

    init() throws { portal = try TestPortal() }

    static let form = [
        ("title_de", "Datenschutz neu"), ("text_de", "Ihre **Daten**"), ("title_en", "Privacy anew"),
        ("text_en", "Your **data**"), ("version", "1"),
    ]

    @Test func `everybody reads all pages in both languages`() {
        for page in InformationPage.allCases {
            for language in ["de", "en"] {
                let shown = portal.send(.get, "/info/\(page.rawValue)?lang=\(language)")
                #expect(shown.status == 200 && shown.text.matches(of: /<h1>/).count == 1, "\(page)")
                let call = portal.call(
                    .get, "/info/\(page.rawValue)", as: .nobody, ["Accept-Language": language])
                #expect(call.status == 200 && call.id == page.rawValue)
                #expect(call.attributes["version"] == .number(1))
            }
        }
        #expect(portal.call(.get, "/info").list.count == InformationPage.allCases.count)
        #expect(portal.call(.get, "/info/passwords").status == 404)
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
            try portal.services.records.keepHouse { try $0.run("UPDATE info_pages SET body = 'x'") }
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

    @Test func `over the API a change needs the state that was seen`() {
        let body = #"{"title": {"de": "Neu", "en": "New"}, "text": {"de": "a", "en": "b"}}"#
        #expect(portal.call(.put, "/info/imprint", body, as: .uma).status == 428)
        let tag = portal.call(.get, "/info/imprint", as: .uma).headers["ETag"] ?? ""
        let put = portal.call(.put, "/info/imprint", body, as: .uma, ["If-Match": tag])
        #expect(put.status == 200 && put.attributes["version"] == .number(2))
        #expect(portal.call(.put, "/info/imprint", body, as: .uma, ["If-Match": tag]).status == 412)
        #expect(portal.call(.put, "/info/imprint", body, as: .ada, ["If-Match": "*"]).status == 403)
        let half = #"{"title": {"de": "Neu"}, "text": {"de": "a", "en": "b", "fr": "c"}}"#
        let wrong = portal.call(.put, "/info/imprint", half, as: .uma, ["If-Match": "*"])
        #expect(wrong.status == 422 && wrong.wrongFields == ["title.en", "text.fr"])
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
}
