import HTTP
import Wire

extension Submission {
    /// Reads the answers against their questionnaire.
    ///
    /// - Parameter asks: whether values of a sensor are asked for.
    /// - Throws: `Problem.invalid` for answers that do not fit, times of unknown questions, and sensors that were
    ///   not asked for or are switched off.
    func answers(
        to definition: QuestionnaireDefinition, of account: AccountRecord, asks: (String) -> Bool
    ) throws(Problem) -> Answers {
        var errors = FieldErrors()
        let known = Set(definition.questions.map(\.key))
        for key in answeredAt where !known.contains(key) {
            errors.add("answered_at." + key.prefix(60), "answers.unknown")
        }
        for name in sensors {
            if !asks(name) {
                errors.add("sensors.\(name)", "answers.sensor_not_asked")
            } else if !account.hasSwitchedOn(name) {
                errors.add("sensors.\(name)", "answers.sensor_off")
            }
        }
        do {
            let answers = try definition.readAnswers(answers)
            if errors.isEmpty { return answers }
        } catch {
            errors.add(error)
        }
        throw .invalid(errors)
    }
}
