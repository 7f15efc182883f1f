import Contributions
import HTTP
import Records
import Therapies
import Web

/// One scale of one patient: a large course, the changes and their meaning, item by item (PR-4).
package enum ScaleCoursePages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/patients/:patient/scales/:instrument/:scale", .caseloadReader, show)
    }

    package struct Show: Page {
        package static let template = "scales/show"
        package static let section: NavigationItem? = .patients

        /// The newest value with its facts; nil before the first.
        package struct Newest: Encodable, Sendable {
            package let value: String
            /// `von 4`; nil where it is unknown.
            package let range: String?
            package let when: String
            package let basis: String
            /// Its sheet; not named like the page's own path, to which the form below is sent.
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
        /// The better end, in two words; nil for a scale without one.
        package let direction: String?
        package let newest: Newest?
        package let sheet: ChartFrame
        /// Nil where no answers can be shown.
        package let items: ItemTable?
        /// A second scale over the same time.
        package let second: FieldView?
        let printed: String
    }

    @Sendable static func show(_ c: Context<Caseload>) throws -> Reply {
        let key = c.places["instrument"] ?? ""
        let scale = c.places["scale"] ?? ""
        let page = try c.read { try ScaleReader(key, scale, c, $0).page($0) }
        try FileLook.note(c)
        return .page(page)
    }
}

/// Items in rows, sheets in columns from old to new, with shades of one hue; the cell always shows the number.
package struct ItemTable: Encodable, Sendable {
    package struct Column: Encodable, Sendable {
        package let label: String
        package let path: String
        package let isLast: Bool
    }
    package struct Cell: Encodable, Sendable {
        /// Nil where the question was not answered, or not asked yet.
        package let value: String?
        /// 0 to 4, from the lowest to the highest possible answer.
        package let shade: String
        package let label: String
        package let isLast: Bool
    }
    package struct Row: Encodable, Sendable {
        package let question: String
        /// A note that the newest answer is far from the one before; nil where it is not.
        package let moved: String?
        package let cells: [Cell]
    }

    package let columns: [Column]
    package let rows: [Row]
    /// The language of the questions, which may differ from the page's.
    package let contentLanguage: String
    /// The number of sheets left out of the table; nil for none.
    package let more: String?
}
