import Foundation
import JSON
import Testing
import Wire

@testable import Questionnaires
@testable import Wording

/// Forms of others: what came in means what it meant there, and everything else is told at its item.
@Suite struct FormImportTests {
    static let base = "http://hl7.org/fhir/StructureDefinition/"
    static let sdc = "http://hl7.org/fhir/uv/sdc/StructureDefinition/"

    static func read(_ items: String, _ more: String = "") throws -> FHIRReader.Form {
        try FHIRReader.form(json(items, more))
    }

    static func json(_ items: String, _ more: String = "") throws -> JSON {
        let text = """
            {"resourceType": "Questionnaire", "status": "draft", "language": "en", "title": "Form",
             "url": "https://a.example/form" \(more), "item": [\(items)]}
            """
        return try JSON.parse(Array(text.utf8))
    }

    static func refused(_ items: String, _ more: String = "") -> [QuestionnaireFile.Fault] {
        do {
            _ = try read(items, more)
            return []
        } catch {
            return (error as? QuestionnaireFile.Faults)?.list ?? []
        }
    }

    static func ext(_ url: String, _ value: String) -> String { #"{"url": "\#(url)", \#(value)}"# }

    static func hidden(_ id: String = "h") -> String {
        #"{"linkId": "\#(id)", "type": "string", "text": "Hidden", "extension": [\#(ext(base + "questionnaire-hidden", #""valueBoolean": true"#))]}"#
    }

    static let yesNo = #"{"linkId": "a", "type": "boolean", "text": "A?"}"#

    // MARK: RP-11

    @Test func `RP-11 a flat form is one page, and more than a page holds goes on to the next`() throws {
        let nine = (1...9).map { #"{"linkId": "q\#($0)", "type": "boolean", "text": "Q\#($0)"}"# }
        #expect(try Self.read(nine.joined(separator: ",")).definition.sections.count == 1)
        let many = (1...450).map { #"{"linkId": "q\#($0)", "type": "boolean", "text": "Q\#($0)"}"# }
        let form = try Self.read(many.joined(separator: ","))
        #expect(form.definition.questions.count == 450 && form.notes.isEmpty)
        #expect(form.definition.sections.map(\.questions.count) == [200, 200, 50])
    }

    @Test func `RP-11 what cannot be carried whole is refused with the count`() throws {
        let groups = (1...260).map {
            #"{"linkId": "g\#($0)", "type": "group", "text": "G", "item": [{"linkId": "q\#($0)", "type": "boolean", "text": "Q"}]}"#
        }
        let faults = Self.refused(groups.joined(separator: ","))
        #expect(faults.map(\.message.key) == ["exchange.many"])
        #expect(faults.first?.message.values["count"] == "260")
        var deep = Self.yesNo
        for level in 0..<150 { deep = #"{"linkId": "g\#(level)", "type": "group", "item": [\#(deep)]}"# }
        #expect(Self.refused(deep).map(\.message.key).contains("exchange.deep"))
    }

    @Test func `RP-11 every note is told`() throws {
        let files = (1...900).map { #"{"linkId": "f\#($0)", "type": "attachment", "text": "F"}"# }
        let form = try Self.read(([Self.yesNo] + files).joined(separator: ","))
        #expect(form.notes.count == 900 && form.notes.last?.linkID == "f900")
    }

    @Test func `RP-11 neighbours with a condition of their own stay apart, equal ones together`() throws {
        let when = #""enableWhen": [{"question": "a", "operator": "=", "answerBoolean": true}]"#
        let form = try Self.read(
            """
            \(Self.yesNo), {"linkId": "b", "type": "string", "text": "B"},
            {"linkId": "c", "type": "string", "text": "C", \(when)}, {"linkId": "d", "type": "date", "text": "D", \(when)},
            {"linkId": "e", "type": "string", "text": "E"}, {"linkId": "t", "type": "display", "text": "Now"},
            {"linkId": "f", "type": "string", "text": "F"}
            """)
        #expect(
            form.definition.sections.map { $0.questions.map(\.key) } == [
                ["a", "b"], ["c", "d"], ["e"], ["f"],
            ])
        #expect(form.definition.sections[3].text["en"] == "Now")
        #expect(form.definition.visibleSections([:]).flatMap(\.questions).map(\.key) == ["a", "b", "e", "f"])
    }

    @Test func `RP-11 a fault has the place in the form`() throws {
        let twice = Self.refused(Self.yesNo + "," + Self.yesNo)
        #expect(twice.map(\.place) == ["item[1].linkId"])
        let weights = [0, 1, 1].map {
            #"{"extension": [\#(Self.ext(Self.base + "ordinalValue", #""valueDecimal": \#($0)"#))], "valueString": "w"}"#
        }.joined(separator: ",")
        let same = Self.refused(
            #"{"linkId": "g", "type": "group", "item": [\#(Self.yesNo), {"linkId": "q", "type": "choice", "text": "Q", "answerOption": [\#(weights)]}]}"#
        )
        #expect(same.map(\.place) == ["item[0].item[1].answerOption[2]"])
    }

    // MARK: RP-12

    static let leftOut: [(String, String)] = [
        (hidden(), "exchange.hidden"),
        (
            #"{"linkId": "h", "type": "decimal", "text": "BMI", "extension": [\#(ext(sdc + "sdc-questionnaire-calculatedExpression", #""valueExpression": {"language": "text/fhirpath", "expression": "%weight / (%height * %height)"}"#))]}"#,
            "exchange.calculated"
        ),
        (#"{"linkId": "h", "type": "string", "text": "Station", "readOnly": true}"#, "exchange.read_only"),
        (
            #"{"linkId": "h", "type": "display", "text": "Printed on", "extension": [\#(ext(base + "questionnaire-usageMode", #""valueCode": "display-non-empty""#))]}"#,
            "exchange.display_only"
        ),
        (#"{"linkId": "h", "type": "reference", "text": "Who?"}"#, "exchange.unknown_type"),
    ]

    @Test(arguments: leftOut) func `RP-12 what the form does not ask is not asked here, and told`(
        item: String, note: String
    ) throws {
        let form = try Self.read("\(Self.yesNo), \(item)")
        #expect(form.definition.questions.map(\.key) == ["a"])
        #expect(form.definition.sections.count == 1)
        #expect(form.notes.map(\.message.key) == [note] && form.notes[0].linkID == "h")
    }

    @Test func `RP-12 everything in a hidden group is left out, each told at its item`() throws {
        let form = try Self.read(
            """
            \(Self.yesNo), {"linkId": "g", "type": "group", "text": "For staff",
              "extension": [\(Self.ext(Self.base + "questionnaire-hidden", #""valueBoolean": true"#))],
              "item": [{"linkId": "g1", "type": "boolean", "text": "?"}, {"linkId": "g2", "type": "group", "text": "?",
                "item": [{"linkId": "g3", "type": "boolean", "text": "?"}]}]}
            """)
        #expect(form.definition.questions.map(\.key) == ["a"] && form.definition.sections.count == 1)
        #expect(form.notes.map(\.linkID) == ["g", "g1", "g2", "g3"])
    }

    @Test func `RP-12 a group of which nothing is left says nothing either`() throws {
        let form = try Self.read(
            #"\#(Self.yesNo), {"linkId": "g", "type": "group", "text": "For staff", "item": [\#(Self.hidden())]}"#
        )
        #expect(form.definition.sections.map { $0.text["en"] } == [nil])
    }

    static let noted: [(String, String)] = [
        (
            ext(
                sdc + "sdc-questionnaire-enableWhenExpression",
                #""valueExpression": {"language": "text/fhirpath", "expression": "%age > 18"}"#),
            "exchange.when_expression"
        ),
        (ext(base + "regex", #""valueString": "[0-9]+""#), "exchange.unchecked"),
        (ext(base + "minValue", #""valueDate": "2020-01-01""#), "exchange.unchecked"),
        (ext(base + "questionnaire-constraint", #""extension": []"#), "exchange.unchecked"),
        (
            ext(sdc + "sdc-questionnaire-initialExpression", #""valueExpression": {"expression": "1"}"#),
            "exchange.not_filled"
        ),
        (ext("https://a.example/only-for-women", #""valueBoolean": true"#), "exchange.extension"),
    ]

    @Test(arguments: noted) func `RP-12 an extension that is not read is a note at its item`(
        found: String, note: String
    ) throws {
        let form = try Self.read(
            #"{"linkId": "q", "type": "string", "text": "Q", "extension": [\#(found)]}"#)
        #expect(form.definition.questions.map(\.key) == ["q"])
        #expect(form.notes.map(\.message.key) == [note] && form.notes.map(\.linkID) == ["q"])
        // Unread words of an element itself, and a repeated group, as well.
        let more = try Self.read(
            """
            {"linkId": "g", "type": "group", "repeats": true, "text": "Each drug", "item": [
              {"linkId": "q", "type": "string", "text": "Q", "disabledDisplay": "hidden",
               "modifierExtension": [\(found)]}]}
            """)
        #expect(
            Set(more.notes.map(\.message.key)) == ["exchange.once", "exchange.left_out", "exchange.modifier"])
    }

    @Test(arguments: ["drop-down", "radio-button", "autocomplete", "check-box"])
    func `RP-12 a question below a question is asked whatever it looks like`(control: String) throws {
        let look = Self.ext(
            Self.base + "questionnaire-itemControl",
            #""valueCodeableConcept": {"coding": [{"code": "\#(control)"}]}"#)
        let form = try Self.read(
            """
            {"linkId": "a", "type": "boolean", "text": "A?", "item": [{"linkId": "b", "type": "choice", "text": "B?",
              "extension": [\(look)], "answerOption": [{"valueInteger": 1}, {"valueInteger": 2}]}]}
            """)
        #expect(form.definition.questions.map(\.key) == ["a", "b"] && form.notes.isEmpty)
    }

    @Test func `RP-12 help, units and instructions stand with their question`() throws {
        let child = { (id: String, control: String, text: String) in
            """
            {"linkId": "\(id)", "type": "display", "text": "\(text)", "extension": [\(Self.ext(
                Self.base + "questionnaire-itemControl",
                #""valueCodeableConcept": {"coding": [{"code": "\#(control)"}]}"#))]}
            """
        }
        let form = try Self.read(
            """
            {"linkId": "q", "type": "decimal", "text": "Weight?", "item": [
              \(child("h", "help", "Without shoes.")), \(child("u", "unit", "kg")), \(child("f", "flyover", "Roughly."))]},
            {"linkId": "r", "type": "quantity", "text": "Height?", "extension": [
              \(Self.ext(Self.base + "questionnaire-unit", #""valueCoding": {"code": "cm"}"#))]}
            """)
        #expect(
            form.definition.questions.map { $0.text["en"] } == [
                "Weight?\n\nWithout shoes. (kg)\n\nRoughly.", "Height? (cm)",
            ])
        #expect(form.notes.map(\.linkID) == ["h", "u", "f", "r"])
    }

    // MARK: Sums

    static func weighed(_ id: String, weights: [Int] = [0, 2, 4]) -> String {
        let options = weights.map {
            #"{"extension": [\#(ext(base + "itemWeight", #""valueDecimal": \#($0)"#))], "valueCoding": {"code": "LA\#($0)-8", "display": "w\#($0)"}}"#
        }.joined(separator: ",")
        return #"{"linkId": "\#(id)", "type": "choice", "text": "\#(id)", "answerOption": [\#(options)]}"#
    }

    static func total(_ expression: String, _ variables: [(String, String)] = []) -> String {
        let named = variables.map { name, text in
            ext(
                base + "variable",
                #""valueExpression": {"name": "\#(name)", "language": "text/fhirpath", "expression": "\#(text)"}"#
            )
        }
        let own = ext(
            sdc + "sdc-questionnaire-calculatedExpression",
            #""valueExpression": {"language": "text/fhirpath", "expression": "\#(expression)"}"#)
        return
            #"{"linkId": "total", "type": "decimal", "text": "Total", "readOnly": true, "extension": [\#((named + [own]).joined(separator: ","))]}"#
    }

    private static func answer(_ id: String) -> String {
        "%resource.item.where(linkId = '\(id)').answer.value.ordinal()"
    }

    /// As form builders write it: the weight of the option that has the answer's code.
    private static func looked(_ id: String) -> String {
        "%questionnaire.item.where(linkId = '\(id)').answerOption.where(valueCoding.code=%resource.item.where(linkId = '\(id)').answer.valueCoding.code).extension.where(url='\(base)ordinalValue').valueDecimal"
    }

    static let sums: [(String, [(String, String)])] = [
        ("\(answer("x")) + \(answer("y"))", []),
        ("%a + %b", [("a", answer("x")), ("b", answer("y"))]),
        (
            "iif(%any, iif(%a.exists(), %a, 0) + iif(%b.exists(), %b, 0), {})",
            [("a", looked("x")), ("b", looked("y")), ("any", "%a.exists() or %b.exists()")]
        ),
        ("%resource.item.answer.value.ordinal().sum()", []),
        ("%resource.item.where(linkId='x' or linkId='y').answer.value.weight().sum()", []),
        ("(%a + (%b))", [("a", answer("x")), ("b", answer("y"))]),
    ]

    @Test(arguments: sums) func `RP-12 a plain sum over the form's items becomes a scale`(
        expression: String, variables: [(String, String)]
    ) throws {
        let form = try Self.read(
            "\(Self.weighed("x")), \(Self.weighed("y")), \(Self.total(expression, variables))")
        #expect(form.definition.questions.map(\.key) == ["x", "y"])
        let scale = try #require(form.definition.scales.first, "\(form.notes)")
        #expect(scale.key == "total" && scale.title["en"] == "Total" && scale.items == ["x", "y"])
        #expect(form.definition.scores(["x": .number(4), "y": .number(2)]).map(\.value) == [6])
        // Never less than the sum of all.
        #expect(form.definition.scores(["x": .number(4)]).map(\.value) == [nil])
        #expect(form.notes.map(\.message.key) == ["exchange.sum"])
    }

    static let others: [(String, [(String, String)])] = [
        ("(\(answer("x")) + \(answer("y"))) / 2", []), ("\(answer("x")) - \(answer("y"))", []),
        ("\(answer("x")) + 1", []), ("\(answer("x")) + \(answer("x"))", []),
        ("\(answer("x")) + \(answer("z"))", []), ("\(answer("x")) + \(answer("gone"))", []),
        ("iif(%a > 2, %a + %b, 0)", [("a", answer("x")), ("b", answer("y"))]),
        ("%a + %b", [("a", "%b"), ("b", "%a")]), ("today()", []), ("%a +", []), ("'", []),
        ("(%a | %b).sum()", [("a", answer("x")), ("b", answer("y"))]),
        ("%resource.item.descendants().where(linkId='gone').answer.value.ordinal().sum()", []),
    ]

    @Test(arguments: others) func `RP-12 anything else that is calculated is left out and told`(
        expression: String, variables: [(String, String)]
    ) throws {
        let words =
            #"{"linkId": "z", "type": "choice", "text": "z", "answerOption": [{"valueString": "a"}, {"valueString": "b"}]}"#
        let form = try Self.read(
            "\(Self.weighed("x")), \(Self.weighed("y")), \(words), \(Self.total(expression, variables))")
        #expect(form.definition.scales.isEmpty && form.definition.questions.count == 3)
        #expect(form.notes.contains { $0.message.key == "exchange.calculated" && $0.linkID == "total" })
    }
}
