import Database
import Instruments
import Questionnaires
import Responses
import Scheduling
import Web
import Wire
import Wording

/// How thinking of the therapy felt, in the words of the questionnaire of the dailies.
struct MoodWords: Sendable {
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

    /// The answer nearest to the mean; nil of nothing.
    func words(_ feelings: [Double]) -> String? {
        guard !feelings.isEmpty else { return nil }
        let mean = feelings.reduce(0, +) / Double(feelings.count)
        return options.min { abs($0.value - mean) < abs($1.value - mean) }?.words ?? texts.number(mean)
    }

    /// `2-mal gedacht · Stimmung eher gut`, as far as there is something to say.
    func sum(thoughts: Int, _ feelings: [Double]) -> [String] {
        let mood = words(feelings).map { texts["today.mood", ["words": $0]] }
        return [thoughts > 0 ? texts.count("today.thought", thoughts) : nil, mood].compactMap(\.self)
    }
}
