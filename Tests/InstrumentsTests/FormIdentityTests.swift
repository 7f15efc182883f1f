import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import Instruments
@testable import PortalTesting
@testable import Questionnaires
@testable import Records
@testable import Web
@testable import Wording

/// Forms of others are told apart by their address and identifiers, and never become a version in silence.
@Suite struct FormIdentityTests {
    static func form(
        _ title: String, url: String? = nil, identifier: String? = nil, name: String? = nil,
        link: String = "1"
    ) -> String {
        let members =
            [#""title": "\#(title)""#]
            + [
                url.map { #""url": "\#($0)""# }, name.map { #""name": "\#($0)""# },
                identifier.map { #""identifier": [{"system": "https://a.example/ids", "value": "\#($0)"}]"# },
            ].compactMap(\.self)
        return """
            {"resourceType": "Questionnaire", "status": "draft", \(members.joined(separator: ", ")),
             "item": [{"linkId": "\(link)", "type": "boolean", "text": "\(title)?"}]}
            """
    }

    private static func made(_ response: Response) -> String {
        "\(response.status) \(response.attributes["key"]?.string ?? "-") \(response.attributes["version"]?.number ?? 0)"
    }

    @Test func `RP-5 two forms without name and id are two questionnaires, the same address goes on`() throws
    {
        let portal = try TestPortal()
        let send = { (text: String) in
            Self.made(portal.call(.post, "/questionnaires", text, as: .ada))
        }
        #expect(send(Self.form("Sleep", url: "https://a.example/sleep")) == "201 sleep 1.0")
        #expect(send(Self.form("Pain", url: "https://a.example/pain", link: "2")) == "201 pain 1.0")
        // The same address with another version and another title.
        #expect(send(Self.form("Sleep, again", url: "https://a.example/sleep|2.0")) == "201 sleep 2.0")
        #expect(send(Self.form("Schlaf – ärztlich", identifier: "7")) == "201 schlaf-arztlich 1.0")
        #expect(send(Self.form("Another title", identifier: "7")) == "201 schlaf-arztlich 2.0")
        #expect(send(Self.form("你好", url: "https://a.example/greeting")) == "201 greeting 1.0")
    }

    @Test func `RP-5 an identifier without its system makes no two forms one`() throws {
        let portal = try TestPortal()
        let send = { (text: String) in
            Self.made(
                portal.call(
                    .post, "/questionnaires",
                    text.replacing(#""system": "https://a.example/ids", "#, with: ""), as: .ada))
        }
        #expect(send(Self.form("Sleep", url: "https://a.example/sleep", identifier: "1")) == "201 sleep 1.0")
        #expect(send(Self.form("Pain", identifier: "1")) == "201 pain 1.0")
        #expect(send(Self.form("Mood", identifier: "1")) == "201 mood 1.0")
    }

    @Test func `a version that says a date is no reason to refuse a form of others`() throws {
        let portal = try TestPortal()
        let dated = Self.form("Sleep", url: "https://a.example/sleep").replacing(
            #""status": "draft""#, with: #""status": "draft", "version": "20240115""#)
        #expect(Self.made(portal.call(.post, "/questionnaires", dated, as: .ada)) == "201 sleep 1.0")
    }

    @Test func `RP-5 a form that has the key of another questionnaire asks, and the answer is kept`() throws {
        let portal = try TestPortal()
        let own = portal.call(.post, "/questionnaires", try Self.ours("sum11"), as: .ada)
        #expect(Self.made(own) == "201 sum11 1.0")
        let url = "https://a.example/sum"
        let foreign = Self.form("Sum", url: url, name: "sum11")
        let asked = portal.call(.post, "/questionnaires/import", foreign, as: .ada)
        #expect(asked.status == 409 && asked.json["code"]?.string == "another_form", "\(asked.text)")
        let data = asked.json["data"]
        #expect(data?["key"]?.string == "sum11" && data?["version"]?.number == 1)
        #expect(data?["title"]?.string == "Ours" && data?["url"]?.string == nil)
        #expect(try portal.count("questionnaires WHERE key = 'sum11'") == 1)
        let wrong = portal.call(.post, "/questionnaires?as=other", foreign, as: .ada)
        #expect(wrong.status == 422 && wrong.wrongFields == ["as"])
        let new = portal.call(.post, "/questionnaires?as=new", foreign, as: .ada)
        #expect(Self.made(new) == "201 sum11_2 1.0")
        // Known from now on: the question does not come again.
        #expect(Self.made(portal.call(.post, "/questionnaires", foreign, as: .ada)) == "201 sum11_2 2.0")
        let other = Self.form("Sum", url: url + "/other", name: "sum11")
        let version = portal.call(.post, "/questionnaires?as=version", other, as: .ada)
        #expect(Self.made(version) == "201 sum11 2.0")
        #expect(Self.made(portal.call(.post, "/questionnaires", other, as: .ada)) == "201 sum11 3.0")
        // A file of ours goes by its key as before, and so does what we exported as FHIR.
        #expect(
            Self.made(portal.call(.post, "/questionnaires", try Self.ours("sum11"), as: .ada))
                == "201 sum11 4.0")
        let id = portal.call(.get, "/questionnaires", as: .ada).list.first {
            $0["attributes"]?["key"]?.string == "sum11"
        }?["id"]?.string
        let out = portal.call(.get, "/questionnaires/\(id ?? "")/export?format=fhir", as: .ada)
        #expect(Self.made(portal.call(.post, "/questionnaires", out.text, as: .ada)) == "201 sum11 5.0")
    }

    @Test func `RP-5 forms taken in before they were told apart ask once`() throws {
        let portal = try TestPortal()
        #expect(portal.call(.post, "/questionnaires", try Self.ours("fhir"), as: .ada).status == 201)
        let sleep = Self.form("Sleep", url: "https://a.example/sleep")
        let asked = portal.call(.post, "/questionnaires", sleep, as: .ada)
        #expect(asked.status == 409 && asked.json["data"]?["key"]?.string == "fhir")
        let version = portal.call(.post, "/questionnaires?as=version", sleep, as: .ada)
        #expect(Self.made(version) == "201 fhir 2.0")
        #expect(Self.made(portal.call(.post, "/questionnaires", sleep, as: .ada)) == "201 fhir 3.0")
        // It is known whose that one is, so that another form without a name is another one.
        let pain = portal.call(.post, "/questionnaires", Self.form("Pain", url: "urn:x:pain"), as: .ada)
        #expect(Self.made(pain) == "201 pain 1.0")
    }

    @Test func `RP-5 a form without any mark is never a version in silence`() throws {
        let portal = try TestPortal()
        let form = Self.form("Mood", name: "Mood")
        #expect(Self.made(portal.call(.post, "/questionnaires", form, as: .ada)) == "201 Mood 1.0")
        #expect(portal.call(.post, "/questionnaires", form, as: .ada).status == 409)
        #expect(portal.call(.post, "/questionnaires", form, as: .ada).status == 409)
        let long = Self.form("Long", url: "https://a.example/" + String(repeating: "x", count: 2_000))
        #expect(portal.call(.post, "/questionnaires", long, as: .ada).wrongFields == ["url"])
    }

    @Test func `RP-5 the page asks, keeps the chosen files, and takes the answer`() throws {
        let portal = try TestPortal()
        let exchange = ExchangeTests()
        #expect(portal.call(.post, "/questionnaires", try Self.ours("sum11"), as: .ada).status == 201)
        let foreign = Self.form("A \\\"sum\\\" & more", url: "https://a.example/sum", name: "sum11")
        for action in ["draft", "publish"] {
            let asked = exchange.upload(portal, foreign, action: action)
            #expect(asked.status == 409, "\(asked.text)")
            #expect(asked.text.contains("name=\"as\"") && asked.text.contains("https://a.example/sum"))
            #expect(try portal.count("questionnaire_drafts") == 0)
        }
        // The page's own form, as a browser sends it back.
        let text = foreign.replacing("\n", with: " ")
        let answered = portal.post(
            "/questionnaires/import",
            [("named", "a.json"), ("file", text), ("as", "new"), ("action", "draft")], as: .ada)
        #expect([200, 303].contains(answered.status), "\(answered.text)")
        let draft = try portal.services.records.read { try EditorStore.all($0) }.first
        #expect(draft?.document.key == "sum11_2" && draft?.marks.first?.value == "https://a.example/sum")
        // The same form as a second draft is refused; published, the draft carries the mark on.
        #expect(exchange.upload(portal, foreign).text.contains("key"))
        #expect(exchange.upload(portal, foreign).status == 422)
        let id = try #require(draft?.id)
        #expect(portal.post("/questionnaires/\(id)/publication", as: .ada).status == 303)
        #expect(
            Self.made(portal.call(.post, "/questionnaires", foreign, as: .ada)) == "201 sum11_2 2.0")
    }

    @Test func `RP-5 forms of one upload are told apart as well`() throws {
        let portal = try TestPortal()
        let exchange = ExchangeTests()
        let files = { (first: String, second: String) in
            [
                (name: "a.json", text: Self.form("A", url: first, name: "Mood")),
                (name: "b.json", text: Self.form("B", url: second, name: "Mood")),
            ]
        }
        let twice = exchange.upload(portal, files: files("urn:x:a", "urn:x:a|2"), action: "publish")
        #expect(twice.status == 422 && twice.text.contains("b.json: key"))
        let before = try portal.count("questionnaires")
        let both = exchange.upload(portal, files: files("urn:x:a", "urn:x:b"), action: "publish")
        #expect(both.status == 200 && both.text.contains("Mood_2"))
        #expect(try portal.count("questionnaires") == before + 2)
        // Each is asked about by itself, and one answer is not the other's.
        let asked = exchange.upload(portal, files: files("urn:x:c", "urn:x:d"), action: "publish")
        #expect(asked.status == 409 && asked.text.contains("name=\"as.0\""))
        #expect(asked.text.contains("name=\"as.1\"") && asked.text.contains("value=\"b.json\""))
        let answered = portal.post(
            "/questionnaires/import",
            files("urn:x:c", "urn:x:d").flatMap {
                [("named", $0.name), ("file", $0.text.replacing("\n", with: " "))]
            } + [("as.0", "version"), ("as.1", "new"), ("action", "publish")], as: .ada)
        #expect(answered.status == 200 && answered.text.contains("Mood_3"), "\(answered.text)")
        #expect(try portal.count("questionnaires WHERE key = 'Mood'") == 2)
    }

    static func ours(_ key: String) throws -> String {
        """
        {"format": "intersession-questionnaire/1", "key": "\(key)", "title": {"de": "Ours"}, "sections": [
          {"key": "s", "questions": [{"key": "q", "type": "yes_no", "text": {"de": "?"}}]}]}
        """
    }
}

/// What the page after an import says.
@Suite struct ImportedPageTests {
    static let form = """
        {"resourceType": "Questionnaire", "language": "en", "title": "Night", "url": "https://a.example/night", "item": [
          {"linkId": "g", "type": "group", "text": "About the night", "item": [
            {"linkId": "g.1", "type": "boolean", "text": "Slept?"},
            {"linkId": "g.2", "type": "reference", "text": "By whom?"}]},
          \(FormImportTests.hidden("h.1"))],
         "extension": [\(FormImportTests.ext("https://a.example/unknown", #""valueBoolean": true"#))]}
        """

    @Test func `RP-12 the page says item by item what came in, beside the form on a phone`() throws {
        let portal = try TestPortal()
        let exchange = ExchangeTests()
        let texts = portal.services.texts(.german)
        for action in ["draft", "publish"] {
            let page = exchange.upload(
                portal, Self.form.replacing("Night", with: action).replacing("/night", with: "/" + action),
                action: action)
            #expect(page.status == 200 && page.text.contains("class=\"phone\""), "\(page.text)")
            for words in ["About the night", "Slept?", "By whom?", "Hidden", "<code>h.1</code>"] {
                #expect(page.text.contains(words))
            }
            #expect(page.text.contains(texts["exchange.hidden"]))
            #expect(page.text.contains(texts.count("exchange.items_taken", 2, of: 4)))
            #expect(page.text.contains(texts["exchange.extension", ["name": "unknown"]]))
            if action == "draft" {
                let draft = try portal.services.records.read { try EditorStore.all($0) }.first
                let id = try #require(draft?.id)
                #expect(portal.post("/questionnaires/\(id)/publication", as: .ada).status == 303)
            }
        }
        // Each of several has a preview of its own.
        let several = exchange.upload(
            portal,
            files: [
                ("a.json", Self.form.replacing("Night", with: "One").replacing("/night", with: "/1")),
                ("b.json", Self.form.replacing("Night", with: "Two").replacing("/night", with: "/2")),
            ], action: "draft")
        #expect(several.status == 200 && !several.text.contains("class=\"phone\""))
    }

    @Test func `RP-11 a call tells each note once, with every place`() throws {
        let portal = try TestPortal()
        let files = (1...300).map { #"{"linkId": "f\#($0)", "type": "attachment", "text": "F"}"# }
        let json = try FormImportTests.json(([FormImportTests.yesNo] + files).joined(separator: ","))
        let text = String(decoding: try JSONWriter.bytes(of: json), as: UTF8.self)
        let answer = portal.call(.post, "/questionnaires", text, as: .ada)
        let lost = answer.json["meta"]?["not_carried"]?.string ?? ""
        #expect(answer.status == 201 && lost.contains("item[1] (f1)") && lost.contains("item[300] (f300)"))
        #expect(lost.components(separatedBy: "attachment").count == 2)
    }

    @Test func `RP-25 the words of a file are cleaned, whatever its format`() throws {
        let portal = try TestPortal()
        let own = try FormIdentityTests.ours("words").replacing(
            "\"?\"", with: #""Wie\u000bgeht\u0003 es u\u0308brigens?""#)
        let foreign =
            #"{"resourceType": "Questionnaire", "title": "W", "item": [{"linkId": "q", "type": "boolean", "text": "Wie\u000bgeht\u0003 es u\u0308brigens?"}]}"#
        for text in [own, foreign] {
            let made = portal.call(.post, "/questionnaires", text, as: .ada)
            let out = portal.call(.get, "/questionnaires/\(made.id)/export", as: .ada)
            let words = try QuestionnaireFile.read(out.bytes).question("q")?.text.translations.first?.text
            #expect(Array((words ?? "").utf8) == Array("Wie\ngeht es übrigens?".utf8))
        }
    }
}
