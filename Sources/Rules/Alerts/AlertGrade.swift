import Web
import Wording

/// How an alert is told apart from others: only the first kind is red.
package enum AlertGrade: String, Sendable, CaseIterable {
    /// An answer that should be seen, or a reliable worsening.
    case answer
    /// How somebody is doing over time.
    case course
    /// Nothing comes in, whatever the reason.
    case technical
}

extension AlertGrade {
    /// Its badge: only what should be seen is red.
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
    /// What kind of thing it alerts to (PR-10).
    /// - Parameter mustBeSeen: whether answers to a question of a questionnaire have to be seen.
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
