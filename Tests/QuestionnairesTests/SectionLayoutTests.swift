import JSON
import Testing
import Wire

@testable import Questionnaires
@testable import Wording

/// Place 7: how a section is laid out, read, by default, and written back.
@Suite struct SectionLayoutTests {
    /// A questionnaire of one section.
    private func file(_ layout: String?, _ questions: String) -> [UInt8] {
        let layout = layout.map { #""layout": \#($0), "# } ?? ""
        let section = #"{"key": "s", \#(layout)"text": {"de": "Heute"}, "questions": [\#(questions)]}"#
        let head =
            #""format": "intersession-questionnaire/1", "key": "layouts", "version": 1, "title": {"de": "L"}"#
        return Array("{\(head), \"sections\": [\(section)]}".utf8)
    }

    private func single(_ count: Int) -> String {
        let options = (0..<count).map { #"{"value": \#($0), "text": {"de": "a\#($0)"}}"# }
        return
            #"{"key": "q", "type": "single", "text": {"de": "?"}, "options": [\#(options.joined(separator: ", "))]}"#
    }

    @Test(arguments: SectionLayout.allCases)
    func `impression 7 each layout is read, told to phones and written back`(layout: SectionLayout) throws {
        let bytes = file("\"\(layout.rawValue)\"", single(3))
        let definition = try QuestionnaireFile.read(bytes)
        #expect(definition.sections[0].layout == layout)
        let wire = definition.wire(version: 1, asked: [.german])
        #expect(wire.sections[0].layout == layout.rawValue)
        // What is said stays, also where the default would be another one.
        #expect(definition.laidOut.sections[0].layout == layout)
        let json = try QuestionnaireFile.json(bytes)
        #expect(definition.laidOut.laidOut(json) == json)
    }

    @Test(arguments: [#""tiles""#, #""""#, "1", "true"])
    func `impression 7 another layout is refused at its place`(layout: String) throws {
        let faults = #expect(throws: QuestionnaireFile.Faults.self) {
            try QuestionnaireFile.read(file(layout, single(3)))
        }
        #expect(faults?.list.map(\.place) == ["sections[0].layout"])
    }

    @Test func `impression 7 a new version shows one question a screen up to seven answers, else a list`()
        throws
    {
        let slider =
            #"{"key": "r", "type": "slider", "minimum": 0, "maximum": 100, "text": {"de": "?"}}"#
        let faces =
            #"{"key": "r", "type": "sam", "aspect": "valence", "minimum": 1, "maximum": 9, "text": {"de": "?"}}"#
        let cases: [(String, SectionLayout?)] = [
            (single(7), .one), (single(8), nil), (slider, .one), (faces, nil), ("", .one),
            (single(7) + ", " + slider, .one), (slider + ", " + single(8), nil),
        ]
        for (questions, layout) in cases {
            let definition = try QuestionnaireFile.read(file(nil, questions))
            // A version from before names none, and stays the list that it was.
            #expect(definition.sections[0].layout == nil && !definition.sections[0].isStepwise)
            #expect(definition.laidOut.sections[0].layout == layout, "\(questions)")
            let written = definition.laidOut.laidOut(try QuestionnaireFile.json(file(nil, questions)))
            #expect(written["sections"]?.array?[0]["layout"]?.string == layout?.rawValue)
            #expect(try QuestionnaireFile.read(written).sections[0].layout == layout)
        }
    }
}
