import Database
import Files
import Foundation
import Secrets
import Wire

/// All files of a study in one archive, with a README and checksums that `sha256sum -c` reads.
struct ExportArchive {
    let export: StudyExport

    /// - Throws: when something cannot be written; then nothing is left behind.
    func write(
        _ path: String, progress: StudyExport.Progress, _ connection: borrowing Connection
    ) throws -> ExportManifest {
        let (files, folder, name) = (FileManager.default, path + ".parts", export.study.name)
        try files.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? files.removeItem(atPath: folder) }
        let parts = StudyExport.Format.archived.map { format in
            (format: format, path: "\(folder)/\(name)\(format.suffix)")
        }
        let manifest = try export.write(parts, progress: progress, connection)
        var sink = try ExportSink(folder + "/README.txt")
        try sink.write(readme(manifest))
        try sink.close()
        var names = parts.map { "\(name)\($0.format.suffix)" } + ["README.txt"]
        sink = try ExportSink(folder + "/SHA256SUMS")
        for file in names { try sink.write("\(try FileDigest.sha256("\(folder)/\(file)"))  \(file)\n") }
        try sink.close()
        // The archive is made by somebody else: it must be its owner's alone from its first byte.
        sink = try ExportSink(path)
        try sink.close()
        names.append("SHA256SUMS")
        let list = names.map { (path: "\(folder)/\($0)", name: "\(name)/\($0)") }
        try ZipFile.write(path, list, seconds: export.now.seconds)
        return manifest
    }

    /// What the files are and what they hold.
    func readme(_ manifest: ExportManifest) -> String {
        let study = export.study
        return export.texts[
            "studies.readme",
            [
                "title": study.title[export.texts.language] ?? study.name, "name": study.name,
                "when": export.now.text, "people": String(manifest.participants),
                "withheld": String(manifest.withheld), "sheets": String(manifest.sheets),
                "missed": String(manifest.missed_prompts),
            ]] + "\n"
    }
}
