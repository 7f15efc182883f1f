import Contributions
import Web

/// Every component of pages, in each of its states: drawn by the gallery only, never served.
struct ComponentPage: Page {
    static let template = "system/components"
    static let section: NavigationItem? = .today

    let fields: [FieldView]
    let errors: ErrorSummary
    let menu: Menu
    let ways: FootWays
    let states: [StateView]
    let rows: [ListRow]
    let figure: ChartFrame
    /// A small course and its end.
    let course: String
    let end: String

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
                id: "menu", label: "Weitere Aktionen", notes: ["zuletzt am 21. November"],
                entries: [PageLink(label: "Termine", path: "/appointments")],
                acts: [
                    FormAct(
                        label: "Als gesehen ablegen", path: "/today/news/set-aside", name: "until",
                        value: "2026-11-28T08:00:00Z", back: "/")
                ]),
            ways: FootWays(
                label: "Wege", quiet: [PageLink(label: "Termine", path: "/appointments")],
                dangers: [PageLink(label: "Abmelden …", path: "/profile")]),
            states: states,
            rows: [
                ListRow(
                    title: "Sicherung", path: "/admin/system", facts: "Täglich, 30 Tage aufbewahrt",
                    state: states[0]), ListRow(title: "Uhr", state: states[1]),
            ], figure: figure, course: "M0 6L50 12L100 21", end: "M100 21h0")
    }

    private static let states = [
        StateView(word: "in Ordnung", tone: .good), StateView(word: "braucht Aufmerksamkeit", tone: .warn),
        StateView(word: "angehalten", tone: .plain),
    ]

    private static var figure: ChartFrame {
        let table = ChartView.Table(columns: ["Woche", "Mittel"], rows: [.init(head: "1", cells: ["2,7"])])
        let chart = ChartView(
            id: "example", name: "ISF-K", reading: "Mittel über Personen", value: "2,7 von 4", height: 96,
            labels: ["4", "0"], grid: "M0 6h1000M0 90h1000",
            layers: [.init(kind: "line", path: "M0 60L500 40L1000 50")], marks: [], table: table,
            isEmpty: false)
        return ChartFrame(
            isTimed: false, sessions: [], days: [], sessionLines: "", offLines: "", nextLine: "", pauses: "",
            charts: [chart])
    }
}
