/// What a clinic says of itself, for the whole installation.
public struct ClinicSettings: Documented, Decodable {
    public static let type = "settings"
    public var name: String?
    /// The zone in force.
    public var timezone: String
    /// Where it comes from: `flag` (given when the program was started; it wins), `settings`, `system`.
    public var timezoneSource: String
    /// `de-AT` or `de-DE`.
    public var languageVariant: String
    public var crisisNumbers: [CrisisNumber]
    public var sheetLabels: SheetLabels

    /// A number to call in a crisis, and what answers there.
    public struct CrisisNumber: Codable, Sendable, Equatable {
        public var number: String
        public var label: LocalizedText

        public init(number: String, label: LocalizedText) {
            self.number = number
            self.label = label
        }
    }

    /// What the apps call the steps of pairing, as the sheet prints it.
    public struct SheetLabels: Codable, Sendable, Equatable {
        public var codeStep: LocalizedText
        public var codeField: LocalizedText
        public var path: LocalizedText

        public init(codeStep: LocalizedText, codeField: LocalizedText, path: LocalizedText) {
            self.codeStep = codeStep
            self.codeField = codeField
            self.path = path
        }

        enum CodingKeys: String, CodingKey {
            case path
            case codeStep = "code_step"
            case codeField = "code_field"
        }
    }

    public init(
        name: String?, timezone: String, timezoneSource: String, languageVariant: String,
        crisisNumbers: [CrisisNumber], sheetLabels: SheetLabels
    ) {
        self.name = name
        self.timezone = timezone
        self.timezoneSource = timezoneSource
        self.languageVariant = languageVariant
        self.crisisNumbers = crisisNumbers
        self.sheetLabels = sheetLabels
    }

    enum CodingKeys: String, CodingKey {
        case name, timezone
        case timezoneSource = "timezone_source"
        case languageVariant = "language_variant"
        case crisisNumbers = "crisis_numbers"
        case sheetLabels = "sheet_labels"
    }

    private static let variant = Schema.choice(["de-AT", "de-DE"])
    private static let label = LocalizedText.completeSchema
    private static let number = Schema.object([
        Schema.property("number", .string), Schema.property("label", label),
    ])
    private static let labels = Schema.object([
        Schema.property("code_step", label), Schema.property("code_field", label),
        Schema.property("path", label),
    ])
    /// What is left out or null follows from the zone, or is as shipped.
    public static let sent = Schema.object([
        Schema.optional("name", .string.orNull), Schema.optional("timezone", .string.orNull),
        Schema.optional("timezone_source", .string.orNull),
        Schema.optional("language_variant", variant.orNull),
        Schema.optional("crisis_numbers", Schema.list(number).orNull),
        Schema.optional("sheet_labels", labels.orNull),
    ])
    public static let schema = Schema.object([
        Schema.property("name", .string.orNull), Schema.property("timezone", .string),
        Schema.property("timezone_source", .choice(["flag", "settings", "system"])),
        Schema.property("language_variant", variant),
        Schema.property("crisis_numbers", .list(number)), Schema.property("sheet_labels", labels),
    ])
    public static let example = ClinicSettings(
        name: "Ambulanz Lindengasse", timezone: "Europe/Vienna", timezoneSource: "settings",
        languageVariant: "de-AT",
        crisisNumbers: [
            CrisisNumber(
                number: "142", label: ["de": "Telefonseelsorge", "en": "Telefonseelsorge (crisis line)"])
        ],
        sheetLabels: SheetLabels(
            codeStep: ["de": "Pairing Code Eingabe", "en": "Enter pairing code"],
            codeField: ["de": "Code", "en": "Code"],
            path: ["de": "Intersession › Therapeut › Verknüpfen", "en": "Intersession › Therapist › Pair"]))
}
