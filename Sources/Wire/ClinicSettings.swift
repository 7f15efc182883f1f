/// What a clinic says of itself, for the whole installation.
public struct ClinicSettings: Documented, Decodable {
    public static let type = "settings"
    public var name: String?
    /// The zone in force.
    public var timezone: String
    /// Where it comes from: `flag` (given when the program was started; it wins), `settings`, `system`.
    public var timezoneSource: String
    /// `de-AT`, `de-DE` or `de-CH`.
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

    /// What the apps call the steps of pairing, the steps themselves and addresses, as the sheet prints them.
    public struct SheetLabels: Codable, Sendable, Equatable {
        public var codeStep: LocalizedText
        public var codeField: LocalizedText
        public var path: LocalizedText
        /// One step a line; `{code_step}`, `{code_field}`, `{path}` and `{therapist}` are filled in.
        public var firstSteps: LocalizedText
        public var laterSteps: LocalizedText
        /// Where the app and help are found, one a line; empty where the clinic has named none.
        public var addresses: LocalizedText

        public init(
            codeStep: LocalizedText, codeField: LocalizedText, path: LocalizedText,
            firstSteps: LocalizedText, laterSteps: LocalizedText, addresses: LocalizedText
        ) {
            self.codeStep = codeStep
            self.codeField = codeField
            self.path = path
            self.firstSteps = firstSteps
            self.laterSteps = laterSteps
            self.addresses = addresses
        }

        enum CodingKeys: String, CodingKey {
            case path, addresses
            case firstSteps = "first_steps"
            case laterSteps = "later_steps"
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

    private static let variant = Schema.choice(["de-AT", "de-DE", "de-CH"])
    private static let label = LocalizedText.completeSchema
    private static let number = Schema.object([
        Schema.property("number", .string), Schema.property("label", label),
    ])
    private static let labels = Schema.object([
        Schema.property("code_step", label), Schema.property("code_field", label),
        Schema.property("path", label), Schema.property("first_steps", label),
        Schema.property("later_steps", label), Schema.property("addresses", LocalizedText.schema),
    ])
    /// What is left out or null is as shipped.
    private static let sentLabels = Schema.object([
        Schema.optional("code_step", label.orNull), Schema.optional("code_field", label.orNull),
        Schema.optional("path", label.orNull), Schema.optional("first_steps", label.orNull),
        Schema.optional("later_steps", label.orNull),
        Schema.optional("addresses", LocalizedText.schema.orNull),
    ])
    /// What is left out or null follows from the zone, or is as shipped.
    public static let sent = Schema.object([
        Schema.optional("name", .string.orNull), Schema.optional("timezone", .string.orNull),
        Schema.optional("timezone_source", .string.orNull),
        Schema.optional("language_variant", variant.orNull),
        Schema.optional("crisis_numbers", Schema.list(number).orNull),
        Schema.optional("sheet_labels", sentLabels.orNull),
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
            path: ["de": "Intersession › Therapeut › Verknüpfen", "en": "Intersession › Therapist › Link"],
            firstSteps: [
                "de": "Installieren Sie die App.\nTragen Sie den Code in das Feld „{code_field}“ ein.",
                "en": "Install the app.\nEnter the code in the field “{code_field}”.",
            ],
            laterSteps: ["de": "Öffnen Sie „{path}“.", "en": "Open “{path}”."],
            addresses: ["de": "App: https://app.example.org", "en": "App: https://app.example.org"]))
}
