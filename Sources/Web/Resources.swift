import Foundation
import JSON
import Records
import Templates
import Wording

/// What a portal reads from its folder at the start and never changes: templates, sentences, style sheets, scripts, and the texts that it
/// comes with.
package struct Resources: Sendable {
    package let library: Library
    package let assets: Assets
    let texts: InstalledTexts
    /// Information pages, letters, questionnaires and the starter practice, by their paths below `templates/`.
    private let others: [String: [UInt8]]

    /// - Parameter needed: the paths below the folder that this program cannot do without.
    /// - Throws: a message for the operator when something is missing or broken.
    package init(folder: String, needed: [String] = []) throws {
        try Self.require(needed, in: folder)
        library = try Library(folder: folder + "/templates")
        assets = try Assets(folder: folder + "/static")
        texts = try InstalledTexts(folder: folder + "/templates/texts")
        others = try Self.others(in: folder + "/templates")
    }

    /// The content of a file that is neither template nor sentences; nil for an unknown path.
    /// - Parameter path: below `templates/`: `letters/gp.de.md`.
    func file(_ path: String) -> [UInt8]? { others[path] }

    private static func require(_ needed: [String], in folder: String) throws {
        let faults = needed.compactMap { path in fault("\(folder)/\(path)").map { "\(folder)/\(path) \($0)" }
        }
        guard !faults.isEmpty else { return }
        let shown = faults.prefix(5).joined(separator: "\n")
        let more = faults.count > 5 ? "\nand \(faults.count - 5) more files" : ""
        throw StartError(
            """
            \(shown)\(more)
            This program cannot do without: install templates/ and static/ of its version again, or say with --resources where they are
            """)
    }

    /// Why a file cannot be used; nil where it can. None of those that are shipped is empty: a full disk leaves such.
    private static func fault(_ path: String) -> String? {
        var facts = stat()
        guard stat(path, &facts) == 0 else {
            return errno == ENOENT || errno == ENOTDIR ? "is missing" : "cannot be read: \(reason(errno))"
        }
        guard facts.st_mode & S_IFMT == S_IFREG else { return "is no file" }
        if facts.st_size == 0 { return "is empty" }
        return access(path, R_OK) == 0 ? nil : "cannot be read: \(reason(errno))"
    }

    private static func reason(_ code: Int32) -> String { String(cString: strerror(code)).lowercased() }

    private static func others(in folder: String) throws -> [String: [UInt8]] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
        let kept = names.filter { !$0.hasPrefix("texts/") && ($0.hasSuffix(".md") || $0.hasSuffix(".json")) }
        return try Dictionary(
            uniqueKeysWithValues: kept.map { name in
                guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)") else {
                    throw StartError("\(folder)/\(name) cannot be read")
                }
                let bytes = Array(data)
                if name.hasSuffix(".json"), (try? JSON.parse(bytes)) == nil {
                    throw StartError("\(folder)/\(name) is damaged: it is no JSON")
                }
                return (name, bytes)
            })
    }
}
