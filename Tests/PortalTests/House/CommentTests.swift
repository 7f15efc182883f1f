import Foundation
import Testing

@testable import PortalTesting

/// Comments are plain statements whose subject is a noun of the field (`docs/style.md`).
@Suite struct CommentTests {
    /// Ceilings only go down.
    static let mostRiddles = ["Sources": 0, "Tests": 0]
    static let mostVague = ["Sources": 0, "Tests": 0]

    @Test(arguments: ["Sources", "Tests"])
    func `no sentence of a comment begins with who or somebody`(part: String) throws {
        let found = try comments(in: part).filter { $0.text.contains(Self.riddle) }
        #expect(found.count <= Self.mostRiddles[part] ?? 0, "\(found.map(\.place))")
    }

    @Test(arguments: ["Sources", "Tests"])
    func `few comments speak of somebody and nobody`(part: String) throws {
        let found = try comments(in: part).map { ($0.place, $0.text.matches(of: Self.vague).count) }
        #expect(
            found.reduce(0) { $0 + $1.1 } <= Self.mostVague[part] ?? 0,
            "\(found.filter { $0.1 > 0 }.map(\.0))")
    }

    @Test(arguments: [
        ("/// Whoever rang is planned first.", 1), ("/// Accounts that asked come first.", 0),
        ("/// Asked once. Who has answered\n/// is not asked again.", 1),
        ("/// - Parameter by: whose it is.", 1), ("/// - Throws: nobody is told.", 1),
        ("/// The sheets, whose owner is known.", 0), ("let who = 1 // Nobody.", 1),
        ("let a = \"// Who\"", 0),
    ])
    func `the beginning of a sentence is found`(text: String, count: Int) {
        #expect(Self.comments(in: text).filter { $0.text.contains(Self.riddle) }.count == count)
    }

    // MARK: Comments

    private static var vague: Regex<(Substring, Substring)> { /(?i)\b(whoever|somebody|nobody|anybody)\b/ }

    /// At the begin of a comment, behind the end of a sentence, and behind the name of a parameter.
    private static var riddle: Regex<(Substring, Substring, Substring)> {
        /(?i)(^|[.?!] |- [a-z ]+: )(who|whom|whose|whoever|somebody|nobody|anybody)\b/
    }

    struct Comment {
        let line: Int
        var text: String
    }

    private func comments(in part: String) throws -> [(place: String, text: String)] {
        let root = Cast.root + "/" + part
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root).filter {
            $0.hasSuffix(".swift")
        }
        return try paths.sorted().flatMap { path in
            Self.comments(in: try String(contentsOfFile: root + "/" + path, encoding: .utf8)).map {
                (place: "\(part)/\(path):\($0.line)", text: $0.text)
            }
        }
    }

    /// Lines of a comment that belong together as one text; an item of a list begins another.
    static func comments(in text: String) -> [Comment] {
        var found: [Comment] = []
        var last = -1
        for (index, line) in text.components(separatedBy: "\n").enumerated() {
            guard let mark = line.range(of: "//") else { continue }
            let code = line[..<mark.lowerBound]
            if code.contains("\"") { continue }
            let words = line[mark.upperBound...].drop { $0 == "/" }.trimmingCharacters(in: .whitespaces)
            let goesOn = index == last + 1 && code.allSatisfy { $0 == " " } && !words.hasPrefix("- ")
            if goesOn, !found.isEmpty {
                found[found.count - 1].text += " " + words
            } else {
                found.append(Comment(line: index + 1, text: words))
            }
            last = index
        }
        return found
    }
}
