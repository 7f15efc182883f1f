import Foundation
import JSON
import Testing
import Wire

@testable import Questionnaires
@testable import Wording

/// Calculated items of foreign forms: a scale only where it adds up exactly what the form adds up.
@Suite struct FormSumsTests {
    private static let base = FormImportTests.base

    private static func group(_ id: String, _ items: String...) -> String {
        #"{"linkId": "\#(id)", "type": "group", "text": "G", "item": [\#(items.joined(separator: ","))]}"#
    }

    /// Options whose codes or integers are other numbers than their weights.
    private static func weighed(_ id: String, _ kind: String) -> String {
        let options = [(1, 0), (2, 2), (3, 4)].map { number, weight in
            let value =
                kind == "valueCoding"
                ? #"{"code": "\#(number)", "display": "d\#(number)"}"# : String(number)
            let own = FormImportTests.ext(base + "itemWeight", #""valueDecimal": \#(weight)"#)
            return #"{"extension": [\#(own)], "\#(kind)": \#(value)}"#
        }.joined(separator: ",")
        return
            #"{"linkId": "\#(id)", "type": "choice", "text": "\#(id)", "answerOption": [\#(options)]}"#
    }

    private static func plain(_ id: String) -> String {
        let options = (1...3).map { #"{"valueInteger": \#($0)}"# }.joined(separator: ",")
        return
            #"{"linkId": "\#(id)", "type": "integer", "text": "\#(id)", "answerOption": [\#(options)]}"#
    }

    private static func scale(_ items: String, _ expression: String) throws -> [String]? {
        let form = try FormImportTests.read("\(items), \(FormImportTests.total(expression))")
        let isTold = form.notes.contains {
            $0.message.key == "exchange.calculated" && $0.linkID == "total"
        }
        #expect(isTold == form.definition.scales.isEmpty)
        return form.definition.scales.first?.items
    }

    private static let groups = [
        group("g1", FormImportTests.weighed("x")),
        group("g2", FormImportTests.weighed("y"), group("g3", FormImportTests.weighed("z"))),
    ].joined(separator: ",")

    // MARK: Groups

    @Test(arguments: [
        "item.where(linkId='g1' or linkId='g2').item", "descendants().where(linkId='g1' or linkId='x')",
        "descendants().where(linkId='x' or linkId='g1')", "item.where(linkId='g1' or linkId='x').item",
        "item.where(linkId='g1').item.where(linkId='y')", "item.where(linkId='g1')", "item", "item.first()",
        "item.where(linkId='g2').item.first()",
    ]) func `RP-12 a filter of several groups, or of one and a question, makes no scale`(
        path: String
    ) throws {
        let found = try Self.scale(Self.groups, "%resource.\(path).answer.value.ordinal().sum()")
        #expect(found == nil)
    }

    static let reached: [(String, [String])] = [
        ("item.where(linkId='g2').item", ["y"]), ("item.where(linkId='g2').item.item", ["z"]),
        ("item.where(linkId='g2').repeat(item)", ["y", "z"]), ("descendants()", ["x", "y", "z"]),
        ("descendants().where(linkId='g2').item", ["y"]), ("item.item", ["x", "y"]),
        ("item.where(linkId='g2').item.where(linkId='g3').item", ["z"]),
        ("descendants().where(linkId='x' or linkId='z')", ["x", "z"]),
    ]

    @Test(arguments: reached) func `RP-12 a sum over one group has the answers at its depth`(
        path: String, items: [String]
    ) throws {
        let found = try Self.scale(Self.groups, "%resource.\(path).answer.value.ordinal().sum()")
        #expect(found == items)
    }

    // MARK: Points

    static let points: [(String, String, Bool)] = [
        ("valueCoding", "valueCoding.code.toInteger()", false), ("valueCoding", "value", false),
        ("valueCoding", "value.code", false), ("valueInteger", "valueInteger", false),
        ("valueInteger", "value", false),
        ("valueCoding", "value.extension('https://a.example/other').valueDecimal", false),
        ("valueCoding", "value.extension.where(url='https://a.example/other').valueDecimal", false),
        ("valueCoding", "value.extension.valueDecimal", false),
        ("valueCoding", "value.extension('\(base)itemWeight').valueDecimal", true),
        ("valueCoding", "valueCoding.extension.where(url='\(base)ordinalValue').value", true),
        ("valueCoding", "value.ordinal()", true), ("valueInteger", "value.weight()", true),
        ("valueCoding", "weight()", true),
    ]

    @Test(arguments: points) func `RP-23 a sum of codes or numbers is none of weights`(
        kind: String, taken: String, isWeight: Bool
    ) throws {
        let items = Self.weighed("x", kind) + "," + Self.weighed("y", kind)
        for sum in [
            "%resource.item.answer.\(taken).sum()",
            ["x", "y"].map { "%resource.item.where(linkId='\($0)').answer.\(taken)" }.joined(
                separator: " + "),
        ] {
            let found = try Self.scale(items, sum)
            #expect(found == (isWeight ? ["x", "y"] : nil), "\(sum)")
        }
    }

    @Test(arguments: [
        ("value", true), ("valueInteger", true), ("value.ordinal()", false), ("weight()", false),
        ("valueCoding.code", false),
    ]) func `RP-23 integers without weights count as they are`(taken: String, counts: Bool) throws {
        let items = Self.plain("x") + "," + Self.plain("y")
        let found = try Self.scale(
            items, "%resource.item.where(linkId='x' or linkId='y').answer.\(taken).sum()")
        #expect(found == (counts ? ["x", "y"] : nil))
        let mixed = try Self.scale(
            items + "," + Self.weighed("w", "valueCoding"), "%resource.item.answer.\(taken).sum()")
        #expect(mixed == nil)
    }

    @Test func `RP-23 an option looked up by another item's code makes no scale`() throws {
        let items = Self.weighed("x", "valueCoding") + "," + Self.weighed("y", "valueCoding")
        let looked = { (option: String, answer: String) in
            "%questionnaire.item.where(linkId='\(option)').answerOption.where(valueCoding.code=%resource.item.where(linkId='\(answer)').answer.valueCoding.code).extension.where(url='\(Self.base)itemWeight').valueDecimal"
        }
        #expect(try Self.scale(items, looked("x", "x") + " + " + looked("y", "y")) == ["x", "y"])
        #expect(try Self.scale(items, looked("x", "y") + " + " + looked("y", "x")) == nil)
        let all = "%questionnaire.item.where(linkId='x').answerOption.extension('\(Self.base)itemWeight')"
        #expect(try Self.scale(items, all + ".valueDecimal.sum()") == nil)
    }

    // MARK: Notes

    @Test func `RP-12 what stands at and below an item that became a scale is told`() throws {
        let total = FormImportTests.total("%resource.item.answer.value.ordinal().sum()").dropLast()
        let form = try FormImportTests.read(
            """
            \(FormImportTests.weighed("x")), \(total),
              "item": [{"linkId": "below", "type": "string", "text": "B"}]}
            """)
        // Something of the form was left out: no sum over all of it.
        #expect(form.definition.scales.isEmpty)
        let named = FormImportTests.total("%resource.item.where(linkId='x').answer.value.ordinal()")
            .dropLast()
        let scale = try FormImportTests.read(
            """
            \(FormImportTests.yesNo), \(FormImportTests.weighed("x")), \(named), "disabledDisplay": "hidden",
              "enableWhen": [{"question": "a", "operator": "=", "answerBoolean": true}],
              "item": [{"linkId": "below", "type": "string", "text": "B"}]}
            """)
        #expect(scale.definition.scales.map(\.items) == [["x"]])
        #expect(
            scale.notes.map { "\($0.linkID ?? "") \($0.message.key)" } == [
                "total exchange.sum", "total exchange.left_out", "total exchange.when",
                "below exchange.left_below",
            ])
    }
}
