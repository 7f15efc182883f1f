import JSON
import Testing
import Wire

@testable import Questionnaires
@testable import Wording

/// Forms that are too large are refused with the number before they are read, and value sets are read whole.
@Suite struct FormBoundsTests {
    private static let choice =
        ##"{"linkId": "q", "type": "choice", "text": "Q", "answerValueSet": "#v0"}"##

    private static func contained(_ sets: [String]) -> String {
        #", "contained": [\#(sets.joined(separator: ","))]"#
    }

    private static func set(_ id: String, _ compose: String) -> String {
        #"{"resourceType": "ValueSet", "id": "\#(id)", "compose": {\#(compose)}}"#
    }

    /// Each includes the next, and the last has answers of its own.
    private static func chain(_ count: Int) -> String {
        let links = (0..<(count - 1)).map {
            set("v\($0)", ##""include": [{"valueSet": ["#v\##($0 + 1)"]}]"##)
        }
        return contained(links + [set("v\(count - 1)", #""include": [\#(codes(1...2))]"#)])
    }

    private static func codes(_ range: ClosedRange<Int>) -> String {
        let list = range.map { #"{"code": "c\#($0)", "display": "C\#($0)"}"# }
        return #"{"system": "urn:s", "concept": [\#(list.joined(separator: ","))]}"#
    }

    private static func facts(_ faults: [QuestionnaireFile.Fault]) -> [String] {
        faults.map { fault in
            let values = fault.message.values
            return [fault.place, fault.message.key, values["count"], values["what"], values["limit"]]
                .compactMap(\.self).joined(separator: " ")
        }
    }

    private static func options(_ sets: [String]) throws -> [String] {
        let form = try FormImportTests.read(choice, contained(sets))
        return form.definition.question("q")?.options.compactMap { $0.text["en"] } ?? []
    }

    // MARK: RP-11

    @Test func `RP-11 a form of too many items is refused with the number`() {
        let items = (1...6_000).map { #"{"linkId": "q\#($0)", "type": "boolean", "text": "Q"}"# }
        let faults = FormImportTests.refused(items.joined(separator: ","))
        #expect(Self.facts(faults) == ["item exchange.too_big 6000 item 5000"])
    }

    @Test(arguments: [100, 120]) func `RP-11 a form that is too deep is refused once`(levels: Int) {
        var deep = FormImportTests.yesNo
        for level in 1..<levels {
            deep = #"{"linkId": "g\#(level)", "type": "group", "text": "G", "item": [\#(deep)]}"#
        }
        let faults = FormImportTests.refused(deep)
        #expect(faults.map(\.message.key) == (levels > 100 ? ["exchange.deep"] : []))
        #expect(faults.allSatisfy { $0.message.values["limit"] == "100" })
    }

    @Test func `RP-11 too deep an item in a hidden group is refused as well`() {
        var deep = FormImportTests.yesNo
        for level in 0..<300 { deep = #"{"linkId": "g\#(level)", "type": "group", "item": [\#(deep)]}"# }
        let hidden = FormImportTests.ext(
            FormImportTests.base + "questionnaire-hidden", #""valueBoolean": true"#)
        let faults = FormImportTests.refused(
            #"{"linkId": "h", "type": "group", "extension": [\#(hidden)], "item": [\#(deep)]}"#)
        #expect(faults.map(\.message.key) == ["exchange.deep"])
    }

    @Test func `RP-11 too many conditions are refused with the number`() {
        let when = #"{"question": "a", "operator": "=", "answerBoolean": true}"#
        let list = Array(repeating: when, count: 2_001).joined(separator: ",")
        let faults = FormImportTests.refused(
            #"\#(FormImportTests.yesNo), {"linkId": "b", "type": "string", "text": "B", "enableWhen": [\#(list)]}"#
        )
        #expect(Self.facts(faults) == ["item exchange.too_big 2001 enableWhen 2000"])
    }

    @Test func `RP-11 too many answers of an item are refused, of one that is left out they are not`() throws
    {
        let answers = (1...251).map { #"{"valueString": "w\#($0)"}"# }.joined(separator: ",")
        let item = { (more: String) in
            #"\#(FormImportTests.yesNo), {"linkId": "q", "type": "choice", "text": "Q" \#(more), "answerOption": [\#(answers)]}"#
        }
        let faults = FormImportTests.refused(item(""))
        #expect(Self.facts(faults) == ["item[1].answerOption exchange.too_big 251 answerOption 250"])
        let form = try FormImportTests.read(item(#", "readOnly": true"#))
        #expect(form.definition.questions.map(\.key) == ["a"])
    }

    // MARK: RP-30

    @Test func `RP-30 value sets in a long chain are not known, and the item is left out`() throws {
        let items = FormImportTests.yesNo + "," + Self.choice
        #expect(try FormImportTests.read(items, Self.chain(20)).definition.questions.count == 2)
        let form = try FormImportTests.read(items, Self.chain(400))
        #expect(form.definition.questions.map(\.key) == ["a"])
        #expect(form.notes.map(\.message.key) == ["exchange.value_set"])
        let faults = FormImportTests.refused(items, Self.chain(5_000))
        #expect(Self.facts(faults) == ["contained exchange.too_big 9999 include 1000"])
    }

    @Test func `RP-30 what is excluded of a long list does not count`() throws {
        let set = Self.set(
            "v0", #""include": [\#(Self.codes(1...1_100))], "exclude": [\#(Self.codes(1...900))]"#)
        let found = try Self.options([set])
        #expect(found.count == 200 && found.first == "C901" && found.last == "C1100")
    }

    @Test func `RP-30 what long lists have in common is found to their ends`() throws {
        let found = try Self.options([
            Self.set("v0", ##""include": [{"valueSet": ["#a", "#b"]}]"##),
            Self.set("a", #""include": [\#(Self.codes(1...1_500))]"#),
            Self.set("b", #""include": [\#(Self.codes(1_401...2_900))]"#),
        ])
        #expect(found.count == 100 && found.first == "C1401" && found.last == "C1500")
    }

    @Test func `RP-30 a value set of too many answers is refused with the number`() {
        let set = Self.set("v0", #""include": [\#(Self.codes(1...300))]"#)
        let faults = FormImportTests.refused(Self.choice, Self.contained([set]))
        #expect(Self.facts(faults) == ["item[0].answerValueSet exchange.too_big 300 answerOption 250"])
    }

    @Test func `RP-30 too many codes together are refused with the number`() {
        let sets = (0...2).map { Self.set("v\($0)", #""include": [\#(Self.codes(1...4_000))]"#) }
        let faults = FormImportTests.refused(Self.choice, Self.contained(sets))
        #expect(Self.facts(faults) == ["contained exchange.too_big 12000 concept 10000"])
    }

    @Test func `RP-30 many items of one long list are refused with the number of their answers`() {
        let items = (1...300).map {
            ##"{"linkId": "q\##($0)", "type": "choice", "text": "Q", "answerValueSet": "#v0"}"##
        }
        let set = Self.set("v0", #""include": [\#(Self.codes(1...200))]"#)
        let faults = FormImportTests.refused(items.joined(separator: ","), Self.contained([set]))
        #expect(Self.facts(faults) == ["item exchange.too_big 60000 answerOption 50000"])
    }
}
