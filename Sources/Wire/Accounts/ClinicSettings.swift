/// A clinic's settings, for the whole installation.
public struct ClinicSettings: Documented, Decodable {
    public static let type = "settings"
    public var name: String?
    /// The zone in force.
    public var timezone: String
    /// The source of the zone: `flag` (given at start-up; it wins), `settings`, `system`.
    public var timezoneSource: String
    /// `de-AT`, `de-DE` or `de-CH`.
    public var languageVariant: String
    public var crisisNumbers: [CrisisNumber]
    public var sheetLabels: SheetLabels
    /// After how many hours an answer that has to be seen and was not is mailed about; null for never.
    public var unseenMailHours: Int?

    /// A number to call in a crisis, and what answers there.
    public struct CrisisNumber: Codable, Sendable, Equatable, Narrowed {
        public var number: String
        public var label: LocalizedText

        public init(number: String, label: LocalizedText) {
            self.number = number
            self.label = label
        }

        public static let narrowed: [String: Schema] = ["label": LocalizedText.completeSchema]
    }

    /// What the apps call the steps of pairing, the steps themselves and addresses, as the sheet prints them.
    public struct SheetLabels: Codable, Sendable, Equatable, Narrowed {
        public var codeStep: LocalizedText
        public var codeField: LocalizedText
        public var path: LocalizedText
        /// One step a line, with `{code_step}`, `{code_field}`, `{path}` and `{therapist}` filled in.
        public var firstSteps: LocalizedText
        public var laterSteps: LocalizedText
        /// Addresses of the app and of help, one a line; empty where the clinic has named none.
        public var addresses: LocalizedText

        public init(
            codeStep: LocalizedText, codeField: LocalizedText, path: LocalizedText, firstSteps: LocalizedText,
            laterSteps: LocalizedText, addresses: LocalizedText
        ) {
            self.codeStep = codeStep
            self.codeField = codeField
            self.path = path
            self.firstSteps = firstSteps
            self.laterSteps = laterSteps
            self.addresses = addresses
        }

        public static let narrowed: [String: Schema] = Dictionary(
            uniqueKeysWithValues: ["codeStep", "codeField", "path", "firstSteps", "laterSteps"].map {
                ($0, LocalizedText.completeSchema)
            })
    }

    public init(
        name: String?, timezone: String, timezoneSource: String, languageVariant: String,
        crisisNumbers: [CrisisNumber], sheetLabels: SheetLabels, unseenMailHours: Int?
    ) {
        self.name = name
        self.timezone = timezone
        self.timezoneSource = timezoneSource
        self.languageVariant = languageVariant
        self.crisisNumbers = crisisNumbers
        self.sheetLabels = sheetLabels
        self.unseenMailHours = unseenMailHours
    }

    private static let hours = Schema.integer
    private static let variant = Schema.choice(["de-AT", "de-DE", "de-CH"])
    /// What is left out or null is as shipped.
    private static let sentLabels = Schema.object(
        ["code_step", "code_field", "path", "first_steps", "later_steps"].map {
            Schema.optional($0, LocalizedText.completeSchema.orNull)
        } + [Schema.optional("addresses", LocalizedText.schema.orNull)])
    /// What is left out or null follows from the zone, or is as shipped.
    public static let sent = Schema.object([
        Schema.optional("name", .string.orNull), Schema.optional("timezone", .string.orNull),
        Schema.optional("timezone_source", .string.orNull),
        Schema.optional("language_variant", variant.orNull),
        Schema.optional("crisis_numbers", Schema.list(.of(CrisisNumber.self)).orNull),
        Schema.optional("sheet_labels", sentLabels.orNull),
        // Left out it stays as it is.
        Schema.optional("unseen_mail_hours", hours.orNull),
    ])
    public static let narrowed: [String: Schema] = [
        "timezoneSource": .choice(["flag", "settings", "system"]), "languageVariant": variant,
        "unseenMailHours": hours.orNull,
    ]
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
            addresses: ["de": "App: https://app.example.org", "en": "App: https://app.example.org"]),
        unseenMailHours: 24)
}
