import Foundation
import JSON
import Testing
import Wire

@testable import Questionnaires
@testable import Wording

/// The answers of foreign forms: their points, their codes, and where they come from.
@Suite struct FormAnswersTests {
    static let base = FormImportTests.base

    private static func question(
        _ options: String, type: String = "choice", id: String = "q", more: String = ""
    ) -> String {
        #"{"linkId": "\#(id)", "type": "\#(type)", "text": "Q" \#(more), "answerOption": [\#(options)]}"#
    }

    private static func values(_ options: String, type: String = "choice") throws -> [Double]? {
        try FormImportTests.read(question(options, type: type)).definition.question("q")?.options.map(\.value)
    }

    // MARK: RP-23

    @Test(
        arguments: [
            "itemWeight", "ordinalValue", "questionnaire-ordinalValue", "questionnaire-optionScore",
        ], ["valueDecimal", "valueInteger"])
    func `RP-23 a weight is the value, whatever it is called`(name: String, kind: String) throws {
        let extended = { (weight: Int) in
            FormImportTests.ext(Self.base + name, "\"\(kind)\": \(weight)")
        }
        let around = [0, 2, 4].map {
            #"{"extension": [\#(extended($0))], "valueCoding": {"code": "LA\#($0)", "system": "http://loinc.org", "display": "x"}}"#
        }
        let inside = [0, 2, 4].map {
            #"{"valueCoding": {"extension": [\#(extended($0))], "code": "LA\#($0)", "display": "x"}}"#
        }
        let words = [0, 2, 4].map {
            #"{"valueString": "w\#($0)", "_valueString": {"extension": [\#(extended($0))]}}"#
        }
        for options in [around, inside, words] {
            #expect(try Self.values(options.joined(separator: ",")) == [0, 2, 4])
        }
    }

    @Test func `RP-23 integers count as they are, and conditions on them follow the weights`() throws {
        #expect(try Self.values(#"{"valueInteger": 1}, {"valueInteger": 5}"#) == [1, 5])
        let weighted = [(1, 10), (2, 20), (3, 30)].map { number, weight in
            #"{"valueInteger": \#(number), "extension": [\#(FormImportTests.ext(Self.base + "itemWeight", #""valueDecimal": \#(weight)"#))]}"#
        }.joined(separator: ",")
        let follow = { (id: String, relation: String, number: Int) in
            #"{"linkId": "\#(id)", "type": "string", "text": "F", "enableWhen": [{"question": "q", "operator": "\#(relation)", "answerInteger": \#(number)}]}"#
        }
        let form = try FormImportTests.read(
            "\(Self.question(weighted, type: "integer")), \(follow("is", "=", 2)), \(follow("more", ">=", 2))"
        )
        let shown = { (value: Double) in
            form.definition.visibleSections(["q": .number(value)]).flatMap(\.questions).map(\.key)
        }
        #expect(form.definition.question("q")?.options.map(\.value) == [10, 20, 30] && form.notes.isEmpty)
        #expect(shown(10) == ["q"] && shown(20) == ["q", "is", "more"] && shown(30) == ["q", "more"])
    }

    @Test func `RP-23 where some answers have a weight and others none, places are not counted`() {
        let some = """
            {"valueString": "a", "extension": [\(FormImportTests.ext(Self.base + "itemWeight", #""valueDecimal": 3"#))]},
            {"valueString": "b"}
            """
        let faults = FormImportTests.refused(Self.question(some))
        #expect(faults.map(\.place) == ["item[0].answerOption"])
        #expect(faults.map(\.message.key) == ["exchange.weight_missing"])
    }

    // MARK: RP-24

    private static func coded(_ codes: [String], system: String?) -> String {
        codes.map { code in
            let named = system.map { #""system": "\#($0)", "# } ?? ""
            return #"{"valueCoding": {\#(named)"code": "\#(code)", "display": "d\#(code)"}}"#
        }.joined(separator: ",")
    }

    @Test(arguments: [
        "http://snomed.info/sct", "https://www.meddra.org", "http://www.nlm.nih.gov/research/umls/rxnorm",
        "http://fhir.de/CodeSystem/ifa/pzn",
    ]) func `RP-24 codes of systems are no points`(system: String) throws {
        let codes = Self.coded(["373066001", "373067005"], system: system)
        let form = try FormImportTests.read(Self.question(codes))
        #expect(form.definition.question("q")?.options.map(\.value) == [0, 1])
        #expect(form.notes.map(\.message.key) == ["exchange.numbered"])
    }

    @Test func `RP-24 a code is a value without a system, or when all are small integers`() throws {
        #expect(try Self.values(Self.coded(["10", "2000"], system: nil)) == [10, 2000])
        #expect(try Self.values(Self.coded(["0", "3"], system: "http://x.example")) == [0, 3])
        #expect(try Self.values(Self.coded(["1", "101"], system: "http://x.example")) == [0, 1])
        #expect(try Self.values(Self.coded(["1", "1.5"], system: "http://x.example")) == [0, 1])
        #expect(try Self.values(Self.coded(["1", "a"], system: nil)) == [0, 1])
    }

    static let unoffered = [
        #""question": "q", "operator": "=", "answerCoding": {"code": "c"}"#,
        #""question": "q", "operator": "=", "answerCoding": {"code": "7"}"#,
        #""question": "q", "operator": "=", "answerCoding": {"system": "http://other.example", "code": "a"}"#,
        #""question": "q", "operator": "=", "answerInteger": 5"#,
        #""question": "q", "operator": "=", "answerBoolean": true"#,
        #""question": "q", "operator": ">", "answerCoding": {"code": "a"}"#,
        #""question": "t", "operator": "=", "answerString": "x""#,
        #""question": "d", "operator": ">", "answerDate": "2020-01-01""#,
        #""question": "y", "operator": "=", "answerInteger": 1"#,
        #""question": "later", "operator": "=", "answerBoolean": true"#,
    ]

    @Test(arguments: unoffered) func `RP-24 a condition on what is not offered is left out, and told`(
        condition: String
    ) throws {
        let form = try FormImportTests.read(
            """
            \(Self.question(Self.coded(["a", "b"], system: "http://x.example"))),
            {"linkId": "t", "type": "string", "text": "T"}, {"linkId": "d", "type": "date", "text": "D"},
            {"linkId": "y", "type": "boolean", "text": "Y"},
            {"linkId": "f", "type": "string", "text": "F", "enableWhen": [{\(condition)}]},
            {"linkId": "later", "type": "boolean", "text": "L"}
            """)
        #expect(form.definition.questions.count == 6 && !form.definition.isConditional)
        let note = form.notes.filter { $0.message.key == "exchange.when" }
        #expect(note.map(\.linkID) == ["f"] && note.map(\.place) == ["item[4].enableWhen[0]"])
    }

    // MARK: RP-30

    static let concepts = #"[{"code": "y", "display": "Yes"}, {"code": "n", "display": "No"}]"#

    static let sets = [
        #"{"resourceType": "ValueSet", "id": "yn", "compose": {"include": [{"concept": \#(concepts)}]}}"#,
        #"{"resourceType": "ValueSet", "id": "yn", "expansion": {"contains": [{"abstract": true, "display": "All", "contains": \#(concepts)}]}}"#,
        #"{"resourceType": "ValueSet", "id": "yn", "compose": {"include": [{"system": "urn:x", "concept": [{"code": "y", "display": "Yes"}, {"code": "n", "display": "No"}, {"code": "u"}]}], "exclude": [{"system": "urn:x", "concept": [{"code": "u"}]}]}}"#,
        ##"{"resourceType": "ValueSet", "id": "yn", "compose": {"include": [{"valueSet": ["#base"]}]}}, {"resourceType": "ValueSet", "id": "base", "compose": {"include": [{"system": "urn:s"}]}}, {"resourceType": "CodeSystem", "url": "urn:s", "concept": \##(concepts)}"##,
    ]

    @Test(arguments: sets) func `RP-30 choices of a contained value set are choices, and what hangs on them`(
        set: String
    ) throws {
        let form = try FormImportTests.read(
            """
            {"linkId": "q", "type": "choice", "text": "Q", "required": true, "answerValueSet": "#yn"},
            {"linkId": "f", "type": "string", "text": "F",
             "enableWhen": [{"question": "q", "operator": "=", "answerCoding": {"code": "y"}}]}
            """, #", "contained": [\#(set)]"#)
        #expect(form.definition.question("q")?.options.compactMap { $0.text["en"] } == ["Yes", "No"])
        #expect(form.definition.visibleSections(["q": .number(0)]).flatMap(\.questions).count == 2)
        #expect(form.definition.visibleSections(["q": .number(1)]).flatMap(\.questions).count == 1)
    }

    static let elsewhere = """
        {"linkId": "q", "type": "choice", "text": "Q", "answerValueSet": "http://a.example/vs|1.0" REQUIRED},
        {"linkId": "f", "type": "string", "text": "F",
         "enableWhen": [{"question": "q", "operator": "=", "answerCoding": {"code": "y"}}]},
        {"linkId": "g", "type": "string", "text": "G", "enableBehavior": "any", "enableWhen": [
          {"question": "f", "operator": "exists", "answerBoolean": true},
          {"question": "a", "operator": "=", "answerBoolean": true}]},
        {"linkId": "n", "type": "string", "text": "N",
         "enableWhen": [{"question": "q", "operator": "exists", "answerBoolean": false}]}
        """

    @Test func `RP-30 a value set that is not there leaves the item out, and what hangs on it`() throws {
        let text = Self.elsewhere.replacing("REQUIRED", with: "")
        let form = try FormImportTests.read(FormImportTests.yesNo + "," + text)
        #expect(form.definition.questions.map(\.key) == ["a", "g", "n"])
        #expect(
            form.notes.map { "\($0.linkID ?? "") \($0.message.key)" } == [
                "q exchange.value_set", "f exchange.hangs_on",
            ])
        let shown = { (value: Double) in
            form.definition.visibleSections(["a": .number(value)]).flatMap(\.questions).map(\.key)
        }
        #expect(shown(0) == ["a", "n"] && shown(1) == ["a", "g", "n"])
        let required = Self.elsewhere.replacing("REQUIRED", with: #", "required": true"#)
        let faults = FormImportTests.refused(FormImportTests.yesNo + "," + required)
        #expect(faults.map { "\($0.place) \($0.message.key)" } == ["item[1] exchange.value_set_required"])
    }

    @Test func `RP-30 a bundle with the value sets is one upload`() throws {
        let form = try FormImportTests.json(
            FormImportTests.yesNo + "," + Self.elsewhere.replacing("REQUIRED", with: #", "required": true"#))
        let set =
            #"{"resourceType": "ValueSet", "url": "http://a.example/vs", "compose": {"include": [{"concept": \#(Self.concepts)}]}}"#
        let wrap = { (resources: [JSON]) in
            JSON.object([
                .init("resourceType", .string("Bundle")),
                .init("entry", .array(resources.map { .object([.init("resource", $0)]) })),
            ])
        }
        let read = try FHIRReader.form(wrap([form, try JSON.parse(Array(set.utf8))]))
        #expect(
            read.definition.questions.map(\.key) == ["a", "q", "f", "g", "n"]
                && read.identity?.url == "https://a.example/form")
        #expect(throws: QuestionnaireFile.Faults.self) { try FHIRReader.form(wrap([form, form])) }
        #expect(throws: QuestionnaireFile.Faults.self) { try FHIRReader.form(wrap([])) }
    }

    @Test func `RP-30 options of strings, dates and times are kept as choices`() throws {
        for (type, options) in [
            ("string", #"{"valueString": "a"}, {"valueString": "b"}"#),
            ("text", #"{"valueString": "a"}, {"valueString": "b"}"#),
            ("date", #"{"valueDate": "2020-01-01"}, {"valueDate": "2021-01-01"}"#),
            ("time", #"{"valueTime": "08:00:00"}, {"valueTime": "20:00:00"}"#),
        ] {
            let form = try FormImportTests.read(Self.question(options, type: type))
            #expect(form.definition.question("q")?.type == .single, "\(type)")
            #expect(form.definition.question("q")?.options.map(\.value) == [0, 1])
            let many = try FormImportTests.read(
                Self.question(options, type: type, more: #", "repeats": true"#))
            #expect(many.definition.question("q")?.type.name == "multiple")
        }
    }

    @Test func `RP-30 designations are the translations of the answers`() throws {
        let set = """
            {"resourceType": "ValueSet", "id": "yn", "compose": {"include": [{"concept": [
              {"code": "y", "display": "Yes", "designation": [{"language": "de-AT", "value": "Ja"}]},
              {"code": "n", "display": "No", "designation": [{"language": "de", "value": "Nein"}]}]}]}}
            """
        let form = try FormImportTests.read(
            ##"{"linkId": "q", "type": "choice", "text": "Q", "answerValueSet": "#yn"}"##,
            #", "contained": [\#(set)]"#)
        #expect(form.definition.question("q")?.options.compactMap { $0.text["de"] } == ["Ja", "Nein"])
    }

    // MARK: RP-25

    @Test func `RP-25 words lose control signs, keep their lines and are composed`() throws {
        let form = try JSON.parse(
            Array(#"{"text": {"de": "a\u000bb\u0003c u\u0308"}, "value": 1, "key": "k\u0003"}"#.utf8))
        let clean = form.withCleanWords
        #expect(Array((clean["text"]?["de"]?.string ?? "").utf8) == Array("a\nbc ü".utf8))
        #expect(clean["key"] == form["key"] && clean["value"] == form["value"])
    }
}
