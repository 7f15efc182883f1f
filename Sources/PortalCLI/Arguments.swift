import Database
import Foundation
import Records
import Scheduling

/// A command's arguments, checked against its options. Flags win over the environment.
struct Arguments {
    private var values: [String: [String]] = [:]
    /// Options whose value comes from the environment.
    private var inherited: Set<String> = []
    private(set) var operands: [String] = []

    /// - Parameter commands: all of the program, whose settings may stand in the environment.
    init(_ words: [String], for command: any Command.Type, among commands: [any Command.Type]) throws {
        var rest = words[...]
        var given: [String: [String]] = [:]
        while let word = rest.popFirst() {
            guard word.hasPrefix("--"), word.count > 2 else {
                operands.append(word)
                continue
            }
            let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1).map(String.init)
            guard let option = command.options.first(where: { $0.name == parts.first }) else {
                throw UsageError("\(command.name) has no option \(word)")
            }
            if parts.count == 2 {
                given[option.name, default: []].append(parts[1])
            } else if option.value == nil {
                given[option.name, default: []].append(SettingReader.yes)
            } else if let value = rest.popFirst() {
                given[option.name, default: []].append(value)
            } else {
                throw UsageError("--\(option.name) needs a value")
            }
        }
        let environment = ProcessInfo.processInfo.environment
        if command.options.contains(where: { $0.name == Option.data.name }) {
            try Variables.refuseUnknown(environment.keys, among: commands)
        }
        for option in command.options {
            let flags = given[option.name]
            let texts = flags ?? [environment[option.variable]].compactMap(\.self)
            // Of several switches the last one counts.
            let read = try texts.suffix(option.kind == .yesNo ? 1 : texts.count).compactMap {
                try SettingReader.read($0, of: option, isInherited: flags == nil)
            }
            if read.isEmpty { continue }
            values[option.name] = read
            if flags == nil { inherited.insert(option.name) }
        }
    }

    /// An option's name for the operator: the flag, or the variable it was set by.
    func place(_ name: String) -> String {
        inherited.contains(name) ? Option.variable(name) : "--" + name
    }

    /// The error of an option, beginning with where it was set.
    func wrong(_ name: String, _ text: String) -> UsageError { UsageError("\(place(name)) \(text)") }

    /// - Throws: `UsageError` with the nearest name for one that no zone has.
    func timezone() throws -> String? {
        guard let zone = self["timezone"] else { return nil }
        guard ZoneData.current.knows(zone) else {
            let nearest = ZoneData.current.nearest(to: zone)
            throw wrong("timezone", "unknown zone \(zone): the nearest name is \(nearest)")
        }
        return zone
    }

    subscript(_ name: String) -> String? { values[name]?.last }

    func all(_ name: String) -> [String] { values[name] ?? [] }

    func has(_ name: String) -> Bool { values[name] != nil }

    func required(_ name: String) throws -> String {
        guard let value = self[name] else { throw UsageError("--\(name) is missing") }
        return value
    }

    /// The settings that all commands share.
    func settings() throws -> Settings {
        var settings = Settings()
        if let data = self["data"] { settings.data = data }
        if let address = self["database"] {
            // Not shown: it holds a password.
            guard DatabasePlace.isServer(address) else {
                throw wrong("database", "wants something like postgresql://user:password@host/database")
            }
            settings.server = address
            settings.programLock = .exclusive
        }
        settings.resources = try Self.resources(self["resources"])
        return settings
    }

    /// The folder of an installation, as in unit, image and manual.
    static let installed = "/usr/share/intersession"

    private static func resources(_ asked: String?) throws -> String {
        let program = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent()
        let candidates = asked.map { [$0] } ?? [program.path, ".", installed]
        for folder in candidates
        where FileManager.default.fileExists(atPath: folder + "/templates/texts/de.json") {
            return folder
        }
        let place = asked.map { "in \($0)" } ?? "beside the program, here or in \(installed)"
        throw UsageError("templates/ was not found \(place); say where with --resources")
    }

    /// A whole number.
    /// - Throws: `UsageError` for anything else.
    func number(_ name: String, _ range: ClosedRange<Int>) throws -> Int? {
        guard let text = self[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw wrong(name, "wants a number from \(range.lowerBound)")
        }
        return number
    }
}

/// The environment variables of this program.
enum Variables {
    static let prefix = "INTERSESSION_"
    /// Variables of our scripts and tests, which the program inherits from them.
    private static let ofTools: Set<String> = ["PROGRAM", "ROOT", "FUZZ", "SEALED"]

    /// A misspelt variable would be no setting at all, without a message.
    /// - Throws: `UsageError` with its name, and the one that is nearest. The value may be a password and is not shown.
    static func refuseUnknown(
        _ names: some Sequence<String>, among commands: [any Command.Type]
    ) throws {
        let known = Set(commands.flatMap { $0.options.map(\.variable) })
        let tools = ofTools.map { prefix + $0 }
        let unknown = names.filter { $0.hasPrefix(prefix) && !known.contains($0) && !tools.contains($0) }
        guard let first = unknown.min() else { return }
        let near = known.map { (distance: distance(first, $0), name: $0) }.min { $0 < $1 }
        let advice = near.flatMap { $0.distance <= 3 ? "; is \($0.name) meant?" : nil } ?? ""
        throw UsageError(
            "\(first) is set in the environment, and there is no such setting\(advice)"
                + " (intersession help serve lists them all)")
    }

    /// The number of letters to change, add or remove to turn one into the other.
    private static func distance(_ one: String, _ other: String) -> Int {
        let other = Array(other.utf8)
        var row = Array(0...other.count)
        for (line, letter) in one.utf8.enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            for (column, second) in other.enumerated() {
                let change = diagonal + (letter == second ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(change, row[column] + 1, diagonal + 1)
            }
        }
        return row[other.count]
    }
}
