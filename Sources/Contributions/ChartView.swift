import Database
import Therapies

/// A figure for the template: paths over a thousand units, words beside them, and the table behind it.
package struct ChartView: Encodable, Sendable {
    /// A path with its kind: `dots`, `line`, `bars`, `outline`, `marks`, `band`, `cutoff`; `arm-…` for groups.
    package struct Layer: Encodable, Sendable {
        package let kind: String
        package let path: String

        package init(kind: String, path: String) {
            self.kind = kind
            self.path = path
        }
    }

    /// A letter on a lane, for an event at a moment.
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
        /// `last` for the newest, `roomy` for one shown on wide screens only.
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
    /// How to read the figure.
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
    /// The texts for pointer and arrow keys, from left to right, a line each: `37.5%|Di 17.11. · 2,7 (6 von 6)`.
    package let readings: String
    /// The page of its scale; nil without one.
    package let link: String?
    /// How a value is judged, and by which source; opens in place and stands below the table. Nil where nothing is judged.
    package let how: String?
    package let table: Table
    /// Whether there is anything to show in this period.
    package let isEmpty: Bool

    package init(
        id: String, name: String, reading: String, value: String, height: Int, labels: [String], grid: String,
        layers: [Layer], marks: [Mark], notes: [Note] = [], readings: String = "", link: String? = nil,
        how: String? = nil, table: Table, isEmpty: Bool
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
        self.how = how
        self.table = table
        self.isEmpty = isEmpty
    }
}

/// The shared parts of a page's figures: one axis.
package struct ChartFrame: Encodable, Sendable {
    package struct Session: Encodable, Sendable {
        package let x: String
        /// Nil for a session that did not take place: a hollow mark.
        package let number: String?
        /// The text for reading out.
        package let label: String
        package let link: String
        package let isNext: Bool
        /// Omitted on narrow screens.
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
        /// Omitted on narrow screens.
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
    /// Sessions that did not take place; empty for none.
    package let offLines: String
    package let nextLine: String
    package let pauses: String
    /// The words for what is drawn through all figures, with its days.
    package let key: String?
    /// The word of the axis, where its marks are not dates.
    package let axisName: String?
    package let charts: [ChartView]

    package init(
        isTimed: Bool, sessions: [Session], days: [Day], sessionLines: String, offLines: String,
        nextLine: String, pauses: String, key: String? = nil, axisName: String? = nil, charts: [ChartView]
    ) {
        self.isTimed = isTimed
        self.sessions = sessions
        self.days = days
        self.sessionLines = sessionLines
        self.offLines = offLines
        self.nextLine = nextLine
        self.pauses = pauses
        self.key = key
        self.axisName = axisName
        self.charts = charts
    }
}
