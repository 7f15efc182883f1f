import Foundation

/// The owner of each table, from the source: the target that writes it. Targets above the owner may read it. A list
/// beside the source, or one in each `Feature`, would only repeat that.
struct TableOwners {
    struct File {
        let path: String
        let text: String

        /// The target it belongs to.
        var target: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }
        /// Without comment lines: they mention tables, too.
        var code: String {
            text.split(separator: "\n", omittingEmptySubsequences: false)
                .filter { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("//") }
                .joined(separator: "\n")
        }
    }

    /// A table with the files that name it in a statement, by their targets.
    private struct Table {
        let name: String
        var writers: [String: Set<String>] = [:]
        var readers: [String: Set<String>] = [:]

        var owner: String? { writers.count == 1 ? writers.first?.key : nil }
        var others: [String] { readers.keys.filter { writers[$0] == nil }.sorted() }
    }

    private let tables: [Table]
    /// Files with a statement whose table is interpolated, so that the source does not show which one it is.
    private let hidden: [String]
    private let dependencies: [String: Set<String>]

    /// - Parameters:
    ///   - files: the Swift files, by their paths from the root of a checkout.
    ///   - schema: the statements that make the tables.
    ///   - package: the content of Package.swift.
    init(files: [File], schema: String, package: String) {
        let names = schema.matches(of: /CREATE TABLE "?([a-z_]+)"?/).map { String($0.1) }
        var found = Dictionary(uniqueKeysWithValues: names.map { ($0, Table(name: $0)) })
        for file in files {
            for match in file.code.matches(of: Self.statement) {
                let table = String(match.2)
                if match.1.hasPrefix("FROM") || match.1.hasPrefix("JOIN") {
                    found[table]?.readers[file.target, default: []].insert(file.path)
                } else {
                    found[table]?.writers[file.target, default: []].insert(file.path)
                }
            }
        }
        hidden = files.filter { $0.code.contains(/\b(?:INTO|UPDATE|FROM|JOIN)\s+\\\(sql:/) }.map(\.path)
        tables = found.values.sorted { $0.name < $1.name }
        dependencies = Self.dependencies(in: package)
    }

    /// From a checkout. Migrations have no owner, and the phone's database is a separate one.
    init(folder: String, schema: String) throws {
        let root = folder + "/Sources"
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root).filter {
            $0.hasSuffix(".swift") && !$0.contains("/Schema/") && !$0.hasPrefix("PortalClient/")
        }
        let files = try paths.map { path in
            File(
                path: "Sources/" + path, text: try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8))
        }
        let package = try String(contentsOfFile: folder + "/Package.swift", encoding: .utf8)
        self.init(files: files, schema: schema, package: package)
    }

    /// The words of a statement before a table's name. `DELETE FROM` comes before `FROM`, so that it is recognised.
    private static var statement: Regex<(Substring, Substring, Substring)> {
        /\b(INSERT\s+(?:OR\s+[A-Z]+\s+)?INTO|UPDATE|DELETE\s+FROM|FROM|JOIN)\s+"?([a-z_]+)"?/
    }

    /// The direct and indirect dependencies of each target.
    private static func dependencies(in package: String) -> [String: Set<String>] {
        var near: [String: Set<String>] = [:]
        for match in package.matches(of: /\b(?:module|area)\("(\w+)"(?:, \[([^\]]*)\])?\)/) {
            near[String(match.1)] = Set((match.2 ?? "").matches(of: /"(\w+)"/).map { String($0.1) })
        }
        var far = near
        for _ in near {
            far = far.mapValues { names in names.union(names.flatMap { far[$0] ?? [] }) }
        }
        return far
    }

    /// A line for each table: its name, its owner, and its other readers.
    var table: String {
        tables.map { table in
            let name = table.name.padding(toLength: 24, withPad: " ", startingAt: 0)
            let owner = table.owner ?? table.writers.keys.sorted().joined(separator: "+")
            let line = name + owner.padding(toLength: 14, withPad: " ", startingAt: 0)
            return (line + table.others.joined(separator: " ")).trimmingCharacters(in: .whitespaces) + "\n"
        }.joined()
    }

    /// A line for each table that has several writers or none, or a reader below its owner, and for each file whose
    /// statement does not name its table.
    func broken() -> [String] {
        hidden.sorted().map { "\($0): a statement does not name its table" } + misplaced()
    }

    private func misplaced() -> [String] {
        tables.flatMap { table -> [String] in
            guard let owner = table.owner else {
                let files = table.writers.values.flatMap(\.self).sorted()
                return [
                    "\(table.name): written by \(files.isEmpty ? "nobody" : files.joined(separator: ", "))"
                ]
            }
            return table.others.filter { dependencies[$0]?.contains(owner) != true }.map { reader in
                let files = (table.readers[reader] ?? []).sorted().joined(separator: ", ")
                return "\(table.name): \(reader) stands below \(owner) and reads it in \(files)"
            }
        }
    }
}
