import Wire

/// A named, ordered set of questionnaires.
struct QuestionnaireBattery: Documented, Decodable {
    static let type = "battery"
    var name: String
    var questionnaireKeys: [String]

    /// What may be sent to change one.
    static let change = Schema.object([
        Schema.optional("name", .string), Schema.optional("questionnaire_keys", .list(.string)),
    ])
    static let example = QuestionnaireBattery(name: "Beginn", questionnaireKeys: ["isf-k", "rq"])
}
