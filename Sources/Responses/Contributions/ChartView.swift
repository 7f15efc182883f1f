import Database
import Therapies

/// A figure as the template draws it: paths over a thousand units, words beside them, and the table behind it.
package struct ChartView: Encodable, Sendable {
    /// A path of its own kind: `dots`, `line`, `bars`, `outline`, `marks`, `band`, `cutoff`; of groups `arm-…` and `mean-…`.
    package struct Layer: Encodable, Sendable {
        package let kind: String
        package let path: String

        package init(kind: String, path: String) {
            self.kind = kind
            self.path = path
        }
    }

    /// A letter on a lane, for what happened at a moment.
    package struct Mark: Encodable, Sendable {
        package let x: String
        package let letter: String
        package let kind: String
        package let isOpen: Bool

        package init(x: String, letter: String, kind: String, isOpen: Bool) {
            self.x = x
            self.letter = letter
            self.kind = kind
            self.isOpen = isOpen
        }
    }

    /// A word within the figure: a value at its point.
    package struct Note: Encodable, Sendable {
        package let x: String
        package let y: String
        package let text: String
        /// `last` for the newest, `roomy` for what only a wide screen has room for.
        package let kind: String

        package init(x: String, y: Double, text: String, kind: String) {
            self.x = x
            self.y = String(Int(y.rounded()))
            self.text = text
            self.kind = kind
        }
    }

    package struct Table: Encodable, Sendable {
        package struct Row: Encodable, Sendable {
            package let head: String
            package let cells: [String]

            package init(head: String, cells: [String]) {
                self.head = head
                self.cells = cells
            }
        }
        package let columns: [String]
        package let rows: [Row]

        package init(columns: [String], rows: [Row]) {
            self.columns = columns
            self.rows = rows
        }
    }

    package let id: String
    package let name: String
    /// How to read it.
    package let reading: String
    /// The newest value with its n.
    package let value: String
    package let height: Int
    /// Words of the value axis, from top to bottom.
    package let labels: [String]
    package let grid: String
    package let layers: [Layer]
    package let marks: [Mark]
    package let notes: [Note]
    /// What a pointer or an arrow key reads out, from left to right: `37.5%|Di 17.11. · 2,7 (6 von 6)`, a line each; empty for
    /// figures that say all themselves.
    package let readings: String
    /// The page of the scale it shows; nil for what is none.
    package let link: String?
    package let table: Table
    /// Whether there is anything to show in this time.
    package let isEmpty: Bool

    package init(
        id: String, name: String, reading: String, value: String, height: Int, labels: [String], grid: String,
        layers: [Layer], marks: [Mark], notes: [Note] = [], readings: String = "", link: String? = nil,
        table: Table, isEmpty: Bool
    ) {
        self.id = id
        self.name = name
        self.reading = reading
        self.value = value
        self.height = height
        self.labels = labels
        self.grid = grid
        self.layers = layers
        self.marks = marks
        self.notes = notes
        self.readings = readings
        self.link = link
        self.table = table
        self.isEmpty = isEmpty
    }
}

/// Everything that the figures of a page share: one axis.
package struct ChartSheet: Encodable, Sendable {
    package struct Session: Encodable, Sendable {
        package let x: String
        /// Nil for what did not take place: a hollow mark.
        package let number: String?
        /// What is read out.
        package let label: String
        package let link: String
        package let isNext: Bool
        /// Left out where there is little room.
        package let isMinor: Bool

        package init(
            x: String, number: String?, label: String, link: String, isNext: Bool, isMinor: Bool = false
        ) {
            self.x = x
            self.number = number
            self.label = label
            self.link = link
            self.isNext = isNext
            self.isMinor = isMinor
        }
    }

    package struct Day: Encodable, Sendable {
        package let x: String
        package let text: String
        /// Left out where there is little room.
        package let isMinor: Bool

        package init(x: String, text: String, isMinor: Bool) {
            self.x = x
            self.text = text
            self.isMinor = isMinor
        }
    }

    /// Whether the axis is time; else days since a session.
    package let isTimed: Bool
    package let sessions: [Session]
    package let days: [Day]
    /// Sessions and pauses as paths through all figures.
    package let sessionLines: String
    /// Those that did not take place; empty for none.
    package let offLines: String
    package let nextLine: String
    package let pauses: String
    package let charts: [ChartView]

    package init(
        isTimed: Bool, sessions: [Session], days: [Day], sessionLines: String, offLines: String,
        nextLine: String, pauses: String, charts: [ChartView]
    ) {
        self.isTimed = isTimed
        self.sessions = sessions
        self.days = days
        self.sessionLines = sessionLines
        self.offLines = offLines
        self.nextLine = nextLine
        self.pauses = pauses
        self.charts = charts
    }

    package static let example = ChartSheet(
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
                notes: [ChartView.Note(x: "90.0%", y: 30, text: "3,6", kind: "last")],
                readings: "10.0%|Di 01.09. · 3,6", link: "/patients",
                table: ChartView.Table(
                    columns: ["Woche", "Mittel"], rows: [.init(head: "KW 1", cells: ["3,6 (11)"])]),
                isEmpty: false)
        ])
}
