import Database
import Records
import Therapies
import Wire
import Wording

/// What the arms of a study are called on pages.
package struct ArmWords: Sendable {
    private let arms: [StudyArm]
    private let languages: [Language]
    private let texts: Texts

    package init(_ arms: [StudyArm], in languages: [Language], _ texts: Texts) {
        self.arms = arms
        self.languages = languages
        self.texts = texts
    }

    /// Of a study, whatever its groups are.
    package init(
        of study: ID<Study>, in languages: [Language], _ texts: Texts, _ connection: borrowing Connection
    ) throws {
        self.init(try GroupStore.find(study, connection)?.groups.arms ?? [], in: languages, texts)
    }

    package func name(_ key: StudyArm.Key) -> String {
        if let title = arms[key]?.title?.text(in: languages) { return title }
        return Therapy.Arm(rawValue: key.rawValue).map { texts["studies.arm_\($0.rawValue)"] }
            ?? key.rawValue
    }

    /// How a line of it is drawn: by its name where all are the house's, else by its place.
    package func look(_ key: StudyArm.Key) -> String {
        if arms.allSatisfy({ Therapy.Arm(rawValue: $0.key.rawValue) != nil }) { return key.rawValue }
        return arms.firstIndex { $0.key == key }.map { String($0 + 1) } ?? key.rawValue
    }
}
