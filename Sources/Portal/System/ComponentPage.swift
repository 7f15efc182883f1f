import Web

/// Every component of pages, in each of its states: drawn by the gallery only, never served.
struct ComponentPage: Page {
    static let template = "system/components"
    static let section: NavigationItem? = .today

    let fields: [FieldView]
    let errors: ErrorSummary
    let menu: Menu
    let ways: FootWays

    static var example: ComponentPage {
        var plain = FieldView(name: "plain", label: "Notiz", value: "Angst im Aufzug")
        plain.hint = "Nur für Sie; wird verschlüsselt gespeichert."
        var wrong = FieldView(name: "wrong", label: "E-Mail", value: "ada@")
        wrong.error = "Das ist keine E-Mail-Adresse."
        var select = FieldView(name: "select", label: "Auswahl")
        select.isSelect = true
        select.choices = [.init(value: "1", label: "ISF-K", isChosen: true)]
        var area = FieldView(name: "area", label: "Fragen", value: "Wie war die Woche?")
        area.isArea = true
        var check = FieldView(name: "check", label: "Abfragen im Alltag", value: "true")
        check.isCheck = true
        return ComponentPage(
            fields: [plain, wrong, select, area, check],
            errors: ErrorSummary(lines: [ErrorLine(field: "wrong", text: "Das ist keine E-Mail-Adresse.")]),
            menu: Menu(
                id: "menu", label: "Weitere Aktionen",
                entries: [PageLink(label: "Termine", path: "/appointments")]),
            ways: FootWays(
                label: "Wege", quiet: [PageLink(label: "Termine", path: "/appointments")],
                dangers: [PageLink(label: "Abmelden …", path: "/profile")]))
    }
}
