import Database
import Instruments
import Psychometrics
import Questionnaires
import Scheduling
import Web
import Wire
import Wording

/// How thinking of the therapy felt, in the words of the dailies' questionnaire.
struct MoodFormatter: Sendable {
    private let options: [(value: Double, words: String)]
    private let texts: Texts

    init(_ definition: QuestionnaireDefinition?, _ texts: Texts) {
        self.texts = texts
        let language = definition?.language(asked: texts.language.rawValue) ?? ""
        options = (definition?.question("feeling")?.options ?? []).map {
            ($0.value, TimelineFormatter.withoutExamples($0.text[language] ?? ""))
        }
    }

    init<P>(_ c: Context<P>, _ connection: borrowing Connection) throws {
        let daily = try QuestionnaireStore.newest(
            DailyPlan.questionnaireKey, c.services.questionnaires, connection)
        self.init(daily?.definition, c.texts)
    }

    /// The answer nearest to the mean; nil without any.
    func words(_ feelings: [Double]) -> String? {
        guard let mean = feelings.mean else { return nil }
        return options.min { abs($0.value - mean) < abs($1.value - mean) }?.words ?? texts.number(mean)
    }

    /// `2-mal gedacht · Stimmung eher gut`, as far as there is data.
    func sum(thoughts: Int, _ feelings: [Double]) -> [String] {
        let mood = words(feelings).map { texts["today.mood", ["words": $0]] }
        return [thoughts > 0 ? texts.count("today.thought", thoughts) : nil, mood].compactMap(\.self)
    }
}
