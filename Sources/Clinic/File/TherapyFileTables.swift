import Scheduling
import Wire
import Wording

/// The completed questionnaires of one version side by side (PR-39): questions in rows, days in columns. Two years of
/// a weekly questionnaire take two or three pages in this form, one below the other more than a hundred.
struct TherapyFileTable: Encodable, Sendable {
    struct Line: Encodable, Sendable {
        let name: String
        /// What the numbers mean; nil where the table says it once for all, or they speak for themselves.
        let meaning: String?
        let cells: [String]
        let isScore: Bool
    }
    struct Part: Encodable, Sendable {
        let columns: [String]
        let lines: [Line]
        /// Answers in words, which fit no column.
        let words: [TherapyFileView.Row]
    }
    let title: String
    let legend: String?
    let isWide: Bool
    let parts: [Part]

    /// The most days that fit beside the questions on A4, and up to how many there is room for words.
    static let mostColumns = 9
    static let mostInWords = 2

    /// The latest used questionnaire is last, as its first sheet was.
    static func all(_ sheets: [TherapyFile.Sheet], _ texts: Texts, _ dates: DateFormat) -> [TherapyFileTable]
    {
        var order: [String] = []
        var groups: [String: [TherapyFile.Sheet]] = [:]
        for sheet in sheets {
            let group = "\(sheet.key)/\(sheet.version)"
            if groups[group] == nil { order.append(group) }
            groups[group, default: []].append(sheet)
        }
        return order.compactMap { groups[$0] }.map { TherapyFileTable($0, texts, dates) }
    }

    private init(_ sheets: [TherapyFile.Sheet], _ texts: Texts, _ dates: DateFormat) {
        let isInWords = sheets.count <= Self.mostInWords
        let columns = isInWords ? Self.mostInWords : Self.mostColumns
        let meanings = isInWords ? [:] : Self.meanings(sheets)
        let shared = Self.shared(meanings.values)
        title = sheets[0].title
        legend = shared.map { texts["therapy_file.table_legend", ["words": Self.words($0)]] }
        isWide = isInWords
        let words = TherapyFileTableFormatter(
            texts: texts, dates: dates, isInWords: isInWords,
            legends: shared == nil ? meanings.mapValues(Self.words) : [:])
        parts = stride(from: 0, to: sheets.count, by: columns).map { start in
            words.part(Array(sheets[start..<min(start + columns, sheets.count)]))
        }
    }

    /// The words of each number by question, from the answers that were given: `3` of `oft (3)`.
    private static func meanings(_ sheets: [TherapyFile.Sheet]) -> [String: [String: String]] {
        var meanings: [String: [String: String]] = [:]
        for line in sheets.flatMap(\.answers) {
            guard let value = line.value, let answer = line.answer, answer != value else { continue }
            let words =
                answer.hasSuffix(" (\(value))")
                ? String(answer.dropLast(value.count + 3)) : String(answer.dropFirst(value.count + 1))
            meanings[line.question, default: [:]][answer.hasSuffix(" (\(value))") ? value : ""] = words
        }
        return meanings
    }

    /// One legend for all questions; nil where two of them mean different things by one number.
    private static func shared(_ all: some Collection<[String: String]>) -> [String: String]? {
        var shared: [String: String] = [:]
        for (value, words) in all.joined() {
            if let known = shared[value], known != words { return nil }
            shared[value] = words
        }
        return shared.isEmpty ? nil : shared
    }

    private static func words(_ meanings: [String: String]) -> String {
        meanings.sorted { first, second in
            (first.key.count, first.key) < (second.key.count, second.key)
        }.map { $0.key.isEmpty ? $0.value : "\($0.key) \($0.value)" }.joined(separator: " · ")
    }
}

private struct TherapyFileTableFormatter {
    let texts: Texts
    let dates: DateFormat
    let isInWords: Bool
    let legends: [String: String]

    func part(_ sheets: [TherapyFile.Sheet]) -> TherapyFileTable.Part {
        let columns = sheets.map { sheet in
            isInWords
                ? dates.dayAndTime(sheet.completedAt) : column(LocalTime(sheet.completedAt, dates.zone).date)
        }
        var lines: [TherapyFileTable.Line] = []
        var words: [TherapyFileView.Row] = []
        for question in unique(sheets.flatMap(\.answers).map(\.question)) {
            let answers = sheets.map { sheet in sheet.answers.first { $0.question == question } }
            let isWordy = !isInWords && answers.contains { $0?.answer != nil && $0?.value == nil }
            if isWordy {
                for (sheet, line) in zip(sheets, answers) {
                    guard let answer = line?.answer else { continue }
                    words.append(
                        TherapyFileView.Row(when: dates.day(sheet.completedAt), text: answer, more: question))
                }
                continue
            }
            lines.append(
                TherapyFileTable.Line(
                    name: question, meaning: legends[question],
                    cells: answers.map { line in (isInWords ? line?.answer : line?.value) ?? "–" },
                    isScore: false))
        }
        return TherapyFileTable.Part(columns: columns, lines: scores(sheets) + lines, words: words)
    }

    private func scores(_ sheets: [TherapyFile.Sheet]) -> [TherapyFileTable.Line] {
        unique(sheets.flatMap(\.scores).map(\.title)).map { title in
            let cells = sheets.map { sheet -> String in
                guard let score = sheet.scores.first(where: { $0.title == title }) else { return "–" }
                let value = score.value.map { texts.number($0, digits: 2) } ?? "–"
                // How much a value rests on, where that is less than all of it.
                return score.answered == score.items ? value : "\(value) (\(score.answered)/\(score.items))"
            }
            return TherapyFileTable.Line(name: title, meaning: nil, cells: cells, isScore: true)
        }
    }

    /// Short, and with its year: a file is read later.
    private func column(_ day: LocalDate) -> String {
        "\(dates.numericDay(day))\n\(day.year)"
    }

    private func unique(_ words: [String]) -> [String] {
        var known: Set<String> = []
        return words.filter { known.insert($0).inserted }
    }
}
