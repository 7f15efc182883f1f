import Wording

/// The kind of an alert, which decides its colour: only the first kind is red.
package enum AlertGrade: String, Sendable, CaseIterable {
    /// An answer that must be seen, or a reliable worsening.
    case answer
    /// The patient's course over time.
    case course
    /// Missing data, whatever the reason.
    case technical
}

extension AlertGrade {
    /// Its badge: only alerts that must be seen are red.
    package var tone: String {
        switch self {
        case .answer: "danger"
        case .course: "warn"
        case .technical: "plain"
        }
    }

    package func words(_ texts: Texts) -> String { texts["alerts.grade_\(rawValue)"] }
}

extension Rule {
    /// The grade of the alerts of a rule (PR-10).
    /// - Parameter mustBeSeen: whether answers to a question of a questionnaire must be seen.
    func grade(_ mustBeSeen: (_ key: String, _ item: String) throws -> Bool) rethrows -> AlertGrade {
        let isAnswer = try clauses.contains { clause in
            if clause.kind == .worsening { return true }
            guard clause.kind == .answer, let key = clause.key, let item = clause.item else { return false }
            return try mustBeSeen(key, item)
        }
        if isAnswer { return .answer }
        return clauses.allSatisfy { $0.kind == .missed || $0.kind == .silent } ? .technical : .course
    }
}
