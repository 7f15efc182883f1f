import Files
import Foundation
import Identity
import Records
import Secrets
import SoundFiles
import Web
import Wire
import Wording

/// Sounds of a folder with their list, as `sounds generate` writes it: for operators, and for the demonstration.
package struct SoundImport: Sendable {
    /// What was done.
    package struct Outcome: Sendable, Equatable {
        package var added = 0
        /// The same bytes under the same title in the same category were there already.
        package var known = 0
        /// Names of files, each with the reason why it was left out.
        package var refused: [String] = []
    }

    private let folder: String
    private let services: Services
    private let scan: SoundScan

    package init(folder: String, _ services: Services, scan: SoundScan = SoundScan()) {
        self.folder = folder
        self.services = services
        self.scan = scan
    }

    /// - Throws: `SoundManifest.Failure` for a list that cannot be read, `StartError` where there is none.
    package func run() throws -> Outcome {
        let list = "\(folder)/\(SoundManifest.file)"
        guard let data = FileManager.default.contents(atPath: list) else {
            throw StartError("\(list) is missing")
        }
        let manifest = try SoundManifest(Array(data))
        var outcome = Outcome()
        let categories = try categories(of: manifest)
        for sound in manifest.sounds {
            guard let category = categories[sound.category] else { continue }
            do {
                let isNew = try add(sound, to: category)
                if isNew { outcome.added += 1 } else { outcome.known += 1 }
            } catch let problem as SoundProblem {
                outcome.refused.append("\(sound.file): \(problem.sentence)")
            }
        }
        return outcome
    }

    /// Those of the list, by their keys: found by a title that they share with one, else made.
    private func categories(of manifest: SoundManifest) throws -> [String: ID<SoundCategory>] {
        let titles = manifest.categories.map {
            ($0.key, text($0.title), services.chance.id() as ID<SoundCategory>)
        }
        return try services.records.writeUnaudited(.installation) { connection in
            var found: [String: ID<SoundCategory>] = [:]
            for (key, title, id) in titles {
                let known = try SoundCategoryStore.all(connection).first { record in
                    title.languages.contains { record.title[$0] == title[$0] }
                }
                if known == nil { try SoundCategoryStore.insert(title, position: nil, id: id, connection) }
                found[key] = known?.id ?? id
            }
            return found
        }
    }

    private func text(_ byLanguage: [String: String]) -> LocalizedText {
        LocalizedText(translations: byLanguage.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }

    /// - Returns: whether it is new.
    private func add(_ sound: SoundManifest.Sound, to category: ID<SoundCategory>) throws -> Bool {
        let path = "\(folder)/\(sound.file)"
        let measure = try scan.run(file: path, name: sound.file)
        if let problem = measure.problem(loopStart: sound.loopStart, loopEnd: sound.loopEnd) { throw problem }
        guard let data = FileManager.default.contents(atPath: path) else { throw SoundProblem.unreadable }
        let files = SoundFolder(services.settings)
        let file = AudioFile(hash: try files.keep(Array(data)), measure: measure)
        let picture = try sound.picture.flatMap { try self.picture("\(folder)/\($0)", files) }
        let loop = sound.loopStart ?? sound.loopEnd
        let new = NewSound(
            file: file, pictureHash: picture?.hash, title: text(sound.title), categoryID: category,
            credits: sound.credits, licence: sound.licence,
            loop: loop == nil ? nil : (sound.loopStart ?? 0)..<(sound.loopEnd ?? measure.frames),
            publishedAt: services.clock.now)
        let id: ID<Sound> = services.chance.id()
        return try services.records.writeUnaudited(.installation) { [now = services.clock.now] connection in
            let isKnown = try SoundStore.all(connection).contains {
                $0.audioHash == file.hash && $0.categoryID == category && $0.title == new.title
            }
            if isKnown { return false }
            try SoundFileStore.keep(file, at: now, connection)
            if let picture {
                try SoundFileStore.keep(
                    picture: picture.hash, mediaType: picture.type, bytes: picture.bytes, at: now, connection)
            }
            try SoundStore.insert(new, id: id, at: now, connection)
            return true
        }
    }

    /// Without what its file tells besides; nil for what is no picture.
    private func picture(
        _ path: String, _ files: SoundFolder
    ) throws -> (hash: String, type: String, bytes: Int)? {
        guard let data = FileManager.default.contents(atPath: path),
            let picture = try? PictureFile(Array(data))
        else { return nil }
        return (try files.keep(picture.bytes), picture.kind.rawValue, picture.bytes.count)
    }
}
