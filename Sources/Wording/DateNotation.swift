import Wire

/// A language's notation of dates: the names of months and weekdays, and patterns, from its file of texts. Missing
/// ones, and lists of the wrong length, are taken from English.
package final class DateNotation: Sendable {
    let months: [String]
    let shortMonths: [String]
    let weekdays: [String]
    package let shortWeekdays: [String]
    let day: DatePattern
    let shortDay: DatePattern
    let shortDayAndYear: DatePattern
    let month: DatePattern
    let longDay: DatePattern
    let longDayThisYear: DatePattern
    let weekday: DatePattern
    let weekdayThisYear: DatePattern
    let weekdayOtherYear: DatePattern
    /// "today", before a time.
    let today: String

    /// The keys of lists, and how many names each of them has.
    static let lists = [
        "dates.months": 12, "dates.months_short": 12, "dates.weekdays": 7, "dates.weekdays_short": 7,
    ]

    init(_ sentences: [String: String], beneath english: [String: String]) {
        let list = { (key: String) -> [String] in
            let own = Self.names(sentences[key] ?? "")
            return own.count == Self.lists[key] ? own : Self.names(english[key] ?? "")
        }
        let pattern = { (key: String) in DatePattern(sentences[key] ?? "{d}.{m}.{year}") }
        months = list("dates.months")
        shortMonths = list("dates.months_short")
        weekdays = list("dates.weekdays")
        shortWeekdays = list("dates.weekdays_short")
        day = pattern("dates.day")
        shortDay = pattern("dates.day_short")
        shortDayAndYear = pattern("dates.day_short_year")
        month = pattern("dates.month")
        longDay = pattern("dates.day_long")
        longDayThisYear = pattern("dates.day_long_this_year")
        weekday = pattern("dates.weekday")
        weekdayThisYear = pattern("dates.weekday_short")
        weekdayOtherYear = pattern("dates.weekday_short_year")
        today = sentences["dates.today"] ?? ""
    }

    /// A list of names with commas between them.
    static func names(_ text: String) -> [String] {
        text.split(separator: ",").map { part in
            String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
    }

    func text(_ date: LocalDate, _ pattern: DatePattern) -> String {
        pattern.pieces.reduce(into: "") { text, piece in
            switch piece {
            case .text(let words): text += words
            case .day: text += String(date.day)
            case .paddedDay: text += Self.pad(date.day)
            case .month: text += String(date.month)
            case .paddedMonth: text += Self.pad(date.month)
            case .year: text += String(date.year)
            case .monthName: text += Self.name(date.month, in: months)
            case .shortMonthName: text += Self.name(date.month, in: shortMonths)
            case .weekdayName: text += Self.name(date.weekday, in: weekdays)
            case .shortWeekdayName: text += Self.name(date.weekday, in: shortWeekdays)
            }
        }
    }

    private static func name(_ number: Int, in names: [String]) -> String {
        names.indices.contains(number - 1) ? names[number - 1] : String(number)
    }

    static func pad(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
}

/// The parts of a date: `{d}. {month} {year}`. `{d}` and `{m}` are numbers, `{dd}` and `{mm}` the same with two
/// digits, `{month}` and `{weekday}` names, `{month_short}` and `{weekday_short}` short names.
struct DatePattern: Sendable {
    enum Piece: Sendable {
        case text(String)
        case day, paddedDay, month, paddedMonth, year, monthName, shortMonthName, weekdayName,
            shortWeekdayName
    }

    private static let names: [Substring: Piece] = [
        "d": .day, "dd": .paddedDay, "m": .month, "mm": .paddedMonth, "year": .year, "month": .monthName,
        "month_short": .shortMonthName, "weekday": .weekdayName, "weekday_short": .shortWeekdayName,
    ]

    let pieces: [Piece]

    init(_ text: String) {
        var pieces: [Piece] = []
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            pieces.append(.text(String(rest[..<open])))
            // Braces around anything else are part of the text.
            let name = rest[rest.index(after: open)..<close]
            pieces.append(Self.names[name] ?? .text("{\(name)}"))
            rest = rest[rest.index(after: close)...]
        }
        pieces.append(.text(String(rest)))
        self.pieces = pieces
    }
}
