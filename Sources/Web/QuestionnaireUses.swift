import Identity
import Records
import Wire

/// Asks every area for its uses of questionnaires.
package struct UseQuestion: Sendable {
    package let keys: [String]
    /// The account that reads the answer: only its own things are named.
    package let reader: AccountRecord
    /// Limits the answer to things that the reader made and can change.
    package let isOwnOnly: Bool
    package let now: Instant
    package let keyring: Keyring

    package func whose(_ authors: [ID<Account>]) -> QuestionnaireUse.Whose {
        authors.contains(reader.id) ? .own : .others
    }
}

/// A use of a questionnaire: something that asks it, or waits for its answers.
package struct QuestionnaireUse: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case dailies, battery, plan, reaction, study, assignments
        case treatment = "protocol"
    }

    package enum Whose: String, Sendable, CaseIterable { case own, clinic, others }

    /// The questionnaire's key.
    package let key: String
    package let kind: Kind
    package let whose: Whose
    /// Nil for uses that are only counted, and for those made by others.
    package let name: String?
    /// Where it is changed.
    package let path: String?
    package let count: Int
    /// The file that a plan belongs to.
    package let therapy: String?

    package init(
        _ key: String, _ kind: Kind, _ whose: Whose, name: String? = nil, path: String? = nil, count: Int = 1,
        therapy: String? = nil
    ) {
        self.key = key
        self.kind = kind
        self.whose = whose
        self.name = whose == .others ? nil : name
        self.path = path
        self.count = count
        self.therapy = therapy
    }

    /// Uses with a name one by one, others as a sum for each kind and owner: naming a plan would open a file.
    package static func summed(_ uses: [QuestionnaireUse]) -> [QuestionnaireUsers.Use] {
        Kind.allCases.flatMap { kind in
            Whose.allCases.flatMap { whose -> [QuestionnaireUsers.Use] in
                let all = uses.filter { $0.kind == kind && $0.whose == whose }
                let isNamed = { (use: QuestionnaireUse) in use.name != nil && use.therapy == nil }
                let rest = all.filter { !isNamed($0) }.reduce(0) { $0 + $1.count }
                let line = { (name: String?, count: Int) in
                    QuestionnaireUsers.Use(
                        kind: kind.rawValue, whose: whose.rawValue, name: name, count: count)
                }
                return all.filter(isNamed).map { line($0.name, $0.count) }
                    + (rest > 0 ? [line(nil, rest)] : [])
            }
        }
    }
}
