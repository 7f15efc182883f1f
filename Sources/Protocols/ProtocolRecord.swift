import Database
import Delivery
import Identity
import Records
import Scheduling
import Studies
import Therapies
import Web
import Wire

package enum ProtocolScope: String, Sendable, CaseIterable, SQLConvertible {
    /// Those of its author.
    case own
    /// Those of every therapist who chooses it.
    case clinic
    case study
}

/// A protocol as stored.
package struct ProtocolRecord: Sendable {
    package let id: ID<TreatmentProtocol>
    package let scope: ProtocolScope
    let ownerID: ID<Account>
    package let studyID: ID<Study>?
    /// The arms of the study that it acts on; empty for all.
    let arms: [StudyArm.Key]
    package let name: String
    let definition: ProtocolDefinition
    /// Counts the changes.
    let revision: Int
    /// A study's protocol applies to participants who joined from then on.
    let actsSince: Instant
    let createdAt: Instant
    let changedAt: Instant
    let retiredAt: Instant?

    init(row: borrowing Row) throws {
        id = try row["id"]
        scope = try row["scope"]
        ownerID = try row["owner_id"]
        studyID = try row["study_id"]
        arms = .stored(try row["arms"])
        name = try row["name"]
        definition = try ProtocolDefinition(text: try row["definition"])
        revision = try row["revision"]
        actsSince = try row["acts_since"]
        createdAt = try row["created_at"]
        changedAt = try row["changed_at"]
        retiredAt = try row["retired_at"]
    }
}

extension ProtocolRecord {
    /// - Parameter arm: of the participant; nil in a study without groups.
    func acts(on arm: StudyArm.Key?) -> Bool { arms.isEmpty || arm.map(arms.contains) ?? false }

    /// Its uses of the questionnaires in question: it asks them, or waits for their answers.
    func uses(_ question: UseQuestion, _ connection: borrowing Connection) throws -> [QuestionnaireUse] {
        let authors = try studyID.map { try StudyStore.unmasked($0, connection) } ?? [ownerID]
        if question.isOwnOnly, !authors.contains(question.reader.id) { return [] }
        var asked = Set(definition.asked.flatMap { [$0.questionnaireKey, $0.watch?.key] }.compactMap(\.self))
        for battery in definition.asked.compactMap(\.batteryID) {
            asked.formUnion(try BatteryStore.find(battery, connection)?.keys ?? [])
        }
        if definition.dailies == true { asked.insert(DailyPlan.questionnaireKey) }
        let whose = scope == .clinic ? .clinic : question.whose(authors)
        return question.keys.filter(asked.contains).map {
            QuestionnaireUse($0, .treatment, whose, name: name, path: "/protocols/\(id)")
        }
    }
}

/// A protocol in force for a therapy, in its state when it was put or last followed.
struct PutProtocol: Sendable {
    let therapyID: ID<Therapy>
    let protocolID: ID<TreatmentProtocol>
    /// By the therapist; otherwise it comes from a study.
    let isChosen: Bool
    let definition: ProtocolDefinition
    let revision: Int
    let putAt: Instant

    init(row: borrowing Row) throws {
        therapyID = try row["therapy_id"]
        protocolID = try row["protocol_id"]
        isChosen = try row["chosen"]
        definition = try ProtocolDefinition(text: try row["definition"])
        revision = try row["revision"]
        putAt = try row["put_at"]
    }
}

extension AuditAction {
    static let protocolMade = AuditAction(name: "protocol.made")
    static let protocolChanged = AuditAction(name: "protocol.changed")
    static let protocolRemoved = AuditAction(name: "protocol.removed")
    static let protocolDefaultChosen = AuditAction(name: "protocol.default_chosen")
    package static let protocolPut = AuditAction(name: "protocol.put")
    static let protocolFollowed = AuditAction(name: "protocol.followed")
}
