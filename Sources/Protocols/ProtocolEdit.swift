import Web

/// The editor of a protocol. Rows are added by a button that saves nothing, so that it works without scripts.
package struct ProtocolEdit: Page {
    package static let template = "protocols/edit"
    package static let section: NavigationItem? = nil

    package struct Entry: Encodable, Sendable {
        package let legend: String
        package let always: [FieldView]
        package let rhythm: [FieldView]
        package let watch: [FieldView]
    }
    package struct Row: Encodable, Sendable {
        package let legend: String
        package let fields: [FieldView]
    }
    package struct Reaction: Encodable, Sendable {
        package let id: String
        package let name: String
        package let words: String
        package let warnings: [String]
        package let isChosen: Bool
    }
    package struct Decision: Encodable, Sendable {
        package let lead: String
        package let error: String?
        package let isYes: Bool
        package let isNo: Bool
    }

    package let title: String
    package let action: String
    /// The address of its removal; nil for a new one.
    package let removal: String?
    /// Nil for a new one.
    package let revision: String?
    package let isStale: Bool
    package let fields: [FieldView]
    package let batteries: [FieldView]
    package let plan: [Entry]
    package let planError: String?
    package let dailies: FieldView
    package let reactions: [Reaction]
    package let reactionError: String?
    package let interventions: [Row]
    package let interventionError: String?
    /// The question whether running therapies follow; nil without any.
    package let decision: Decision?
    package let permission: FieldView?
    package let errors: ErrorSummary?
}
