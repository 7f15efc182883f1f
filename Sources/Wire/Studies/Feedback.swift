/// The own level on the lead scale of a study's questionnaire beside the others' (TYS-8).
public struct Feedback: Documented, Decodable {
    public static let type = "feedback"

    /// Over the means of persons, not over sheets; never from fewer than ten others.
    public struct Distribution: Codable, Sendable, Equatable {
        public var participants: Int
        public var lowerQuartile: Double
        public var median: Double
        public var upperQuartile: Double

        public init(participants: Int, lowerQuartile: Double, median: Double, upperQuartile: Double) {
            self.participants = participants
            self.median = median
            self.lowerQuartile = lowerQuartile
            self.upperQuartile = upperQuartile
        }
    }

    public var studyID: String
    public var questionnaireKey: String
    public var title: String
    public var scale: String
    /// The mean of the own sheets; nil before the first.
    public var level: Double?
    /// The number of sheets behind the mean.
    public var sheets: Int
    /// Nil while fewer than ten others have answered.
    public var distribution: Distribution?
    /// The same in words.
    public var text: String

    public init(
        studyID: String, questionnaireKey: String, title: String, scale: String, level: Double?, sheets: Int,
        distribution: Distribution?, text: String
    ) {
        self.studyID = studyID
        self.questionnaireKey = questionnaireKey
        self.title = title
        self.scale = scale
        self.level = level
        self.sheets = sheets
        self.distribution = distribution
        self.text = text
    }

    public static let example = Feedback(
        studyID: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", questionnaireKey: "tys-daily", title: "Täglich",
        scale: "Belastung", level: 2.4, sheets: 12,
        distribution: Distribution(participants: 23, lowerQuartile: 1.8, median: 2.5, upperQuartile: 3.1),
        text: "Ihr Wert liegt im mittleren Bereich.")
}
