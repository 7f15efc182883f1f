/// A questionnaire in one language, for a phone.
public struct Questionnaire: Documented, Decodable {
    public static let type = "questionnaire"
    /// How a section can be shown.
    static let layouts = Schema.choice(["one", "scale", "grid", "list"])
    public var key: String
    public var version: Int
    public var title: String
    public var description: String?
    public var intro: String?
    public var outro: String?
    public var citation: String?
    public var origin: String?
    /// `sheet` or `living`.
    public var mode: String
    public var sections: [Section]
    public var scales: [Scale]

    public struct Section: Codable, Sendable, Narrowed {
        public var key: String
        public var text: String
        public var visibleIf: Condition?
        /// One question a screen, its answers as a scale, a grid, or a list; null for a list.
        public var layout: String?
        public var options: [Option]?
        public var questions: [Question]

        public init(
            key: String, text: String, visibleIf: Condition?, options: [Option]?, questions: [Question]
        ) {
            self.key = key
            self.text = text
            self.visibleIf = visibleIf
            self.options = options
            self.questions = questions
        }

        public static let narrowed: [String: Schema] = ["layout": Questionnaire.layouts.orNull]
    }

    public struct Option: Codable, Sendable {
        public var value: Double
        public var text: String
        public var exclusive: Bool

        public init(value: Double, text: String, exclusive: Bool) {
            self.value = value
            self.text = text
            self.exclusive = exclusive
        }
    }

    public struct Question: Codable, Sendable {
        public var key: String
        public var type: String
        public var required: Bool
        public var text: String
        public var options: [Option]?
        public var minimum: Double?
        public var maximum: Double?
        public var step: Double?
        public var minimumLabel: String?
        public var maximumLabel: String?
        public var minimumChoices: Int?
        public var maximumChoices: Int?
        public var aspect: String?

        public init(
            key: String, type: String, required: Bool, text: String, options: [Option]?, minimum: Double?,
            maximum: Double?, step: Double?, minimumLabel: String?, maximumLabel: String?,
            minimumChoices: Int?, maximumChoices: Int?, aspect: String?
        ) {
            self.key = key
            self.type = type
            self.required = required
            self.text = text
            self.options = options
            self.minimum = minimum
            self.maximum = maximum
            self.step = step
            self.minimumLabel = minimumLabel
            self.maximumLabel = maximumLabel
            self.minimumChoices = minimumChoices
            self.maximumChoices = maximumChoices
            self.aspect = aspect
        }
    }

    public struct Scale: Codable, Sendable, Narrowed {
        public var key: String
        public var title: String
        public var method: String
        public var items: [String]
        public var reversed: [String] = []
        public var factor: Double = 1
        public var percent = false
        public var minimumAnswered: Double?
        public var range: [Double]?
        public var higherIsWorse: Bool?
        public var cutoff: Double?
        public var reliability: Double?
        public var standardDeviation: Double?

        public init(key: String, title: String, method: String, items: [String]) {
            self.key = key
            self.title = title
            self.method = method
            self.items = items
        }

        public static let narrowed: [String: Schema] = ["method": .choice(["sum", "mean"])]
    }

    public init(
        key: String, version: Int, title: String, description: String?, intro: String?, outro: String?,
        citation: String?, origin: String?, mode: String, sections: [Section], scales: [Scale]
    ) {
        self.key = key
        self.version = version
        self.title = title
        self.description = description
        self.intro = intro
        self.outro = outro
        self.citation = citation
        self.origin = origin
        self.mode = mode
        self.sections = sections
        self.scales = scales
    }

    public static let narrowed: [String: Schema] = ["mode": .choice(["sheet", "living"])]
    public static let example = Questionnaire(
        key: "isf-k", version: 1, title: "ISF-K", description: nil, intro: nil, outro: nil, citation: nil,
        origin: nil, mode: "sheet",
        sections: [
            Section(
                key: "s1", text: "", visibleIf: nil,
                options: [Option(value: 1, text: "Ja", exclusive: false)],
                questions: [
                    Question(
                        key: "q1", type: "single", required: true, text: "Frage", options: nil, minimum: nil,
                        maximum: nil, step: nil, minimumLabel: nil, maximumLabel: nil, minimumChoices: nil,
                        maximumChoices: nil, aspect: nil)
                ])
        ], scales: [Scale(key: "a", title: "A", method: "mean", items: ["q1"])])
}
