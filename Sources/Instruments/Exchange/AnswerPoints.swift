import HTTP
import Questionnaires
import Web
import Wire
import Wording

/// The points that an author has said for answers of which a form says none (RP-23).
struct AnswerPoints {
    /// By the file and the place of the answer.
    private(set) var list: [Int: [String: Double]] = [:]
    /// What is typed and no number, or none at all.
    let errors: FieldErrors

    private static let prefix = "points."

    init(_ form: Form) {
        let reader = InputReader(form: form)
        for field in Self.fields(form) {
            let parts = field.name.split(separator: ".", maxSplits: 2).map(String.init)
            guard parts.count == 3, let file = Int(parts[1]) else { continue }
            if let value = reader.number(field.name) {
                list[file, default: [:]][parts[2]] = value
            } else if field.value.utf8.isEmpty {
                reader.refuse(field.name, "errors.required")
            }
        }
        errors = reader.errors
    }

    /// The fields of a form that say points.
    static func fields(_ form: Form) -> [Form.Field] {
        form.fields.filter { $0.name.utf8.starts(with: prefix.utf8) }
    }

    static func name(_ answer: UncountedAnswer) -> String { "\(prefix)\(answer.file).\(answer.place)" }

    /// Whether a form is to be asked about instead of being refused: points are all that it lacks, or were said already.
    func asks(for faults: QuestionnaireFile.Faults) -> Bool {
        guard !faults.uncounted.isEmpty else { return false }
        let isLackingPoints = faults.list.allSatisfy { $0.message.key == "exchange.weight_missing" }
        return isLackingPoints || !list.isEmpty || !errors.isEmpty
    }
}
