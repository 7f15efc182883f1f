import HTTP
import JSON
import Testing
import Wire

@testable import Instruments
@testable import PortalTesting
@testable import Questionnaires
@testable import Records
@testable import Web

/// RP-23: where some answers of a form say their points and others none, the import page asks, and counts no places.
@Suite struct UncountedAnswersTests {
    private static let weight = FormImportTests.ext(
        FormImportTests.base + "itemWeight", #""valueDecimal": 4"#)
    private static let question = """
        {"linkId": "q", "type": "choice", "text": "How often?", "answerOption": [
          {"valueCoding": {"code": "LA1", "display": "Weekly", "extension": [\(weight)]}},
          {"valueCoding": {"code": "LA2", "display": "Never"}},
          {"valueCoding": {"code": "LA3", "display": "Not asked"}}]}
        """
    private static let places = ["points.0.item[0].answerOption[1]", "points.0.item[0].answerOption[2]"]

    private static func form(_ more: String = "") throws -> String {
        String(decoding: try JSONWriter.bytes(of: FormImportTests.json(question + more)), as: UTF8.self)
    }

    private func send(
        _ portal: TestPortal, _ points: [String], action: String = "publish", more: String = ""
    ) throws -> Response {
        let said = zip(Self.places, points).map { ($0, $1) }
        return portal.post(
            "/questionnaires/import",
            [("named", "a.json"), ("file", try Self.form(more)), ("action", action)] + said, as: .ada)
    }

    private func values(_ portal: TestPortal) throws -> [Double] {
        let record = try portal.services.records.read { connection in
            try QuestionnaireStore.newest("form", portal.services.questionnaires, connection)
        }
        return record?.definition.question("q")?.options.map(\.value) ?? []
    }

    @Test func `RP-23 points that were said count, and only where the form says none`() throws {
        let json = try FormImportTests.json(Self.question)
        let points = [
            "item[0].answerOption[0]": 9.0, "item[0].answerOption[1]": 0, "item[0].answerOption[2]": 1.5,
        ]
        let form = try FHIRReader.form(json, points: points)
        #expect(form.definition.question("q")?.options.map(\.value) == [4, 0, 1.5] && form.notes.isEmpty)
    }

    @Test func `RP-23 the page asks how the remaining answers count, and then goes on`() throws {
        let portal = try TestPortal()
        let before = try portal.count("questionnaires")
        for action in ["draft", "publish"] {
            let asked = try send(portal, [], action: action)
            #expect(asked.status == 409, "\(asked.text)")
            #expect(asked.text.contains("Wie zählen diese Antworten?") && asked.text.contains("How often?"))
            #expect(asked.text.contains("„Never“") && asked.text.contains("„Not asked“"))
            #expect(!asked.text.contains("„Weekly“"))
            for place in Self.places { #expect(asked.text.contains("name=\"\(place)\"")) }
        }
        #expect(try portal.count("questionnaires") == before)
        let taken = try send(portal, ["0", "1,5"])
        #expect([200, 303].contains(taken.status), "\(taken.text)")
        #expect(try portal.count("questionnaires") == before + 1)
        #expect(try values(portal) == [4, 0, 1.5])
    }

    @Test func `RP-23 what is no number, missing, or said twice is asked again with what was typed`() throws {
        let portal = try TestPortal()
        for points in [["viel", "1"], ["", "1"], ["4", "1"]] {
            let again = try send(portal, points)
            #expect(again.status == 422, "\(points): \(again.text)")
            #expect(again.text.contains("value=\"\(points[0])\"") && again.text.contains("value=\"1\""))
            #expect(again.text.contains("field__error") || again.text.contains("errors__heading"))
        }
    }

    @Test func `RP-23 a form that lacks more than points is refused, and so is a call`() throws {
        let portal = try TestPortal()
        let elsewhere =
            #", {"linkId": "r", "type": "choice", "text": "?", "required": true, "answerValueSet": "http://x.example/v"}"#
        let refused = try send(portal, [], more: elsewhere)
        #expect(refused.status == 422 && !refused.text.contains("Wie zählen diese Antworten?"))
        let call = portal.call(.post, "/questionnaires", try Self.form(), as: .ada)
        #expect(call.status == 422 && call.text.contains("item[0].answerOption"))
    }

    @Test func `RP-23 the points go on with the question whose form it is`() throws {
        let portal = try TestPortal()
        #expect(try send(portal, ["0", "1"]).status < 400)
        let other = try Self.form().replacing("https://a.example/form", with: "https://b.example/form")
        let fields = [("named", "b.json"), ("file", other), ("action", "publish")]
        let points = [(Self.places[0], "2"), (Self.places[1], "3")]
        let asked = portal.post("/questionnaires/import", fields + points, as: .ada)
        #expect(asked.status == 409 && asked.text.contains("name=\"as\""), "\(asked.text)")
        for (name, value) in points {
            #expect(asked.text.contains("<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">"))
        }
        let taken = portal.post("/questionnaires/import", fields + points + [("as", "version")], as: .ada)
        #expect(taken.status < 400, "\(taken.text)")
        #expect(try values(portal) == [4, 2, 3])
    }
}
