import Foundation
import Testing

@testable import PortalTesting

/// Shapes that were written by hand in many places, counted in the sources. A ceiling only goes down: a change that needs a
/// higher one uses what the house has for it instead, and a change that leaves fewer lowers it.
@Suite struct StyleTests {
    struct Shape: Sendable, CustomTestStringConvertible {
        let name: String
        let pattern: String
        let ceiling: Int
        /// Paths below `Sources` in which the shape is at home.
        var home: Set<String> = []

        var testDescription: String { name }
    }

    static let shapes = [
        Shape(
            name: "several values assigned in one line",
            pattern: #"(?m)^ *(?:let |var )?\([^()\n]+(?:, [^()\n]+)+\)(?:: \([^\n]*\))? = \("#,
            ceiling: 0),
        Shape(
            name: "several values assigned in one line of a block or an initialiser",
            pattern: #"[{:] \((?:self\.)?[\w.\[\]"]+(?:, (?:self\.)?[\w.\[\]"]+)+\) = \("#, ceiling: 28),
        Shape(
            name: "a form drawn again by hand", pattern: #"catch Problem\.invalid"#, ceiling: 12,
            home: ["Web/Forms/Context+Submit.swift"]),
        Shape(name: "an address made by hand", pattern: #""/[a-z/-]+/\\\("#, ceiling: 195),
        Shape(
            name: "a mean computed by hand",
            pattern: #"reduce\(0(?:, \+\)|\) \{[^}\n]*\})\)? / Double\([\w.$]*count\)"#,
            ceiling: 0, home: ["Psychometrics/Mean.swift"]),
        Shape(
            name: "a search by halving", pattern: #"while [^\n]*\{\n[^\n]* / 2\n"#, ceiling: 0,
            home: ["Scheduling/Zones/PartitioningIndex.swift"]),
        // RP-1: a sign with a combining one behind it is another Character. What remains changes our own names and digits.
        Shape(
            name: "signs replaced as Characters", pattern: #"\.replacing\("|replacingOccurrences\("#,
            ceiling: 42,
            home: ["Wording/Escaping.swift"]),
        // RP-19: zones of the compiler beside those of the system.
        Shape(
            name: "a zone of Foundation's", pattern: #"\bTimeZone\b"#, ceiling: 0,
            home: ["Scheduling/Zones/ZoneClocks.swift"]),
        Shape(name: "a file of more than 250 lines", pattern: #"\A(?:[^\n]*\n){251}"#, ceiling: 0),
    ]

    @Test(arguments: shapes) func `no more of a shape than there were`(_ shape: Shape) throws {
        var found: [String] = []
        for (path, text) in try Self.sources.get() where !shape.home.contains(path) {
            found += try Self.matches(of: shape.pattern, in: text).map { _ in path }
        }
        #expect(found.count <= shape.ceiling, "\(shape.name): \(found.count) in \(Set(found).sorted())")
    }

    /// It ends this process where many files are open (`Programs/Program.swift`).
    @Test func `no program is started by Foundation, in tests neither`() throws {
        for root in ["Sources", "Tests"] {
            let folder = Cast.root + "/" + root
            for path in try FileManager.default.subpathsOfDirectory(atPath: folder)
            where path.hasSuffix(".swift") {
                let text = try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)
                #expect(!text.contains(/\bProcess\(\)/), "\(root)/\(path)")
            }
        }
    }

    /// Of parameters without labels a reader has to look up which is which.
    static let mostUnlabelled = 208

    @Test func `no more functions with four unlabelled parameters than there were`() throws {
        let found = try Self.sources.get().flatMap { path, text in
            try Self.parameters(in: text).filter { Self.unlabelled($0) > 3 }.map { _ in path }
        }
        #expect(found.count <= Self.mostUnlabelled, "\(found.count) in \(Set(found).sorted())")
    }

    @Test func `the shapes are found`() throws {
        let samples = [
            "    let (a, b) = (1, 2)\n", "    init(a: Int) { (self.a, self.b) = (a, 1) }\n",
            "    } catch Problem.invalid(let errors) {\n",
            #"    let path = "/patients/\(id)/notes""# + "\n",
            "    values.reduce(0, +) / Double(values.count)\n",
            "    while low < high {\n        let middle = (low + high) / 2\n",
            #"    let doubled = text.replacing("'", with: "''")"#,
            "    let zone = TimeZone(identifier: name)\n",
            String(repeating: "\n", count: 251),
        ]
        for (shape, sample) in zip(Self.shapes, samples) {
            #expect(try Self.matches(of: shape.pattern, in: sample).count == 1, "\(shape.name)")
        }
        let declarations = """
            func one(_ a: Int, _ b: (Int, Int) -> Void, c: Int, _ d: [Int: Int], e f: Int) {}
            init<T>(_ a: T, _ b: Int = 1,
                _ c: String, _ d: some Sequence<Int>) {}
            """
        #expect(try Self.parameters(in: declarations).map(Self.unlabelled) == [3, 4])
    }

    /// By path below `Sources`, without lines that are comments; an empty line stands for each.
    static let sources = Result {
        let root = Cast.root + "/Sources/"
        return try FileManager.default.subpathsOfDirectory(atPath: root).filter {
            $0.hasSuffix(".swift")
        }
        .reduce(into: [String: String]()) { files, path in
            let text = try String(contentsOfFile: root + path, encoding: .utf8)
            files[path] = text.split(separator: "\n", omittingEmptySubsequences: false)
                .map { $0.drop { $0 == " " }.hasPrefix("//") ? "" : $0 }.joined(separator: "\n")
        }
    }

    static func matches(of pattern: String, in text: String) throws -> [NSTextCheckingResult] {
        try NSRegularExpression(pattern: pattern).matches(
            in: text, range: NSRange(text.startIndex..., in: text))
    }

    /// The parameters of every function and initialiser that is declared.
    static func parameters(in text: String) throws -> [[String]] {
        let heads = try matches(of: #"\b(?:func [^\n(]+|init[?!]?(?:<[^>\n]*>)?)\("#, in: text)
        return heads.compactMap { Range($0.range, in: text) }.map { head in
            var list = [""]
            var depth = 0
            for letter in text[head.upperBound...] {
                if ")]}".contains(letter) { depth -= 1 }
                if depth < 0 { break }
                if "([{".contains(letter) { depth += 1 }
                if letter == ",", depth == 0 {
                    list.append("")
                } else {
                    list[list.count - 1].append(letter)
                }
            }
            return list
        }
    }

    static func unlabelled(_ parameters: [String]) -> Int {
        parameters.count { $0.drop { $0.isWhitespace }.hasPrefix("_ ") }
    }
}
