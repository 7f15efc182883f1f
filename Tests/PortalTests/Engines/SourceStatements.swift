import Foundation

/// The statements that the sources write out, put together as `SQL` would.
///
/// Read from the sources and not recorded while tests run: what no test happens to reach counts too, and nothing has to
/// run before. A part that another statement embeds (`\(sql: columns)`) is looked up by its name; where the name is no
/// constant of the program, every loose part of the same file stands in for it.
struct SourceStatements {
    struct Statement {
        let place: String
        /// What it is written in: `ContributionStore.find`.
        let function: String
        /// For SQLite: with `?` for what is bound, and with hints.
        let sqlite: String
        /// For PostgreSQL: with `$1`, `$2` … and without.
        let postgreSQL: String
    }

    private struct Literal {
        let file: String
        let line: Int
        let function: String
        /// What is written before it on its line, and on the two lines above.
        let before: String
        let pieces: [Piece]
    }

    private enum Piece {
        case text(String)
        case value
        case list
        case hint(String)
        case part(String)
    }

    private let literals: [Literal]
    /// The file of each type that has statements.
    private let types: [String: String]

    /// - Parameter files: the text of each source file, by its path.
    init(files: [String: String]) {
        let stores = files.sorted { $0.key < $1.key }.filter {
            $0.value.contains("SQL") || $0.value.contains("connection")
        }
        literals = stores.flatMap { path, text in Self.literals(in: Array(text), file: path) }
        var types: [String: String] = [:]
        for (path, text) in stores {
            for match in text.matches(of: /(?:enum|struct|extension) (\w+)/)
            where types[String(match.1)] == nil {
                types[String(match.1)] = path
            }
        }
        self.types = types
    }

    /// All statements, each as often as its embedded parts can differ.
    var all: [Statement] {
        literals.filter(isStatement).flatMap { literal in
            texts(of: literal, depth: 0).map { pieces in
                Statement(
                    place: "\(literal.file):\(literal.line)", function: literal.function,
                    sqlite: Self.text(pieces, numbered: false), postgreSQL: Self.text(pieces, numbered: true))
            }
        }
    }

    // MARK: Putting together

    private func isStatement(_ literal: Literal) -> Bool {
        guard case .text(let text)? = literal.pieces.first else {
            if case .part? = literal.pieces.first { return !literal.before.contains("{ sql = ") }
            return false
        }
        return text.prefixMatch(
            of: /\s*(SELECT\s|INSERT\s+(INTO|OR)\s|UPDATE\s+\w+\s+SET\s|DELETE\s+FROM\s|WITH\s+\w+\s+AS\s)/)
            != nil
    }

    private func texts(of literal: Literal, depth: Int) -> [[Piece]] {
        var results: [[Piece]] = [[]]
        for piece in literal.pieces {
            guard case .part(let name) = piece else {
                results = results.map { $0 + [piece] }
                continue
            }
            let parts = depth < 3 ? self.parts(name, in: literal) : []
            results = results.flatMap { begun in
                parts.flatMap { part in texts(of: part, depth: depth + 1).map { begun + $0 } }
            }
        }
        return results
    }

    /// What a name can stand for: the constant or function of that name, in this file or in that of the type named; else
    /// the loose parts of this file.
    private func parts(_ expression: String, in literal: Literal) -> [Literal] {
        let words = expression.prefix { $0 != "(" }.split(separator: ".").map(String.init)
        guard let name = words.last else { return [] }
        let owner = words.first.flatMap { words.count > 1 && $0 != "Self" ? types[$0] : nil }
        let file = owner ?? literal.file
        let named = literals.filter { other in
            other.file == file && ["let", "var", "func"].contains { other.before.contains("\($0) \(name)") }
                && other.before.contains("SQL")
        }
        return named.isEmpty ? literals.filter { $0.file == file && isLoose($0) } : named
    }

    /// Whether a literal is a condition that is handed to a statement.
    private func isLoose(_ literal: Literal) -> Bool {
        guard case .text(let text)? = literal.pieces.first else { return false }
        return literal.pieces.count > 1 && text.contains(/^\s*(\w+\.)?[a-z_]+ (=|IN|IS|>|<|AND)/)
    }

    private static func text(_ pieces: [Piece], numbered isNumbered: Bool) -> String {
        var text = ""
        var count = 0
        let place = {
            count += 1
            return isNumbered ? "$\(count)" : "?"
        }
        for piece in pieces {
            switch piece {
            case .text(let part): text += part
            case .hint(let hint): text += isNumbered ? "" : hint
            case .part: break
            case .value: text += place()
            case .list: text += "(\(place()), \(place()))"
            }
        }
        return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    // MARK: Reading Swift

    private static func literals(in source: [Character], file: String) -> [Literal] {
        var found: [Literal] = []
        var place = 0
        var line = 1
        var lineStart = 0
        let type = file.split(separator: "/").last.map { String($0.dropLast(".swift".count)) } ?? file
        var function = type
        while place < source.count {
            let character = source[place]
            if character.isNewline {
                line += 1
                lineStart = place + 1
            } else if character == "f", source[place...].starts(with: "func ") {
                function = "\(type).\(String(source[(place + 5)...].prefix { $0.isLetter || $0.isNumber }))"
            } else if character == "/", place + 1 < source.count, source[place + 1] == "/" {
                while place < source.count, !source[place].isNewline { place += 1 }
                continue
            } else if character == "\"" {
                var end = place
                let pieces = literal(in: source, from: &end)
                let before = String(source[max(0, lineStart - 240)..<place])
                let near = before.split(separator: "\n", omittingEmptySubsequences: false).suffix(3).joined(
                    separator: " ")
                found.append(
                    Literal(file: file, line: line, function: function, before: near, pieces: pieces))
                line += source[place..<end].count(where: \.isNewline)
                if let last = source[place..<end].lastIndex(where: \.isNewline) { lineStart = last + 1 }
                place = end
                continue
            }
            place += 1
        }
        return found
    }

    /// The pieces of the literal that begins at a place, which moves behind it.
    private static func literal(in source: [Character], from place: inout Int) -> [Piece] {
        let isLong = source[place...].starts(with: "\"\"\"")
        place += isLong ? 3 : 1
        var pieces: [Piece] = []
        var text = ""
        while place < source.count, isLong ? !source[place...].starts(with: "\"\"\"") : source[place] != "\""
        {
            guard source[place] == "\\" else {
                text.append(source[place])
                place += 1
                continue
            }
            guard place + 1 < source.count, source[place + 1] == "(" else {
                place += 2
                continue
            }
            if !text.isEmpty { pieces.append(.text(text)) }
            text = ""
            place += 2
            pieces.append(piece(interpolation(in: source, from: &place)))
        }
        place += isLong ? 3 : 1
        if !text.isEmpty { pieces.append(.text(text)) }
        if case .text(let first)? = pieces.first, first.allSatisfy(\.isWhitespace) { pieces.removeFirst() }
        return pieces
    }

    /// What stands in an interpolation, up to its closing parenthesis.
    private static func interpolation(in source: [Character], from place: inout Int) -> String {
        let begin = place
        var depth = 1
        while place < source.count {
            switch source[place] {
            case "(": depth += 1
            case ")": depth -= 1
            case "\"":
                _ = literal(in: source, from: &place)
                continue
            default: break
            }
            place += 1
            if depth == 0 { break }
        }
        return String(source[begin..<max(begin, place - 1)])
    }

    private static func piece(_ expression: String) -> Piece {
        if expression.hasPrefix("list:") { return .list }
        if expression.hasPrefix("hint: .inThisOrder") { return .hint(" CROSS") }
        if expression.hasPrefix("hint: .takenIn") { return .hint(" NOT") }
        if expression.hasPrefix("hint: .index(") {
            return .hint(" INDEXED BY \(expression.split(separator: "\"")[1])")
        }
        guard expression.hasPrefix("sql:") else { return .value }
        return .part(expression.dropFirst(4).trimmingCharacters(in: .whitespaces))
    }
}
