import HTTP
import Records
import Responses
import Therapies
import Web
import Wire
import Wording

/// One scale of one patient: its course large, what changed and what that means, item by item (PR-4).
package enum ScaleCoursePages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/patients/:patient/scales/:instrument/:scale", .caseloadReader, show)
    }

    package struct Show: Page {
        package static let template = "scales/show"
        package static let section: NavigationItem? = .patients

        /// The newest value with what belongs to it; nil before the first.
        package struct Newest: Encodable, Sendable {
            package let value: String
            package let when: String
            package let basis: String
            /// Its sheet; not called as the page's own path, to which the form below is sent.
            package let link: String
            package let changes: [JudgedChange]
        }

        package let id: ID<Therapy>
        package let codename: String
        /// Of this page.
        package let path: String
        package let title: String
        package let questionnaire: String
        /// All sheets of the questionnaire.
        package let sheets: String
        /// Range and direction in words.
        package let reading: String
        package let newest: Newest?
        package let sheet: ChartSheet
        /// How a class of change is reached, or why there is none.
        package let formula: String
        /// Nil where no answers can be shown.
        package let items: ItemTable?
        /// A second scale over the same time.
        package let second: FieldView?
        let printed: String

        package static let example = Show(
            id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", codename: "C020480",
            path: "/patients", title: "Intensität",
            questionnaire: "ISF-K", sheets: "/patients", reading: "0 bis 4 · höher = belastender",
            newest: Newest(
                value: "2,7", when: "heute 07:12", basis: "6 von 6", link: "/patients",
                changes: [.example]), sheet: .example, formula: "RC = …", items: .example,
            second: FieldView(name: "with", label: "Daneben", isSelect: true), printed: "23.11.2026")
    }

    @Sendable static func show(_ c: Context<Caseload>) throws -> Reply {
        let key = c.places["instrument"] ?? ""
        let scale = c.places["scale"] ?? ""
        let page = try c.read { try ScaleReader(key, scale, c, $0).page($0) }
        try FileLook.note(c)
        return .page(page)
    }
}

/// Items in rows, sheets in columns from old to new, with shades of one hue; the number always stands in the cell.
package struct ItemTable: Encodable, Sendable {
    package struct Column: Encodable, Sendable {
        package let label: String
        package let path: String
        package let isLast: Bool
    }
    package struct Cell: Encodable, Sendable {
        /// Nil where the question was not answered, or not asked yet.
        package let value: String?
        /// 0 to 4, from the lowest to the highest that can be answered.
        package let shade: String
        package let label: String
        package let isLast: Bool
    }
    package struct Row: Encodable, Sendable {
        package let question: String
        /// That the newest answer lies far from the one before; nil where it does not.
        package let moved: String?
        package let cells: [Cell]
    }

    package let columns: [Column]
    package let rows: [Row]
    /// The language of the questions, which may differ from the page's.
    package let contentLanguage: String
    /// How many sheets the table leaves out; nil for none.
    package let more: String?

    package static let example = ItemTable(
        columns: [Column(label: "17.11.", path: "/patients", isLast: true)],
        rows: [
            Row(
                question: "Wie oft?", moved: "gefallen",
                cells: [Cell(value: "2", shade: "2", label: "17.11.", isLast: true)])
        ], contentLanguage: "de", more: "12 ältere")
}
