import Delivery
import JSON
import Records
import Studies
import Web
import Wire
import Wording

/// A protocol as entered. Made only by reading.
package struct ProtocolDraft: Sendable {
    let name: String
    let scope: ProtocolScope
    let studyID: ID<Study>?
    /// As the study, named when it is made, and never changed.
    let arms: [StudyArm.Key]
    let definition: ProtocolDefinition
    /// Whether it is the default for the caller's new patients; nil leaves that unchanged.
    let isDefault: Bool?
    /// Whether running therapies follow; nil without a decision.
    let follows: Bool?
    let isPermissionConfirmed: Bool

    static let nameLimit = 120

    /// - Parameters:
    ///   - existing: the protocol to change: fields that are not sent keep their values, and its owner never changes.
    ///   - usual: the scope where none is sent.
    /// - Throws: `Problem.invalid`.
    static func read(
        _ fields: InputReader, over existing: ProtocolRecord? = nil, usual: ProtocolScope = .own
    ) throws(Problem) -> ProtocolDraft {
        let isNamed = existing == nil || fields.has("name")
        let name = isNamed ? fields.text("name", required: true, limit: nameLimit) : existing?.name
        var scope = existing?.scope ?? usual
        var study = existing?.studyID
        var arms = existing?.arms ?? []
        if existing == nil {
            study = fields.id("study_id")
            scope = fields.choice("scope") ?? (study == nil ? usual : .study)
            if scope == .study && study == nil { fields.refuse("study_id", "errors.required") }
            if scope != .study && study != nil { fields.refuse("study_id", "protocols.study_alone") }
            let named = fields.list("arms") ?? []
            arms = named.compactMap(\.string).map { StudyArm.Key(rawValue: $0) }
            if arms.count < named.count || Set(arms).count < arms.count {
                fields.refuse("arms", "errors.choice")
            }
            if scope != .study && !arms.isEmpty { fields.refuse("arms", "protocols.study_alone") }
        }
        let isDefault = fields.bool("is_default")
        let follows = fields.bool("follow")
        let isConfirmed = fields.bool(Permission.field) ?? false
        let definition = ProtocolDefinition.read(fields, over: existing?.definition)
        try fields.finish()
        guard let name else { throw .invalid(fields.errors) }
        return ProtocolDraft(
            name: name, scope: scope, studyID: study, arms: arms, definition: definition,
            isDefault: isDefault,
            follows: follows, isPermissionConfirmed: isConfirmed)
    }

    /// Whether only the caller's own choice of a default is sent, which needs no right to change the protocol.
    static func isDefaultOnly(_ json: JSON) -> Bool {
        guard case .object(let members) = json else { return false }
        return members.map(\.key) == ["is_default"]
    }

    private init(
        name: String, scope: ProtocolScope, studyID: ID<Study>?, arms: [StudyArm.Key],
        definition: ProtocolDefinition,
        isDefault: Bool?, follows: Bool?, isPermissionConfirmed: Bool
    ) {
        self.name = name
        self.scope = scope
        self.studyID = studyID
        self.arms = arms
        self.definition = definition
        self.isDefault = isDefault
        self.follows = follows
        self.isPermissionConfirmed = isPermissionConfirmed
    }
}
