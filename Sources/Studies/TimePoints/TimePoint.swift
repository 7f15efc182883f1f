import Database
import JSON
import Records
import Web
import Wire
import Wording

/// A time point of a study (ST-1): what it is called, and the days that belong to it.
package struct TimePoint: Sendable, Equatable {
    package let key: String
    package let title: LocalizedText
    package let window: TimePointWindow

    package var wire: StudyTimePoint {
        StudyTimePoint(
            key: key, title: title, anchor: window.anchor.rawValue, on: window.on, day: window.day,
            before: window.before, after: window.after)
    }
}

/// The days of a time point, counted from an anchor.
package struct TimePointWindow: Sendable, Equatable {
    package enum Anchor: String, Sendable, CaseIterable {
        case enrolment, date, lead
        case therapyStart = "therapy_start"
        case firstSession = "first_session"
        case therapyEnd = "therapy_end"
        /// The days come again with every session.
        case eachSession = "each_session"

        /// Whether it is a date of the participants' therapies, which the consent text has to say.
        package var isOfTherapy: Bool {
            [.therapyStart, .firstSession, .therapyEnd, .eachSession].contains(self)
        }

        /// Whether each participant has dates of their own besides that of enrolling, which are stored with the moment since which they count.
        package var isOwn: Bool { self == .lead || isOfTherapy }
    }

    package let anchor: Anchor
    /// The date of the anchor `date`.
    package let on: LocalDate?
    /// Days after the anchor's, negative before it.
    package let day: Int
    package let before: Int
    package let after: Int

    package init(anchor: Anchor, on: LocalDate? = nil, day: Int, before: Int = 0, after: Int = 0) {
        self.anchor = anchor
        self.on = on
        self.day = day
        self.before = before
        self.after = after
    }

    /// The first and the last day, from the date of the anchor on.
    package func days(from date: LocalDate) -> ClosedRange<LocalDate> {
        date.adding(days: day - before)...date.adding(days: day + after)
    }

    /// The date of the anchor; nil where a participant has none.
    /// - Parameter entered: by a lead, or as their therapy has it; of each session its own.
    package func date(enrolledOn day: LocalDate, entered: LocalDate?) -> LocalDate? {
        switch anchor {
        case .enrolment: day
        case .date: on
        case .lead, .therapyStart, .firstSession, .therapyEnd, .eachSession: entered
        }
    }
}

extension TimePoint {
    /// Nil for one of a newer program.
    init?(_ wire: StudyTimePoint) {
        guard let anchor = TimePointWindow.Anchor(rawValue: wire.anchor) else { return nil }
        self.init(
            key: wire.key, title: wire.title,
            window: TimePointWindow(
                anchor: anchor, on: wire.on, day: wire.day, before: wire.before, after: wire.after))
    }

    private static let known = ParsedTexts<[TimePoint]>()

    /// All of a study, as stored.
    static func list(column: String) throws -> [TimePoint] {
        if column == "[]" { return [] }
        return try known.of(column) { text in
            try JSONReader.value([StudyTimePoint].self, from: text.utf8).compactMap(TimePoint.init)
        }
    }

    static func column(_ points: [TimePoint]) throws -> String {
        String(decoding: try JSONWriter.bytes(of: points.map(\.wire)), as: UTF8.self)
    }
}

extension TimePointWindow {
    private static let known = ParsedTexts<TimePointWindow?>()

    /// As it is stored with a plan.
    static func of(column: String) throws -> TimePointWindow? {
        try known.of(column) { text in
            TimePoint(try JSONReader.value(StudyTimePoint.self, from: text.utf8))?.window
        }
    }

    var column: String {
        get throws {
            let bare = TimePoint(key: "", title: LocalizedText(), window: self)
            return String(decoding: try JSONWriter.bytes(of: bare.wire), as: UTF8.self)
        }
    }
}

extension [TimePoint] {
    package subscript(key: String) -> TimePoint? { first { $0.key == key } }

    /// Whether one of them comes with every session of the therapy.
    package var hasEachSession: Bool { contains { $0.window.anchor == .eachSession } }

    /// Whether the days of two time points are counted from the same date, for every participant.
    package func isCounted(_ point: TimePoint, as other: TimePoint?) -> Bool {
        guard let other = other?.window, point.window.anchor != .lead else { return false }
        return point.window.anchor == other.anchor && point.window.on == other.on
    }

    /// Whether a time point comes before another one: by its days where both are counted from the same, else as they are listed.
    package func isEarlier(_ point: TimePoint, than other: TimePoint) -> Bool {
        if isCounted(point, as: other), point.window.day != other.window.day {
            return point.window.day < other.window.day
        }
        return (firstIndex(of: point) ?? 0) < (firstIndex(of: other) ?? 0)
    }
}

extension TimePoint {
    package static let most = 40
    package static let mostDays = 3_650

    /// The list that a call sends; nil where it sends none.
    static func readList(_ fields: InputReader) -> [TimePoint]? {
        guard let list = fields.list("time_points") else { return nil }
        if list.count > most {
            fields.refuse("time_points", "errors.whole", ["from": "0", "to": String(most)])
            return nil
        }
        let points = list.enumerated().compactMap { index, json -> TimePoint? in
            guard case .object = json else {
                fields.refuse("time_points.\(index)", "errors.object")
                return nil
            }
            let inner = fields.inner(json, "time_points.\(index).")
            let point = read(inner)
            fields.adopt(inner)
            return point
        }
        var seen: Set<String> = []
        for (index, point) in points.enumerated() where !seen.insert(point.key).inserted {
            fields.refuse("time_points.\(index).key", "studies.time_point_twice")
        }
        return points
    }

    /// One, of a call or of the portal's form.
    /// - Parameter known: the key of one that is there already, which keeps it.
    /// - Returns: nil where something is refused.
    package static func read(_ fields: InputReader, key known: String? = nil) -> TimePoint? {
        let key = known ?? fields.text("key", required: true, limit: 30)
        let title = fields.localized("title", limit: 200, lines: false, over: LocalizedText())
        let anchor = fields.choice("anchor", from: StudyTimePoint.anchors, required: true).flatMap(
            TimePointWindow.Anchor.init)
        let on = fields.date("on")
        let day = fields.whole("day", -mostDays...mostDays, first: 0) ?? 0
        let before = fields.whole("before", 0...366, first: 0) ?? 0
        let after = fields.whole("after", 0...366, first: 0) ?? 0
        if title.isEmpty { fields.refuse(fields.isForm ? "title_de" : "title", "errors.required") }
        if anchor == .date, on == nil, fields.value("on") == nil { fields.refuse("on", "errors.required") }
        guard let key, let anchor else { return nil }
        guard isKey(key) else {
            fields.refuse("key", "studies.time_point_key")
            return nil
        }
        // What stands at no time point is called so in files.
        if key == "study" { fields.refuse("key", "studies.time_point_reserved") }
        let window = TimePointWindow(
            anchor: anchor, on: anchor == .date ? on : nil, day: day, before: before, after: after)
        return TimePoint(key: key, title: title, window: window)
    }

    private static func isKey(_ text: String) -> Bool {
        guard let first = text.utf8.first, (97...122).contains(first) else { return false }
        return text.utf8.allSatisfy {
            (97...122).contains($0) || (48...57).contains($0) || $0 == UInt8(ascii: "-")
        }
    }
}
