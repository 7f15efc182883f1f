/// A figure as the template draws it: paths over a thousand units, words beside them, and the table behind it.
struct ChartView: Encodable, Sendable {
    /// A path of its own kind: `dots`, `line`, `bars`, `outline`, `marks`, `band`, `cutoff`; of groups `arm-…` and `mean-…`.
    struct Layer: Encodable, Sendable {
        let kind: String
        let path: String
    }

    /// A letter on a lane, for what happened at a moment.
    struct Mark: Encodable, Sendable {
        let x: String
        let letter: String
        let kind: String
        let isOpen: Bool
    }

    struct Table: Encodable, Sendable {
        struct Row: Encodable, Sendable {
            let head: String
            let cells: [String]
        }
        let columns: [String]
        let rows: [Row]
    }

    let id: String
    let name: String
    /// How to read it.
    let reading: String
    /// The newest value with its n.
    let value: String
    let height: Int
    /// Words of the value axis, from top to bottom.
    let labels: [String]
    let grid: String
    let layers: [Layer]
    let marks: [Mark]
    let table: Table
    /// Whether there is anything to show in this time.
    let isEmpty: Bool
}

/// Everything that the figures of a page share: one axis.
struct ChartSheet: Encodable, Sendable {
    struct Session: Encodable, Sendable {
        let x: String
        /// Nil for what did not take place: a hollow mark.
        let number: String?
        /// What is read out.
        let label: String
        let link: String
        let isNext: Bool
    }

    struct Day: Encodable, Sendable {
        let x: String
        let text: String
        /// Left out where there is little room.
        let isMinor: Bool
    }

    /// Whether the axis is time; else days since a session.
    let isTimed: Bool
    let sessions: [Session]
    let days: [Day]
    /// Sessions and pauses as paths through all figures.
    let sessionLines: String
    /// Those that did not take place; empty for none.
    let offLines: String
    let nextLine: String
    let pauses: String
    let charts: [ChartView]

    static let example = ChartSheet(
        isTimed: true,
        sessions: [
            Session(x: "10.0%", number: "1", label: "Sitzung 1", link: "/patients", isNext: false),
            Session(x: "20.0%", number: nil, label: "nicht erschienen", link: "/patients", isNext: false),
        ],
        days: [Day(x: "0.0%", text: "Di 01.09.", isMinor: false)], sessionLines: "M100 0v96",
        offLines: "M200 0v96", nextLine: "",
        pauses: "",
        charts: [
            ChartView(
                id: "mood", name: "Stimmung", reading: "Punkte: einzelne Antworten", value: "3,6 (11 von 27)",
                height: 96, labels: ["sehr positiv", "neutral", "sehr negativ"], grid: "M0 6h1000",
                layers: [ChartView.Layer(kind: "dots", path: "M10 10h0")],
                marks: [ChartView.Mark(x: "10.0%", letter: "L", kind: "commendation", isOpen: true)],
                table: ChartView.Table(
                    columns: ["Woche", "Mittel"], rows: [.init(head: "KW 1", cells: ["3,6 (11)"])]),
                isEmpty: false)
        ])
}
