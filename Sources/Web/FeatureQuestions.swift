import Database
import Records
import Wire

/// What areas below ask of those above them, whose tables they do not know.
package struct FeatureQuestions: Sendable {
    package typealias NoteUses =
        @Sendable (_ key: String, _ now: Instant, inout QuestionnaireUses, borrowing Connection) throws ->
        Void
    package typealias IsAsked =
        @Sendable (_ questionnaire: ID<QuestionnaireVersion>, _ account: ID<Account>, borrowing Connection)
        throws -> Bool
    package typealias HasAgreed =
        @Sendable (_ account: ID<Account>, _ choice: Int, borrowing Connection) throws -> Bool
    package typealias Held = @Sendable (_ study: ID<Study>, borrowing Connection) throws -> Int

    /// Adds where a questionnaire is needed.
    package let noteUses: NoteUses
    /// Whether a patient may read a version of a questionnaire, because they are or were asked it or can come to be.
    package let isAsked: IsAsked
    /// Whether a patient has agreed to something that is research after a choice of theirs.
    package let hasAgreed: HasAgreed
    /// How many refused sheets of a study wait for a decision.
    package let held: Held

    package init(
        noteUses: @escaping NoteUses = { _, _, _, _ in },
        isAsked: @escaping IsAsked = { _, _, _ in false },
        hasAgreed: @escaping HasAgreed = { _, _, _ in false },
        held: @escaping Held = { _, _ in 0 }
    ) {
        self.noteUses = noteUses
        self.isAsked = isAsked
        self.hasAgreed = hasAgreed
        self.held = held
    }
}

/// Where a questionnaire is needed.
package struct QuestionnaireUses: Sendable {
    /// The names of the batteries it stands in.
    package var batteries: [String] = []
    /// Running therapies that are assigned it by themselves.
    package var plans = 0
    package var studies = 0
    /// Rules that are switched on and look at it.
    package var rules = 0
    /// Assignments that are open or coming.
    package var open = 0
    /// It is the one that is asked three times a day.
    package let isDaily: Bool

    package var isEmpty: Bool {
        batteries.isEmpty && plans == 0 && studies == 0 && rules == 0 && open == 0 && !isDaily
    }
}

/// The questions, put to every area.
extension Services {
    package func uses(
        of key: String, at now: Instant, _ connection: borrowing Connection
    ) throws -> QuestionnaireUses {
        var uses = QuestionnaireUses(isDaily: key == "intersession-daily")
        for feature in features { try feature.questions.noteUses(key, now, &uses, connection) }
        return uses
    }

    package func isAsked(
        _ questionnaire: ID<QuestionnaireVersion>, of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> Bool {
        try features.contains { try $0.questions.isAsked(questionnaire, account, connection) }
    }

    package func hasAgreed(
        _ account: ID<Account>, after choice: Int, _ connection: borrowing Connection
    ) throws -> Bool {
        try features.contains { try $0.questions.hasAgreed(account, choice, connection) }
    }

    package func heldSheets(in study: ID<Study>, _ connection: borrowing Connection) throws -> Int {
        try features.reduce(0) { try $0 + $1.questions.held(study, connection) }
    }
}
