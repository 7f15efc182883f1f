import Foundation
import Records

/// One command of the program.
protocol Command {
    /// One or two words: `serve`, `account create`.
    static var name: String { get }
    static var summary: String { get }
    /// The options it takes, for help and for checking.
    static var options: [Option] { get }
    /// The operands behind the options in the help.
    static var operands: String { get }
    static func run(_ arguments: Arguments) throws
}

extension Command {
    static var operands: String { "" }
}

/// An option: a flag with a value, and the environment variable that may stand in for it.
struct Option {
    /// How a value is read.
    enum Kind {
        case text
        /// Words for yes and no; a flag alone says yes.
        case yesNo
        /// A folder with data: in the environment its path has to be absolute.
        case folder
    }

    let name: String
    let value: String?
    let explanation: String
    let kind: Kind

    /// `INTERSESSION_PUBLIC_URL` for `public-url`.
    var variable: String { Self.variable(name) }

    static func variable(_ name: String) -> String {
        Variables.prefix + name.uppercased().replacingOccurrences(of: "-", with: "_")
    }

    /// - Parameter kind: nil for text, or for yes and no where there is no value.
    init(_ name: String, _ value: String? = nil, _ explanation: String, kind: Kind? = nil) {
        self.name = name
        self.value = value
        self.explanation = explanation
        self.kind = kind ?? (value == nil ? .yesNo : .text)
    }

    static let data = Option("data", "DIR", "the data folder (default ./data)", kind: .folder)
    static let database = Option(
        "database", "URL", "postgresql://… for a database of PostgreSQL (default SQLite in the data folder)")
    static let resources = Option(
        "resources", "DIR",
        "where templates/ and static/ lie (default beside the program, here, /usr/share/intersession)")
}

/// A usage error: exit status 2.
struct UsageError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// Standard output and error.
enum Output {
    static func line(_ text: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
    }
    /// Returns also where the reader stalls.
    static func ready(_ text: String) {
        LineQueue.standardOutput.add(Array((text + "\n").utf8))
        LineQueue.standardOutput.flush(within: 1)
    }
    /// Behind the lines of the log, and as they: a reader that stalls does not hold up the end for long.
    static func error(_ text: String) {
        LineQueue.standardError.add(Array((text + "\n").utf8))
        LineQueue.standardError.flush(within: 1)
    }
}
