import Database
import Files
import Foundation
import Secrets
import Studies
import Wire
import Wording

/// All files of a study in one archive, with a README and checksums that `sha256sum -c` reads.
struct ExportArchive {
    let export: StudyExport

    /// - Throws: when something cannot be written; then nothing is left behind.
    func write(
        _ path: String, progress: StudyExport.Progress, _ connection: borrowing Connection
    ) throws -> ExportManifest {
        let files = FileManager.default
        let folder = path + ".parts"
        let name = export.study.name
        try files.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? files.removeItem(atPath: folder) }
        let parts = StudyExport.Format.archived.map { format in
            (format: format, path: "\(folder)/\(name)\(format.suffix)")
        }
        let (manifest, digests) = try export.write(parts, progress: progress, connection)
        let archive = try ZipFile(seconds: export.now.seconds)
        var sink = try ExportSink(path, key: export.key)
        var sums = ""
        for (part, digest) in zip(parts, digests) {
            let file = "\(name)\(part.format.suffix)"
            let source = try ExportSource(part.path, key: export.key)
            try archive.begin("\(name)/\(file)", count: source.count)
            while let bytes = try source.next() {
                try archive.write(bytes)
                try sink.write(archive.taken())
            }
            // A file in the archive is not needed beside it.
            try files.removeItem(atPath: part.path)
            sums += "\(digest)  \(file)\n"
        }
        let words = Array(
            readme(
                manifest, matchedSince: try DrawingVersions.since(connection),
                unseenSince: try DrawingVersions.pausesSince(connection)
            ).utf8)
        var digest = FileDigest()
        digest.add(words)
        sums += "\(digest.hexadecimal)  README.txt\n"
        for (file, bytes) in [("README.txt", words), ("SHA256SUMS", Array(sums.utf8))] {
            try archive.begin("\(name)/\(file)", count: bytes.count)
            try archive.write(bytes)
        }
        try archive.end()
        try sink.write(archive.taken())
        try sink.close()
        return manifest
    }

    /// Describes the files and their content.
    func readme(_ manifest: ExportManifest, matchedSince since: Instant?, unseenSince: Instant?)
        -> String
    {
        let study = export.study
        return export.texts[
            "studies.readme",
            [
                "title": study.title.text(in: export.texts.language) ?? study.name, "name": study.name,
                "when": export.now.text, "people": String(manifest.participants),
                "withheld": String(manifest.withheld), "removed": String(manifest.removed),
                "erased": String(manifest.erased), "sheets": String(manifest.sheets),
                "missed": String(manifest.missed_prompts),
                "unseen": unseen(manifest.unseen_prompts, unseenSince), "files": list(),
                "location": manifest.location.words(positions: manifest.positions, export.texts),
                "matched": matched(since), "moved": moved(manifest.moved),
            ]] + "\n"
    }

    /// Until when prompts were matched otherwise; empty for a study that began later.
    private func matched(_ since: Instant?) -> String {
        guard let since, since > export.study.createdAt else { return "" }
        return export.texts["studies.readme_matched", ["when": since.text]]
    }

    /// What it means that prompts could not be seen, and until when they were told as missed; empty without any.
    private func unseen(_ count: Int, _ since: Instant?) -> String {
        guard count > 0 else { return "" }
        let words = export.texts["studies.readme_unseen", ["n": String(count)]]
        guard let since, since > export.study.createdAt else { return words + "\n" }
        return words + " " + export.texts["studies.readme_unseen_since", ["when": since.text]] + "\n"
    }

    /// The items that are not named as they were before the first columns had their names to themselves; empty nearly always.
    private func moved(_ names: [(from: String, to: String)]) -> String {
        guard !names.isEmpty else { return "" }
        let list = names.map { "\($0.from) → \($0.to)" }.joined(separator: ", ")
        return export.texts["studies.readme_moved", ["names": list]]
    }

    /// Every file of the archive with its description, aligned.
    private func list() -> String {
        let name = export.study.name
        let files = StudyExport.Format.archived.map { format in
            let key = format.rawValue.replacing("-", with: "_")
            return (name + format.suffix, export.texts["studies.file_\(key)", ["name": name]])
        }
        let own = [("README.txt", "studies.file_readme"), ("SHA256SUMS", "studies.file_sums")]
        let all = files + own.map { ($0, export.texts[$1]) }
        let width = (all.map(\.0.count).max() ?? 0) + 2
        return all.map { $0.padding(toLength: width, withPad: " ", startingAt: 0) + $1 }
            .joined(separator: "\n")
    }
}
