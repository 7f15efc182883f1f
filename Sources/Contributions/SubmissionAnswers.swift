import Identity
import JSON
import Questionnaires
import Wire
import Wording

extension Submission {
    /// Reads the answers against their questionnaire.
    ///
    /// - Parameter asks: whether values of a sensor are asked for.
    /// - Throws: `Problem.invalid` for answers that do not fit, times of unknown questions, and sensors that were not
    ///   asked for.
    package func answers(
        to definition: QuestionnaireDefinition, asks: (String) -> Bool
    ) throws(Problem) -> Answers {
        var errors = FieldErrors()
        let known = Set(definition.questions.map(\.key))
        for key in answeredAt where !known.contains(key) {
            errors.add("answered_at." + key.prefix(60), "answers.unknown")
        }
        for name in sensors where !asks(name) {
            errors.add("sensors.\(name)", "answers.sensor_not_asked")
        }
        do {
            let answers = try definition.readAnswers(answers)
            if errors.isEmpty { return answers }
        } catch {
            errors.add(error)
        }
        throw .invalid(errors)
    }

    /// The sensors whose values are dropped: the person has switched them off. For a known sheet they are those
    /// dropped then, so that sending it again gives the same.
    package func sensorsOff(by account: AccountRecord, _ known: ContributionRecord?) -> [String] {
        if let known { return known.sensorsDropped }
        return sensors.filter { !account.hasSwitchedOn($0) }
    }

    /// The same, completed at another moment. No sheet takes more than a day; then the start is as wrong as the end.
    package func shifted(to completed: Instant) -> Submission {
        let length = completedAt.seconds - startedAt.seconds
        var shifted = self
        shifted.startedAt = completed.adding(seconds: -max(0, length <= 86_400 ? length : 0))
        shifted.completedAt = completed
        return shifted
    }

    /// The same without the values of some sensors.
    package func without(sensors dropped: [String]) throws -> Submission {
        guard !dropped.isEmpty, let details else { return self }
        let json = try JSON.parse(details)
        var kept = self
        kept.sensors.removeAll(where: dropped.contains)
        let values = json["sensors"].flatMap { sensors -> JSON? in
            guard case .object(let members) = sensors else { return nil }
            let rest = members.filter { !dropped.contains($0.key) }
            return rest.isEmpty ? nil : .object(rest)
        }
        let times = json["answered_at"].flatMap { $0 == .null ? nil : $0 }
        kept.details = try SubmissionDetails.bytes(times: times, sensors: values)
        return kept
    }
}
