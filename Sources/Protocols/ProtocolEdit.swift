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
    /// Where it is removed; nil for a new one.
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
    /// Whether running therapies follow; nil where there are none.
    package let decision: Decision?
    package let permission: FieldView?
    package let errors: ErrorSummary?

    package static let example = ProtocolEdit(
        title: "Standard", action: "/protocols/new", removal: "/protocols/x/removal", revision: "3",
        isStale: true, fields: [FieldView(name: "name", label: "Name")],
        batteries: [
            FieldView(name: "battery", label: "Vor jeder Sitzung", isSelect: true)
        ],
        plan: [
            Entry(
                legend: "Eintrag 1",
                always: [FieldView(name: "plan.0.what", label: "Was zugewiesen wird", isSelect: true)],
                rhythm: [FieldView(name: "plan.0.every", label: "Alle")],
                watch: [FieldView(name: "plan.0.threshold", label: "Wert")])
        ], planError: "Höchstens 20 Einträge.",
        dailies: FieldView(name: "dailies", label: "Tagesabfragen", isSelect: true),
        reactions: [
            Reaction(
                id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", name: "Drei Tage still",
                words: "Wenn drei Tage nichts kommt, dann Hinweis", warnings: ["Ausgeschaltet."],
                isChosen: true)
        ], reactionError: "Diese Reaktion gibt es nicht.",
        interventions: [
            Row(
                legend: "Intervention 1",
                fields: [FieldView(name: "interventions.0.day", label: "Tag (0 = Beginn)")])
        ], interventionError: "Höchstens 30 Einträge.",
        decision: Decision(
            lead: "2 laufende Therapien sind davon betroffen.", error: "Bitte wählen Sie.", isYes: true,
            isNo: false),
        permission: FieldView(name: "permission_confirmed", label: "Die Erlaubnis liegt vor.", isCheck: true),
        errors: nil)
}
