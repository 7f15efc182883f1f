import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Psychometrics
@testable import Questionnaires
@testable import Wording

@Suite struct ScoringTests {
    func value(_ definition: QuestionnaireDefinition, _ scale: String, _ answers: Answers) -> Double? {
        definition.scores(answers).first { $0.scale == scale }?.value
    }

    @Test(arguments: InstrumentFiles.real) func `all real instruments can be read`(key: String) throws {
        #expect(try InstrumentFiles.read(key)?.key == key)
    }

    @Test func `PSS-4 reverses its second and third item`() throws {
        guard let weekly = try InstrumentFiles.read("tys-weekly") else { return }
        let answers: Answers = ["q7": .number(3), "q8": .number(1), "q9": .number(2), "q10": .number(2)]
        #expect(value(weekly, "pss4", answers) == 10)
        #expect(value(weekly, "pss4", answers.filter { $0.key != "q8" }) == nil)
    }

    @Test func `a sum is a sum: fifteen over eleven items is fifteen, and reaches a cut-off of fifteen`()
        throws
    {
        let items = (1...11).map { "q\($0)" }
        let questions = items.map {
            #"{"key": "\#($0)", "type": "single", "text": {"de": "?"}, "options": [\#((0...4).map { #"{"value": \#($0), "text": {"de": "\#($0)"}}"# }.joined(separator: ","))]}"#
        }
        let file = """
            {"format": "intersession-questionnaire/1", "key": "elf", "version": 1, "title": {"de": "Elf"},
             "sections": [{"key": "s1", "questions": [\(questions.joined(separator: ","))]}],
             "scales": [{"key": "sum", "title": {"de": "Summe"}, "method": "sum", "cutoff": 15,
                "items": [\(items.map { "\"\($0)\"" }.joined(separator: ","))], "minimum_answered": 0.8}]}
            """
        let definition = try QuestionnaireFile.read(Array(file.utf8))
        // Every sum that eleven items can have.
        for sum in 0...44 {
            var answers: Answers = [:]
            for (index, item) in items.enumerated() {
                answers[item] = .number(Double(sum / 11 + (index < sum % 11 ? 1 : 0)))
            }
            #expect(value(definition, "sum", answers) == Double(sum))
        }
        // Prorated: nine items of one make eleven, ten make thirteen point two of twelve.
        let nine = Dictionary(uniqueKeysWithValues: items.prefix(9).map { ($0, Answer.number(1)) })
        #expect(value(definition, "sum", nine) == 11)
        var ten = Dictionary(uniqueKeysWithValues: items.prefix(10).map { ($0, Answer.number(1)) })
        ten["q1"] = .number(3)
        #expect(value(definition, "sum", ten) == 12 * 11 / 10.0)
        let fifteen = Threshold(.atLeast, 15)
        #expect(fifteen.isMet(by: 15) && fifteen.isMet(by: 15.0 / 11 * 11) && !fifteen.isMet(by: 14.9999))
    }

    @Test(arguments: Threshold.Comparison.allCases)
    func `one threshold for rules, delivery and clinical change forgives the last bits alone`(
        comparison: Threshold.Comparison
    ) {
        let threshold = Threshold(comparison, 0.3)
        let same = 0.1 + 0.2
        let more = 0.3001
        let less = 0.2999
        #expect(threshold.isMet(by: same) == [.atLeast, .atMost, .equals].contains(comparison))
        #expect(threshold.isMet(by: more) == [.atLeast, .above].contains(comparison))
        #expect(threshold.isMet(by: less) == [.atMost, .below].contains(comparison))
    }

    static let psq: [(String, Double, Double)] = [
        ("psq_worries", 33.33, 66.67), ("psq_tension", 46.67, 46.67), ("psq_joy", 33.33, 13.33),
        ("psq_demands", 40, 53.33), ("psq_total", 46.67, 63.33),
    ]

    @Test(arguments: psq) func `PSQ-20 follows its vectors`(scale: String, ones: Double, remainders: Double)
        throws
    {
        guard let monthly = try InstrumentFiles.read("tys-monthly") else { return }
        let all = Dictionary(uniqueKeysWithValues: (1...20).map { ("q\($0)", Answer.number(1)) })
        let mixed = Dictionary(
            uniqueKeysWithValues: (1...20).map { ("q\($0)", Answer.number(Double($0 % 4))) })
        #expect(abs((value(monthly, scale, all) ?? 0) - ones) < 0.005)
        #expect(abs((value(monthly, scale, mixed) ?? 0) - remainders) < 0.005)
    }

    @Test func `a factor multiplies last, and one missing item of five leaves no score where all are needed`()
        throws
    {
        let wellbeing = try InstrumentFiles.shippedOne("wellbeing-5")
        var answers = Dictionary(uniqueKeysWithValues: wellbeing.questions.map { ($0.key, Answer.number(3)) })
        #expect(value(wellbeing, "wellbeing", answers) == 60)
        answers["calm"] = nil
        let score = try #require(wellbeing.scores(answers).first)
        #expect(score == ScaleScore(scale: "wellbeing", value: nil, answered: 4, items: 5, needed: 5))
    }

    @Test func `a mean over five of six items counts and says so, over four it does not`() throws {
        let short = try InstrumentFiles.shippedOne("between-sessions")
        let keys = ["came_back", "hard_moment", "dream", "inner_talk", "tried_out", "looked_ahead"]
        var answers: Answers = [:]
        for (index, key) in keys.enumerated() { answers[key] = .number(Double(index % 5)) }
        answers["dream"] = nil
        let five = try #require(short.scores(answers).first)
        #expect(five.value == 8.0 / 5 && five.answered == 5 && five.needed == 5 && five.isProrated)
        answers["tried_out"] = nil
        #expect(short.scores(answers).first?.value == nil)
    }

    @Test func `a sum over fewer items is prorated to all`() throws {
        let file = Self.file(questions: 5, scale: #""method": "sum", "minimum_answered": 0.8"#)
        let answers: Answers = ["a0": .number(2), "a1": .number(4), "a2": .number(4), "a3": .number(2)]
        #expect(value(try QuestionnaireFile.read(Array(file.utf8)), "s", answers) == 15)
    }

    @Test func `the share of items needed is rounded up, but not by the last bit of a float`() throws {
        for (items, share, needed) in [
            (5, "0.8", 4), (6, "0.8", 5), (10, "0.7", 7), (3, "0.5", 2), (1, "1", 1),
        ] {
            let file = Self.file(questions: items, scale: #""method": "mean", "minimum_answered": \#(share)"#)
            #expect(try QuestionnaireFile.read(Array(file.utf8)).scales[0].needed == needed)
        }
        for (items, needed) in [(1, 1), (4, 4), (5, 4), (6, 5), (20, 16)] {
            let file = Self.file(questions: items, scale: #""method": "mean""#)
            #expect(try QuestionnaireFile.read(Array(file.utf8)).scales[0].needed == needed)
        }
    }

    @Test func `TYT-1 the tinnitus questionnaire has eight questions of three kinds, none preset`() throws {
        let tinnitus = try InstrumentFiles.shippedOne("tinnitus-moment")
        let kinds = tinnitus.questions.map(\.type.name)
        #expect(kinds.count == 8 && Set(kinds) == ["yes_no", "slider", "single"])
        for question in tinnitus.questions where question.type == .single {
            #expect(question.options.map(\.value) == [0, 1, 2, 3, 4, 5, 6, 7])
        }
        #expect(tinnitus.language(asked: "de") == "de" && tinnitus.language(asked: "en") == "en")
        let answers: Answers = [
            "heard": .number(0), "tense": .number(7), "focused": .number(0), "low": .number(7),
        ]
        #expect(value(tinnitus, "strain", answers) == 7 && value(tinnitus, "loudness", answers) == nil)
    }

    @Test func `an answer in a hidden section does not count`() throws {
        let daily = try InstrumentFiles.shippedOne("intersession-daily")
        #expect(value(daily, "feeling", ["thought": .number(0), "feeling": .number(5)]) == nil)
        #expect(value(daily, "feeling", ["thought": .number(1), "feeling": .number(5)]) == 5)
        #expect(value(daily, "thought", ["thought": .number(0)]) == 0)
    }

    static func file(questions: Int, scale: String) -> String {
        let list = (0..<questions).map {
            #"{"key": "a\#($0)", "type": "slider", "minimum": 0, "maximum": 10, "text": {"de": "x"}}"#
        }
        let items = (0..<questions).map { "\"a\($0)\"" }.joined(separator: ", ")
        return #"""
            {"format": "intersession-questionnaire/1", "key": "k", "version": 1, "title": {"de": "T"},
             "sections": [{"key": "s1", "text": {"de": ""}, "questions": [\#(list.joined(separator: ","))]}],
             "scales": [{"key": "s", "title": {"de": "S"}, \#(scale), "items": [\#(items)]}]}
            """#
    }
}

@Suite struct ConditionTests {
    static let a = Condition.equals(question: "a", value: 1)
    static let cases: [(Condition, Answers, Bool)] = [
        (a, ["a": .number(1)], true), (a, ["a": .number(2)], false), (a, [:], false), (.not(a), [:], true),
        (a, ["a": .numbers([1, 3])], true), (.anyOf(question: "a", values: [2, 3]), ["a": .number(3)], true),
        (.anyOf(question: "a", values: [2, 3]), [:], false),
        (.atLeast(question: "a", value: 2), ["a": .number(2)], true),
        (.atLeast(question: "a", value: 2), ["a": .number(1.9)], false),
        (.atLeast(question: "a", value: 0), [:], false),
        (.all([a, .equals(question: "b", value: 2)]), ["a": .number(1), "b": .number(2)], true),
        (.all([a, .equals(question: "b", value: 2)]), ["a": .number(1)], false),
        (.any([a, .equals(question: "b", value: 2)]), ["b": .number(2)], true), (a, ["a": .text("1")], false),
    ]

    @Test(arguments: cases) func `conditions hold as the file format says`(
        condition: Condition, answers: Answers, expected: Bool
    ) {
        #expect(condition.holds(for: answers) == expected)
    }

    @Test func `a question hidden by one condition counts as unanswered for the next`() throws {
        let definition = try QuestionnaireFile.read(Array(Self.chain.utf8))
        let keys = { (answers: Answers) in definition.visibleSections(answers).map(\.key) }
        #expect(keys(["q1": .number(1), "q2": .number(1)]) == ["s1", "s2", "s3"])
        #expect(keys(["q1": .number(0), "q2": .number(1)]) == ["s1"])
    }

    static let chain = """
        {"format": "intersession-questionnaire/1", "key": "k", "version": 1, "title": {"de": "T"}, "sections": [
          {"key": "s1", "text": {"de": ""}, "questions": [{"key": "q1", "type": "yes_no", "text": {"de": "1"}}]},
          {"key": "s2", "text": {"de": ""}, "visible_if": {"question": "q1", "equals": 1},
           "questions": [{"key": "q2", "type": "yes_no", "text": {"de": "2"}}]},
          {"key": "s3", "text": {"de": ""}, "visible_if": {"question": "q2", "equals": 1},
           "questions": [{"key": "q3", "type": "yes_no", "text": {"de": "3"}}]}]}
        """
}

@Suite struct AnswersTests {
    static let everything = """
        {"format": "intersession-questionnaire/1", "key": "k", "version": 1, "title": {"de": "T"}, "sections": [
          {"key": "s1", "text": {"de": ""}, "options": [{"value": 1, "text": {"de": "a"}}, {"value": 2, "text": {"de": "b"}},
            {"value": 9, "text": {"de": "nichts"}, "exclusive": true}],
           "questions": [
            {"key": "one", "type": "single", "required": true, "text": {"de": "x"}},
            {"key": "some", "type": "multiple", "minimum_choices": 2, "maximum_choices": 2, "text": {"de": "x"}},
            {"key": "free", "type": "multiple", "text": {"de": "x"}},
            {"key": "slide", "type": "slider", "minimum": 0, "maximum": 10, "step": 2.5, "text": {"de": "x"}},
            {"key": "sam", "type": "sam", "aspect": "arousal", "minimum": 1, "maximum": 9, "text": {"de": "x"}},
            {"key": "yes", "type": "yes_no", "text": {"de": "x"}}, {"key": "words", "type": "text", "text": {"de": "x"}},
            {"key": "number", "type": "number", "minimum": 0, "maximum": 5, "text": {"de": "x"}},
            {"key": "day", "type": "date", "text": {"de": "x"}}]},
          {"key": "s2", "text": {"de": ""}, "visible_if": {"question": "one", "equals": 2},
           "questions": [{"key": "hidden", "type": "yes_no", "required": true, "text": {"de": "x"}}]}]}
        """

    func read(_ json: String) throws -> Result<Answers, FieldErrors> {
        let definition = try QuestionnaireFile.read(Array(Self.everything.utf8))
        do { return .success(try definition.readAnswers(try JSON.parse(Array(json.utf8)))) } catch let error
            as FieldErrors
        { return .failure(error) }
    }

    static let wrong: [(String, String)] = [
        ("{}", "one"), (#"{"one": null}"#, "one"), (#"{"one": 3}"#, "one"), (#"{"one": "1"}"#, "one"),
        (#"{"one": [1]}"#, "one"),
        (#"{"one": 1, "some": [1]}"#, "some"), (#"{"one": 1, "some": [1, 1]}"#, "some"),
        (#"{"one": 1, "some": [1, 3]}"#, "some"),
        (#"{"one": 1, "free": [1, 9]}"#, "free"), (#"{"one": 1, "free": 1}"#, "free"),
        (#"{"one": 1, "slide": 11}"#, "slide"),
        (#"{"one": 1, "slide": 3}"#, "slide"), (#"{"one": 1, "sam": 4.5}"#, "sam"),
        (#"{"one": 1, "sam": 0}"#, "sam"),
        (#"{"one": 1, "yes": true}"#, "yes"), (#"{"one": 1, "yes": 2}"#, "yes"),
        (#"{"one": 1, "words": 5}"#, "words"),
        (#"{"one": 1, "number": 6}"#, "number"), (#"{"one": 1, "day": "2026-02-30"}"#, "day"),
        (#"{"one": 1, "other": 1}"#, "other"),
        (#"{"one": 1, "hidden": 1}"#, "hidden"), (#"{"one": 2}"#, "hidden"),
    ]

    @Test(arguments: wrong) func `what cannot be an answer is refused under its name`(
        json: String, question: String
    ) throws {
        guard case .failure(let errors) = try read(json) else {
            Issue.record("\(json) was taken")
            return
        }
        #expect(errors.list.map(\.field) == ["answers.\(question)"])
    }

    @Test func `every type of question takes its answer; nothing chosen is no answer`() throws {
        let json = """
            {"one": 2, "some": [2, 1], "free": [], "slide": 7.5, "sam": 9, "yes": 0, "words": " frei ", "number": 0.5,
             "day": "2026-11-20", "hidden": 1}
            """
        let answers = try read(json).get()
        #expect(
            answers["some"] == .numbers([1, 2]) && answers["slide"] == .number(7.5)
                && answers["words"] == .text("frei"))
        #expect(answers["free"] == nil && answers["hidden"] == .number(1) && answers.count == 9)
    }
}

@Suite struct QuestionnaireFileTests {
    static let good = """
        {"format": "intersession-questionnaire/1", "key": "k", "version": 1, "title": {"de": "T"}, "sections": [
          {"key": "s1", "text": {"de": ""}, "options": [{"value": 1, "text": {"de": "a"}}, {"value": 2, "text": {"de": "b"}}],
           "questions": [{"key": "q1", "type": "single", "text": {"de": "x"}}, {"key": "q2", "type": "text", "text": {"de": "x"}}]},
          {"key": "s2", "text": {"de": ""}, "visible_if": {"question": "q1", "equals": 1}, "questions": []}],
         "scales": [{"key": "s", "title": {"de": "S"}, "method": "mean", "items": ["q1"]}]}
        """

    /// What is put in the place of what, and where the fault is reported.
    static let faults: [(String, String, String)] = [
        ("questionnaire/1", "questionnaire/2", "format"), (#""key": "k""#, #""key": "k k""#, "key"),
        (#""version": 1"#, #""version": 0"#, "version"),
        (#""title": {"de": "T"}"#, #""title": "T""#, "title"),
        (#""title": {"de": "T"}"#, #""title": {"deutsch": "T"}"#, "title.deutsch"),
        (#""value": 2"#, #""value": 1"#, "sections[0].options[1].value"),
        (#""value": 2"#, #""value": "2""#, "sections[0].options[1].value"),
        (#""key": "q2""#, #""key": "q1""#, "sections[0].questions[1].key"),
        (#""type": "text""#, #""type": "essay""#, "sections[0].questions[1].type"),
        (#""type": "text""#, #""type": "text", "minimum": 1"#, "sections[0].questions[1].minimum"),
        (
            #""type": "text""#, #""type": "slider", "minimum": 5, "maximum": 5"#,
            "sections[0].questions[1].maximum"
        ),
        (
            #""type": "text""#, #""type": "sam", "minimum": 1, "maximum": 9"#,
            "sections[0].questions[1].aspect"
        ),
        (
            #""question": "q1", "equals": 1"#, #""question": "q9", "equals": 1"#,
            "sections[1].visible_if.question"
        ),
        (
            #""question": "q1", "equals": 1"#, #""question": "q1", "equals": 7"#,
            "sections[1].visible_if.equals"
        ),
        (#""question": "q1", "equals": 1"#, #""question": "q1""#, "sections[1].visible_if"),
        (
            #""question": "q1", "equals": 1"#, #""question": "q2", "at_least": 1"#,
            "sections[1].visible_if.question"
        ),
        (#""question": "q1", "equals": 1"#, #""all": []"#, "sections[1].visible_if.all"),
        (
            #""question": "q1", "equals": 1"#, #""not": {"question": "x", "equals": 1}"#,
            "sections[1].visible_if.not.question"
        ),
        (#""items": ["q1"]"#, #""items": ["q2"]"#, "scales[0].items[0]"),
        (#""items": ["q1"]"#, #""items": ["q7"]"#, "scales[0].items[0]"),
        (#""items": ["q1"]"#, #""items": []"#, "scales[0].items"),
        (#""items": ["q1"]"#, #""items": ["q1"], "reversed": ["q2"]"#, "scales[0].reversed[0]"),
        (#""method": "mean""#, #""method": "median""#, "scales[0].method"),
        (#""method": "mean""#, #""method": "mean", "minimum_answered": 1.5"#, "scales[0].minimum_answered"),
        (#""method": "mean""#, #""method": "mean", "range": [4, 0]"#, "scales[0].range"),
        (#""scales""#, #""scales2": 1, "scales""#, "scales2"),
        (#""key": "s2""#, #""key": "s1""#, "sections[1].key"),
        (
            #""options": [{"value": 1, "text": {"de": "a"}}, {"value": 2, "text": {"de": "b"}}],"#, "",
            "sections[0].questions[0].options"
        ),
    ]

    @Test(arguments: faults) func `every fault names its place`(old: String, new: String, place: String)
        throws
    {
        let text = Self.good.replacingOccurrences(of: old, with: new)
        #expect(text != Self.good)
        let faults = #expect(throws: QuestionnaireFile.Faults.self) {
            try QuestionnaireFile.read(Array(text.utf8))
        }
        #expect(
            faults?.list.contains { $0.place.hasPrefix(place) } == true, "\(faults?.list.map(\.place) ?? [])")
    }

    @Test func `a section cannot ask about itself or about what comes later`() throws {
        let own = Self.good.replacingOccurrences(
            of: #""key": "s1", "text""#,
            with: #""key": "s1", "visible_if": {"question": "q1", "equals": 1}, "text""#)
        let faults = #expect(throws: QuestionnaireFile.Faults.self) {
            try QuestionnaireFile.read(Array(own.utf8))
        }
        #expect(faults?.list.map(\.place) == ["sections[0].visible_if.question"])
    }

    @Test func `reversed items of different ranges are refused`() throws {
        let text = ScoringTests.file(questions: 2, scale: #""method": "sum", "reversed": ["a0"]"#)
            .replacingOccurrences(
                of: #""key": "a1", "type": "slider", "minimum": 0, "maximum": 10"#,
                with: #""key": "a1", "type": "slider", "minimum": 0, "maximum": 7"#)
        let faults = #expect(throws: QuestionnaireFile.Faults.self) {
            try QuestionnaireFile.read(Array(text.utf8))
        }
        #expect(faults?.list.map(\.place) == ["scales[0].reversed"])
    }

    @Test func `one language is chosen for the whole of it, never text by text`() throws {
        let both = Self.good.replacingOccurrences(
            of: #""title": {"de": "T"}"#, with: #""title": {"en": "T", "de": "T"}"#)
        #expect(try QuestionnaireFile.read(Array(both.utf8)).language(asked: "en") == "de")
        let english = both.replacingOccurrences(of: #""de""#, with: #""en""#).replacingOccurrences(
            of: #""en": "T", "en": "T""#, with: #""en": "T""#)
        #expect(try QuestionnaireFile.read(Array(english.utf8)).language(asked: "de") == "en")
        #expect(try InstrumentFiles.shippedOne("wellbeing-5").language(asked: "en") == "en")
    }

    @Test func `a file with an error imports nothing, a second one of the same key is the next version`()
        throws
    {
        let portal = try TestPortal()
        let bad = portal.call(
            .post, "/questionnaires/import",
            Self.good.replacingOccurrences(of: #""type": "text""#, with: #""type": "essay""#), as: .ada)
        #expect(bad.status == 422 && bad.wrongFields == ["sections[0].questions[1].type"])
        #expect(try portal.count("questionnaires") == 1)
        #expect(
            portal.call(.post, "/questionnaires/import", Self.good, as: .lena).attributes["version"]
                == .number(1))
        #expect(
            portal.call(.post, "/questionnaires/import", Self.good, as: .ada).attributes["version"]
                == .number(2))
        let list = portal.call(.get, "/questionnaires", as: .ada)
        #expect(list.list.compactMap { $0["attributes"]?["key"]?.string } == ["between-sessions", "k"])
    }
}
