import Database
import Foundation
import Pictures
import Records
import SoundFiles
import Web
import Wire
import Wording

/// Imports a folder of sounds with the list of `sounds generate`: for operators and the demonstration.
package struct SoundImport: Sendable {
    /// The result.
    package struct Outcome: Sendable, Equatable, Codable {
        package var added = 0
        /// Sounds with the same bytes, title and category that existed already.
        package var known = 0
        /// Names of files, each with the reason why it was left out.
        package var refused: [String] = []
    }

    private let folder: String
    private let services: Services
    private let scan = SoundScan()

    package init(folder: String, _ services: Services) {
        self.folder = folder
        self.services = services
    }

    /// The measured files, already in their folder: written in one short transaction, which hardly delays requests.
    package struct Ready: Sendable {
        fileprivate struct Entry: Sendable {
            let id: ID<Sound>
            let category: String
            let file: AudioFile
            let picture: Picture?
            let sound: SoundManifest.Sound
            let title: LocalizedText
        }
        fileprivate struct Picture: Sendable {
            let hash: String
            let type: String
            let bytes: Int
        }
        fileprivate let categories: [(key: String, title: LocalizedText, id: ID<SoundCategory>)]
        fileprivate var entries: [Entry] = []
        fileprivate var refused: [String] = []
    }

    /// - Throws: `SoundManifest.Failure` for an unreadable list, `StartError` without one.
    package func run() throws -> Outcome {
        let ready = try prepare()
        return try services.records.writeUnaudited(.installation) { [now = services.clock.now] connection in
            try ready.write(at: now, connection)
        }
    }

    /// - Throws: `SoundManifest.Failure` for an unreadable list, `StartError` without one.
    static func manifest(in folder: String) throws -> SoundManifest {
        let list = "\(folder)/\(SoundManifest.file)"
        guard let data = FileManager.default.contents(atPath: list) else {
            throw StartError("\(list) is missing")
        }
        return try SoundManifest(Array(data))
    }

    /// Measures and stores the files; the library does not know them yet.
    package func prepare() throws -> Ready {
        let manifest = try Self.manifest(in: folder)
        var ready = Ready(
            categories: manifest.categories.map { ($0.key, text($0.title), services.chance.id()) })
        for sound in manifest.sounds {
            do {
                ready.entries.append(try entry(sound))
            } catch let problem as SoundProblem {
                ready.refused.append("\(sound.file): \(problem.sentence)")
            }
        }
        return ready
    }

    private func text(_ byLanguage: [String: String]) -> LocalizedText {
        LocalizedText(translations: byLanguage.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }

    private func entry(_ sound: SoundManifest.Sound) throws -> Ready.Entry {
        let path = "\(folder)/\(sound.file)"
        let measure = try scan.run(file: path, name: sound.file)
        if let problem = measure.problem(loopStart: sound.loopStart, loopEnd: sound.loopEnd) { throw problem }
        guard let data = FileManager.default.contents(atPath: path) else { throw SoundProblem.unreadable }
        let files = SoundFolder(services.settings)
        return Ready.Entry(
            id: services.chance.id(), category: sound.category,
            file: AudioFile(hash: try files.keep(Array(data)), measure: measure),
            picture: try sound.picture.flatMap { try self.picture("\(folder)/\($0)", files) },
            sound: sound, title: text(sound.title))
    }

    /// Without metadata; nil for a file that is no picture.
    private func picture(_ path: String, _ files: SoundFolder) throws -> Ready.Picture? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        let picture: PictureFile
        do {
            picture = try PictureFile(Array(data))
        } catch {
            if error == .unavailable { throw Problem.unavailable(retryAfter: 60) }
            return nil
        }
        return Ready.Picture(
            hash: try files.keep(picture.bytes), type: picture.kind.rawValue, bytes: picture.bytes.count)
    }
}

extension SoundImport.Ready {
    /// Categories are matched by title or created; the same bytes with the same title are not added again.
    package func write(at now: Instant, _ connection: borrowing Connection) throws -> SoundImport.Outcome {
        var outcome = SoundImport.Outcome(refused: refused)
        var found: [String: ID<SoundCategory>] = [:]
        for (key, title, id) in categories {
            let known = try SoundCategoryStore.all(connection).first { record in
                title.languages.contains { record.title[$0] == title[$0] }
            }
            if known == nil { try SoundCategoryStore.insert(title, position: nil, id: id, connection) }
            found[key] = known?.id ?? id
        }
        for entry in entries {
            guard let category = found[entry.category] else { continue }
            let isNew = try write(entry, to: category, at: now, connection)
            if isNew { outcome.added += 1 } else { outcome.known += 1 }
        }
        return outcome
    }

    /// - Returns: whether it is new.
    private func write(
        _ entry: Entry, to category: ID<SoundCategory>, at now: Instant, _ connection: borrowing Connection
    ) throws -> Bool {
        let isKnown = try SoundStore.all(connection).contains {
            $0.audioHash == entry.file.hash && $0.categoryID == category && $0.title == entry.title
        }
        if isKnown { return false }
        let sound = entry.sound
        let loop = sound.loopStart ?? sound.loopEnd
        try SoundFileStore.keep(entry.file, at: now, connection)
        if let picture = entry.picture {
            try SoundFileStore.keep(
                picture: picture.hash, mediaType: picture.type, bytes: picture.bytes, at: now, connection)
        }
        try SoundStore.insert(
            NewSound(
                file: entry.file, pictureHash: entry.picture?.hash, title: entry.title, categoryID: category,
                credits: sound.credits, licence: sound.licence,
                loop: loop == nil
                    ? nil : (sound.loopStart ?? 0)..<(sound.loopEnd ?? entry.file.measure.frames),
                publishedAt: now), id: entry.id, at: now, connection)
        return true
    }
}
