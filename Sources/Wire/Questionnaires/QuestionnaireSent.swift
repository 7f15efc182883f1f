extension Questionnaire {
    /// The body of an import: a file `intersession-questionnaire/1`, with its texts by language, or a FHIR R4
    /// Questionnaire, which HL7 describes.
    public static let sent = Schema.either([file, .record])

    private static let text = Schema.map(.string)
    private static let sentOptions = Schema.list(
        .object([
            Schema.property("value", .number), Schema.property("text", text),
            Schema.optional("exclusive", .boolean),
        ]))
    private static let sentQuestion = Schema.object([
        Schema.property("key", .string),
        Schema.property(
            "type", .choice(["single", "multiple", "slider", "sam", "yes_no", "text", "number", "date"])),
        Schema.optional("required", .boolean), Schema.property("text", text),
        Schema.optional("options", sentOptions), Schema.optional("minimum_choices", .integer),
        Schema.optional("maximum_choices", .integer), Schema.optional("minimum", .number),
        Schema.optional("maximum", .number), Schema.optional("step", .number),
        Schema.optional("minimum_label", text), Schema.optional("maximum_label", text),
        Schema.optional("aspect", .choice(["valence", "arousal"])),
    ])
    private static let sentSection = Schema.object([
        Schema.property("key", .string), Schema.optional("text", text),
        Schema.optional("visible_if", Condition.schema), Schema.optional("layout", layouts),
        Schema.optional("options", sentOptions), Schema.optional("questions", .list(sentQuestion)),
    ])
    private static let sentScale = Schema.object([
        Schema.property("key", .string), Schema.property("title", text),
        Schema.property("method", .choice(["sum", "mean"])), Schema.property("items", .list(.string)),
        Schema.optional("reversed", .list(.string)), Schema.optional("factor", .number),
        Schema.optional("percent", .boolean), Schema.optional("minimum_answered", .number),
        Schema.optional("range", .list(.number)), Schema.optional("higher_is_worse", .boolean),
        Schema.optional("cutoff", .number), Schema.optional("reliability", .number),
        Schema.optional("standard_deviation", .number),
    ])
    private static let file = Schema.object([
        Schema.property("format", .choice(["intersession-questionnaire/1"])),
        Schema.property("key", .string), Schema.optional("version", .integer),
        Schema.property("title", text), Schema.optional("description", text), Schema.optional("intro", text),
        Schema.optional("outro", text), Schema.optional("citation", .string),
        Schema.optional("origin", .string), Schema.optional("mode", .choice(["sheet", "living"])),
        Schema.optional("printable", .boolean),
        Schema.property("sections", .list(sentSection)), Schema.optional("scales", .list(sentScale)),
    ])
}
