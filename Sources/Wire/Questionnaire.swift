/// A questionnaire in one language, as the phone shows it.
public struct Questionnaire: Documented, Decodable {
    public static let type = "questionnaire"
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

    public struct Section: Codable, Sendable {
        public var key: String
        public var text: String
        public var visibleIf: Condition?
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

        enum CodingKeys: String, CodingKey {
            case key, text, options, questions
            case visibleIf = "visible_if"
        }
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
            minimumChoices: Int?,
            maximumChoices: Int?, aspect: String?
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

        enum CodingKeys: String, CodingKey {
            case key, type, required, text, options, minimum, maximum, step, aspect
            case minimumLabel = "minimum_label"
            case maximumLabel = "maximum_label"
            case minimumChoices = "minimum_choices"
            case maximumChoices = "maximum_choices"
        }
    }

    public struct Scale: Codable, Sendable {
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

        enum CodingKeys: String, CodingKey {
            case key, title, method, items, reversed, factor, percent, range, cutoff, reliability
            case minimumAnswered = "minimum_answered"
            case higherIsWorse = "higher_is_worse"
            case standardDeviation = "standard_deviation"
        }
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

    private static let optionSchema = Schema.object([
        Schema.property("value", .number), Schema.property("text", .string),
        Schema.property("exclusive", .boolean),
    ])
    private static let questionSchema = Schema.object([
        Schema.property("key", .string), Schema.property("type", .string),
        Schema.property("required", .boolean),
        Schema.property("text", .string), Schema.property("options", .list(optionSchema).orNull),
        Schema.property("minimum", .number.orNull), Schema.property("maximum", .number.orNull),
        Schema.property("step", .number.orNull), Schema.property("minimum_label", .string.orNull),
        Schema.property("maximum_label", .string.orNull), Schema.property("minimum_choices", .integer.orNull),
        Schema.property("maximum_choices", .integer.orNull), Schema.property("aspect", .string.orNull),
    ])
    private static let sectionSchema = Schema.object([
        Schema.property("key", .string), Schema.property("text", .string),
        Schema.property("visible_if", Condition.schema.orNull),
        Schema.property("options", .list(optionSchema).orNull),
        Schema.property("questions", .list(questionSchema)),
    ])
    private static let scaleSchema = Schema.object([
        Schema.property("key", .string), Schema.property("title", .string),
        Schema.property("method", .choice(["sum", "mean"])), Schema.property("items", .list(.string)),
        Schema.property("reversed", .list(.string)), Schema.property("factor", .number),
        Schema.property("percent", .boolean), Schema.property("minimum_answered", .number.orNull),
        Schema.property("range", .list(.number).orNull), Schema.property("higher_is_worse", .boolean.orNull),
        Schema.property("cutoff", .number.orNull), Schema.property("reliability", .number.orNull),
        Schema.property("standard_deviation", .number.orNull),
    ])
    public static let schema = Schema.object([
        Schema.property("key", .string), Schema.property("version", .integer),
        Schema.property("title", .string),
        Schema.property("description", .string.orNull), Schema.property("intro", .string.orNull),
        Schema.property("outro", .string.orNull), Schema.property("citation", .string.orNull),
        Schema.property("origin", .string.orNull), Schema.property("mode", .choice(["sheet", "living"])),
        Schema.property("sections", .list(sectionSchema)),
        Schema.property("scales", .list(scaleSchema)),
    ])
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
        ],
        scales: [Scale(key: "a", title: "A", method: "mean", items: ["q1"])])
}
