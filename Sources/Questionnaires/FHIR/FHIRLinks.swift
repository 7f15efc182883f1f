/// The `linkId` of every item of a questionnaire. A question's is its key; what stands around the questions takes none of theirs, so
/// that each is there once.
struct FHIRLinks {
    static let sectionPrefix = "section-"

    private let sections: [String: String]
    private let labels: [String: String]
    let intro: String
    let outro: String

    init(_ definition: QuestionnaireDefinition) {
        var taken = Set(definition.questions.map(\.key))
        let free = { (wish: String) -> String in
            var id = wish
            while !taken.insert(id).inserted { id += "_" }
            return id
        }
        intro = free("_intro")
        outro = free("_outro")
        sections = Dictionary(
            definition.sections.map { ($0.key, free(Self.sectionPrefix + $0.key)) },
            uniquingKeysWith: { first, _ in first })
        labels = Dictionary(
            definition.questions.flatMap { question in
                End.allCases.map { (Self.place(question.key, $0), free("\(question.key)-\($0.rawValue)")) }
            },
            uniquingKeysWith: { first, _ in first })
    }

    /// An end of a range that has words.
    enum End: String, CaseIterable { case lower, upper }

    private static func place(_ question: String, _ end: End) -> String { "\(end.rawValue)/\(question)" }

    func section(_ key: String) -> String { sections[key] ?? Self.sectionPrefix + key }
    func label(_ end: End, of question: String) -> String {
        labels[Self.place(question, end)] ?? "\(question)-\(end.rawValue)"
    }
}
