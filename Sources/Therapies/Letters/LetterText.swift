import Foundation
import HTTP
import JSON
import Web
import Wire
import Wording

/// The fields of a letter's text, `{{sessions_held}}`: facts are filled in when it is saved, courses stay and are drawn
/// where they stand alone on a line.
package enum LetterText {
    /// What a letter may draw: all courses, or one by questionnaire and scale.
    package static let courses = "courses"
    private static let one = "course "

    /// - Parameters:
    ///   - facts: the values by field.
    ///   - scales: the courses there are, `questionnaire/scale`.
    /// - Returns: the text with facts filled in, and what is wrong with it, with its place.
    package static func filled(
        _ text: String, facts: [String: String], scales: Set<String>
    ) -> (text: String, errors: FieldErrors) {
        var errors = FieldErrors()
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated().map
        {
            number, line -> String in
            let place = String(number + 1)
            var rest = line
            var done = ""
            while let open = rest.firstRange(of: "{{") {
                done += rest[..<open.lowerBound]
                rest = rest[open.upperBound...]
                guard let close = rest.firstRange(of: "}}") else {
                    errors.add("text", "letters.field_open", ["line": place])
                    return done + "{{" + rest
                }
                let name = rest[..<close.lowerBound].trimmingCharacters(in: .whitespaces)
                rest = rest[close.upperBound...]
                if let fact = facts[name] {
                    done += fact
                    continue
                }
                done += "{{\(name)}}"
                let isAlone =
                    line.trimmingCharacters(in: .whitespaces).hasPrefix("{{")
                    && rest.allSatisfy(\.isWhitespace)
                    && done == "{{\(name)}}"
                if name != courses, !name.hasPrefix(one) {
                    errors.add(
                        "text", "letters.field_unknown", ["field": String(name.prefix(60)), "line": place])
                } else if name != courses, !scales.contains(scale(name)) {
                    errors.add(
                        "text", "letters.course_unknown", ["field": String(name.prefix(60)), "line": place])
                } else if !isAlone {
                    errors.add(
                        "text", "letters.course_alone", ["field": String(name.prefix(60)), "line": place])
                }
            }
            return done + rest
        }
        return (lines.joined(separator: "\n"), errors)
    }

    package enum Part: Equatable {
        case markdown(String)
        /// Nil for all courses.
        case course(String?)
    }

    /// The text between figures, and the figures, in order.
    package static func parts(_ text: String) -> [Part] {
        var parts: [Part] = []
        var lines: [Substring] = []
        let flush = {
            let text = lines.joined(separator: "\n")
            if !text.allSatisfy(\.isWhitespace) { parts.append(.markdown(text)) }
            lines = []
        }
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let word = line.trimmingCharacters(in: .whitespaces)
            guard word.hasPrefix("{{"), word.hasSuffix("}}"), word.count > 4 else {
                lines.append(line)
                continue
            }
            flush()
            let name = String(word.dropFirst(2).dropLast(2))
            parts.append(.course(name == courses ? nil : scale(name)))
        }
        flush()
        return parts
    }

    private static func scale(_ name: String) -> String {
        name.dropFirst(one.count).trimmingCharacters(in: .whitespaces)
    }
}
